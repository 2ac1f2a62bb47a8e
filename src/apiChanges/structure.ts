import type { Resource } from './catalogue.ts';
import { isShapeName, resourceNamed, resourcesOfShape, squashed } from './names.ts';
import type { Token, Work } from './tokenizer.ts';

/** How sure it is that a place relies on a change. */
export type Tier = 'certain' | 'likely' | 'possible';

/** The resources that code is about, and how sure that is. */
export class Context {
  readonly #tiers = new Map<Resource, Tier>();

  add(resources: Iterable<Resource>, tier: Tier): void {
    for (const resource of resources) {
      if (this.#tiers.get(resource) !== 'certain') {
        this.#tiers.set(resource, tier);
      }
    }
  }

  /** How sure it is that this is about one of the resources; undefined if nothing says so. */
  tierOf(resources: readonly Resource[]): Tier | undefined {
    const tiers = resources.flatMap((resource) => this.#tiers.get(resource) ?? []);
    return tiers.includes('certain') ? 'certain' : tiers[0];
  }

  include(other: Context | undefined, cap?: Tier): void {
    if (other) {
      other.#tiers.forEach((tier, resource) => this.add([resource], cap ?? tier));
    }
  }

  get isEmpty(): boolean {
    return this.#tiers.size === 0;
  }
}

/** What stands between a pair of brackets, a command of a shell, or all of a source. */
export class Group {
  readonly parent: Group | undefined;
  readonly opener: number;
  readonly bracket: '(' | '[' | '{' | 'statement' | '';
  /** Whether it holds statements, as a body of a function does, rather than values. */
  readonly isBlock: boolean;
  /** The resource of the type that it declares or builds, by the name before it. */
  readonly typed: Resource | undefined;
  /** Whether it declares the fields of a type. */
  readonly isDeclaration: boolean;
  /** The name of the type that it declares or builds. */
  readonly typeName: string | undefined;
  close = -1;
  /** What the calls in it are about. */
  context: Context | undefined;
  /** What calls anywhere in it are about, if it is a block. */
  body: Context | undefined;
  /** Names in it that help to tell a record, squashed. */
  names: Set<string> | undefined;
  shape: readonly Resource[] | undefined;

  constructor(
    parent: Group | undefined,
    opener: number,
    bracket: Group['bracket'],
    options: {
      readonly isBlock?: boolean;
      readonly isDeclaration?: boolean;
      readonly typeName?: string | undefined;
    } = {},
  ) {
    this.parent = parent;
    this.opener = opener;
    this.bracket = bracket;
    this.isBlock = options.isBlock ?? false;
    this.typeName = options.typeName;
    this.typed = options.typeName === undefined ? undefined : resourceNamed(options.typeName);
    this.isDeclaration = options.isDeclaration ?? false;
  }
}

const declaring = /^(?:class|interface|struct|record|type|enum|object|extends|implements)$/;
const climbs = 6;

/** The brackets of a source, and which of them each token stands in. */
export class Structure {
  readonly groupOf: Group[] = [];
  readonly root = new Group(undefined, -1, '', { isBlock: true });
  readonly #tokens: readonly Token[];
  readonly #byClose = new Map<number, Group>();

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** Finds the brackets, in slices. */
  *build(isShell: boolean, work: Work): Generator<void> {
    const tokens = this.#tokens;
    let group = isShell ? new Group(this.root, -1, 'statement') : this.root;
    for (let index = 0; index < tokens.length; index += 1) {
      work.add(1);
      if (work.isDue()) {
        yield;
      }
      const { kind, text } = tokens[index] as Token;
      this.groupOf.push(group);
      if (kind !== 'mark') {
        continue;
      }
      if (text === '(' || text === '[' || text === '{' || text === '$(') {
        group = this.#open(group, index, text === '$(' ? '(' : text, isShell);
        if (isShell) {
          group = new Group(group, index, 'statement');
        }
      } else if (text === ')' || text === ']' || text === '}') {
        const opened = enclosing(group, text === ')' ? '(' : text === ']' ? '[' : '{');
        if (opened) {
          opened.close = index;
          this.#byClose.set(index, opened);
          this.groupOf[index] = opened.parent ?? this.root;
          group = opened.parent ?? this.root;
        }
      } else if (isShell && /^(?:\n|;|&&|\|\||&)$/.test(text)) {
        group.close = index;
        group = new Group(group.parent, index, 'statement');
      }
    }
  }

  /** The nearest group that a name is a field of, beyond brackets of annotations. */
  recordOf(index: number): Group {
    let group = this.groupOf[index] ?? this.root;
    for (
      let climb = 0;
      climb < 3 &&
      group.parent &&
      (group.bracket === '[' || (group.bracket === '(' && group.typed === undefined && this.#isAnnotation(group)));
      climb += 1
    ) {
      group = group.parent;
    }
    return group;
  }

  /** Notes that a record has a name. */
  addName(index: number, name: string): void {
    const plain = squashed(name);
    if (isShapeName(plain)) {
      for (const group of [this.recordOf(index), this.groupOf[index]]) {
        if (group) {
          (group.names ??= new Set()).add(plain);
        }
      }
    }
  }

  /** Marks what a call is about in the brackets around it, up to the body of the function. */
  mark(index: number, resources: Iterable<Resource>, tier: Tier): void {
    const all = [...resources];
    let group: Group | undefined = this.groupOf[index];
    for (let climb = 0; climb < climbs && group; climb += 1) {
      if (group.isBlock) {
        (group.body ??= new Context()).add(all, 'likely');
        return;
      }
      (group.context ??= new Context()).add(all, tier);
      if (group.bracket === 'statement') {
        return;
      }
      group = group.parent;
    }
  }

  /** What the brackets around a key are about: by calls, by the names of types, by the record that the names make. */
  contextOf(index: number, isArgument: boolean): Context {
    const context = new Context();
    let group: Group | undefined = this.groupOf[index];
    for (let climb = 0; climb < climbs && group; climb += 1) {
      context.include(group.context);
      this.#includeChain(group, context);
      if (group.typed !== undefined) {
        context.add([group.typed], 'likely');
      }
      if (group.names && climb < 3) {
        group.shape ??= resourcesOfShape(group.names);
        context.add(group.shape, 'likely');
      }
      if (group.isBlock) {
        if (isArgument && group.parent) {
          context.include(group.body, 'likely');
          context.include(group.parent.parent ? group.parent.body : undefined, 'likely');
        }
        break;
      }
      if (group.bracket === '{' && group.typed !== undefined) {
        break;
      }
      group = group.parent;
    }
    return context;
  }

  /** What the calls before a call of the same chain are about: `client.put(url).json(…)`. */
  #includeChain(group: Group, context: Context): void {
    let opener = group.bracket === '(' ? group.opener : -1;
    for (let step = 0; step < 6 && opener >= 3; step += 1) {
      const close =
        this.#tokens[opener - 1]?.kind === 'word' && /^(?:\.|->|\?\.|::)$/.test(this.#tokens[opener - 2]?.text ?? '')
          ? opener - 3
          : -1;
      const before = this.#byClose.get(close);
      context.include(before?.context);
      opener = before?.opener ?? -1;
    }
  }

  /** Whether a token stands among the fields of a type. */
  isField(index: number): boolean {
    const group = this.recordOf(index);
    const isConstructor =
      group.bracket === '(' && /^(?:__construct|constructor)$/.test(this.#tokens[group.opener - 1]?.text ?? '');
    return group.isDeclaration || isConstructor;
  }

  #isAnnotation(group: Group): boolean {
    const before = this.#tokens[group.opener - 2]?.text;
    return (
      before === '@' ||
      before === '[' ||
      before === '#' ||
      before === ',' ||
      this.#tokens[group.opener - 1]?.text.startsWith('@') === true
    );
  }

  #open(parent: Group, index: number, bracket: '(' | '[' | '{', isShell: boolean): Group {
    if (isShell || bracket === '[') {
      return new Group(parent, index, bracket);
    }
    const before = this.#tokens[index - 1];
    const words: string[] = [];
    for (let at = index - 1; at >= 0 && index - at < 14; at -= 1) {
      const { kind, text } = this.#tokens[at] as Token;
      if (kind === 'mark' && /^[;{}()=]$/.test(text)) {
        break;
      }
      if (kind === 'word') {
        words.unshift(text);
      }
    }
    const keyword = words.findIndex((word) => declaring.test(word));
    const name =
      keyword === -1
        ? before?.kind === 'word'
          ? before.text
          : undefined
        : words[keyword + 1] === 'struct'
          ? words[keyword]
          : words[keyword + 1];
    const built = before?.text === ')' ? this.#byClose.get(index - 1) : undefined;
    const constructed =
      built && this.#tokens[built.opener - 2]?.text === 'new' ? this.#tokens[built.opener - 1]?.text : undefined;
    if (bracket === '{' && constructed !== undefined) {
      return new Group(parent, index, bracket, { typeName: constructed });
    }
    if (bracket === '(') {
      const isRecord = keyword !== -1;
      return new Group(parent, index, bracket, isRecord ? { typeName: name, isDeclaration: true } : {});
    }
    const isDeclaration = keyword !== -1 || before?.text === 'struct';
    const isValue =
      before?.text === 'new' || (before?.kind === 'mark' && /^(?:[([,:=?@]|\?\?|&&|\|\||:=|\+=)$/.test(before.text));
    const isBuilt =
      before?.kind === 'word' &&
      !/^(?:else|try|do|finally|return|then|get|set|init|loop|unsafe|async|default)$/.test(before.text);
    const isReturned = before?.text === 'return';
    const isBlock = !isDeclaration && !isValue && !isReturned && !(isBuilt && /^[A-Z]/.test(before.text));
    return new Group(parent, index, bracket, {
      isBlock,
      isDeclaration,
      typeName: isBlock ? undefined : isDeclaration || isBuilt ? name : this.#assigned(index),
    });
  }

  /** The name that a value is given to: `runner = {`, `runner: {`. */
  #assigned(index: number): string | undefined {
    const [mark, word] = [this.#tokens[index - 1], this.#tokens[index - 2]];
    return mark && /^(?::|=|:=|=>)$/.test(mark.text) && word?.kind !== 'mark' ? word?.text : undefined;
  }
}

/** The nearest open group of a bracket; undefined if none is open within a few levels. */
function enclosing(group: Group, bracket: string): Group | undefined {
  let candidate: Group | undefined = group;
  for (let climb = 0; climb < climbs && candidate; climb += 1) {
    if (candidate.bracket === bracket) {
      return candidate;
    }
    candidate = candidate.parent;
  }
  return undefined;
}
