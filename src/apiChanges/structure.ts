import { allResources, type Resource, resourceNamed, resourceOfField, squashed } from './catalogue.ts';
import type { Token, Work } from './tokenizer.ts';

/** How sure it is that a place relies on a change. */
export type Tier = 'certain' | 'likely' | 'possible';

/** The resources that code is about, and how sure that is. */
export class Context {
  readonly #tiers = new Map<Resource, Tier>();

  static of(resources: Iterable<Resource>, tier: Tier): Context {
    const context = new Context();
    for (const resource of resources) {
      context.#tiers.set(resource, tier);
    }
    return context;
  }

  /** How sure it is that this is about one of the resources; undefined if nothing says so. */
  tierOf(resources: readonly Resource[]): Tier | undefined {
    const tiers = resources.flatMap((resource) => this.#tiers.get(resource) ?? []);
    return tiers.includes('certain') ? 'certain' : tiers[0];
  }

  get isEmpty(): boolean {
    return this.#tiers.size === 0;
  }

  include(other: Context | undefined): void {
    for (const resource of other ? allResources : []) {
      const tier = other?.tierOf([resource]);
      if (tier && this.#tiers.get(resource) !== 'certain') {
        this.#tiers.set(resource, tier);
      }
    }
  }
}

/** What stands between a pair of brackets, a command of a shell, or all of a source. */
export interface Group {
  readonly parent: Group | undefined;
  /** The token that opens it. */
  readonly opener: number;
  readonly bracket: '(' | '[' | '{' | 'statement' | '';
  /** What is built, declared or called, or the variable or key that a value is given to. */
  readonly name: string | undefined;
  readonly kind: 'values' | 'fields' | 'statements';
  close: number;
  /** What the calls in it are about. */
  context: Context | undefined;
  /** The fields in it, squashed, that only the record of a resource has. */
  fields: Map<Resource, Set<string>> | undefined;
  /** The calls before it in a chain, once they were looked for. */
  before: readonly Group[] | undefined;
}

/** What no call is around. */
const nothing = new Context();
const declaring = /^(?:class|interface|struct|record|type|enum|object)$/;
const member = /^(?:\.|->|\?\.|&\.|::)$/;
/** Brackets that are looked at around a place. */
const levels = 6;

/** The brackets of a source, and which of them each token stands in. */
export class Structure {
  readonly groupOf: Group[] = [];
  readonly #root = group(undefined, -1, '', 'statements');
  readonly #tokens: readonly Token[];
  readonly #byClose = new Map<number, Group>();

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** Finds the brackets, in slices. */
  *build(isShell: boolean, work: Work): Generator<void> {
    let open = isShell ? group(this.#root, -1, 'statement') : this.#root;
    for (const [index, { kind, text }] of this.#tokens.entries()) {
      if (work.isDue()) {
        yield;
      }
      this.groupOf.push(open);
      if (kind !== 'mark') {
        continue;
      }
      if (text === '(' || text === '[' || text === '{' || text === '$(') {
        const bracket = text === '$(' ? '(' : text;
        open = isShell ? group(open, index, bracket) : this.#open(open, index, bracket);
        open = isShell ? group(open, index, 'statement') : open;
      } else if (text === ')' || text === ']' || text === '}') {
        const opened = enclosing(open, text === ')' ? '(' : text === ']' ? '[' : '{');
        if (opened) {
          opened.close = index;
          this.#byClose.set(index, opened);
          open = opened.parent ?? this.#root;
          this.groupOf[index] = open;
        }
      } else if (isShell && /^(?:\n|;|&&|\|\||&)$/.test(text)) {
        open = group(open.parent, index, 'statement');
      }
    }
  }

  /** The brackets that a mark closes. */
  closedBy(index: number): Group | undefined {
    return this.#byClose.get(index);
  }

  /** The nearest brackets that a name is a field of, beyond those of annotations. */
  recordOf(index: number): Group {
    let own = this.groupOf[index] ?? this.#root;
    for (let level = 0; level < levels && own.parent && (own.bracket === '[' || this.#isAnnotation(own)); level += 1) {
      own = own.parent;
    }
    return own;
  }

  /** Notes that a record has a field. */
  addField(index: number, name: string): void {
    const resource = resourceOfField(name);
    if (resource !== undefined) {
      const record = this.recordOf(index);
      record.fields ??= new Map();
      record.fields.set(resource, (record.fields.get(resource) ?? new Set()).add(squashed(name)));
    }
  }

  /** Marks what a call is about in the brackets around it, up to the body of the function or the command. */
  mark(index: number, context: Context): void {
    let around = this.groupOf[index];
    for (let level = 0; level < levels && around && around.kind !== 'statements'; level += 1) {
      (around.context ??= new Context()).include(context);
      around = around.bracket === 'statement' ? undefined : around.parent;
    }
  }

  /** What the calls around a place are about, with the calls before it in a chain: `client.put(url).json(…)`. */
  contextOf(index: number): Context {
    let context: Context | undefined;
    const include = (other: Context | undefined): void => {
      if (other) {
        context ??= new Context();
        context.include(other);
      }
    };
    let around = this.groupOf[index];
    for (let level = 0; level < levels && around; level += 1) {
      include(around.context);
      if (around.bracket === '{') {
        // Of a call with a block: `client.put(url) { parameter(…) }`.
        include(this.#byClose.get(around.opener - 1)?.context);
      } else if (around.bracket === '(') {
        for (const before of this.#callsBefore(around)) {
          include(before.context);
        }
      }
      around = around.kind === 'values' ? around.parent : undefined;
    }
    return context ?? nothing;
  }

  /** The brackets of the calls before a call in a chain. */
  #callsBefore(own: Group): readonly Group[] {
    if (own.before === undefined) {
      const calls: Group[] = [];
      for (let call: Group | undefined = own; call && calls.length < levels;) {
        const { opener }: Group = call;
        call = member.test(this.#tokens[opener - 2]?.text ?? '') ? this.#byClose.get(opener - 3) : undefined;
        if (call) {
          calls.push(call);
        }
      }
      own.before = calls;
    }
    return own.before;
  }

  /** Whether a place stands among the fields of a type. */
  isField(index: number): boolean {
    return this.recordOf(index).kind === 'fields';
  }

  #isAnnotation({ bracket, opener }: Group): boolean {
    return bracket === '(' && /^(?:@|\[|#|,|:)$/.test(this.#tokens[opener - 2]?.text ?? '');
  }

  #open(parent: Group, index: number, bracket: '(' | '[' | '{'): Group {
    const before = this.#tokens[index - 1];
    if (bracket === '[') {
      return group(parent, index, bracket, 'values', this.#assigned(index));
    }
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
    if (keyword !== -1) {
      // `class Runner {`, `type Runner struct {`, `data class Runner(`.
      const declared = words.find((word, at) => at > keyword && !declaring.test(word)) ?? words[keyword - 1];
      return group(parent, index, bracket, 'fields', declared);
    }
    if (bracket === '(') {
      const isConstructor = /^(?:__construct|constructor)$/.test(before?.text ?? '');
      return group(
        parent,
        index,
        bracket,
        isConstructor ? 'fields' : 'values',
        isConstructor ? undefined : before?.text,
      );
    }
    // `new Runner() {` and `Runner {` build a value, `if (…) {` and `else {` do not.
    const built = before?.text === ')' ? this.#byClose.get(index - 1) : undefined;
    if (built && this.#tokens[built.opener - 2]?.text === 'new') {
      return group(parent, index, bracket, 'values', this.#tokens[built.opener - 1]?.text);
    }
    const isValue = before?.kind === 'mark' ? /^(?:[([,:=?@]|\?\?|&&|\|\||:=|\+=)$/.test(before.text) : false;
    const isBuilt =
      before?.kind === 'word' && (/^[A-Z]/.test(before.text) || /^(?:new|return|const|let|var)$/.test(before.text));
    return isValue || isBuilt
      ? group(parent, index, bracket, 'values', this.#assigned(index) ?? before?.text)
      : group(parent, index, bracket, 'statements');
  }

  /** The name that a value is given to: `runner = {`, `runner: {`. */
  #assigned(index: number): string | undefined {
    const [mark, word] = [this.#tokens[index - 1], this.#tokens[index - 2]];
    return mark && /^(?::|=|:=|=>)$/.test(mark.text) && word?.kind !== 'mark' ? word?.text : undefined;
  }
}

/** Whether a record is that of a resource: by its name and two fields, or by fields alone. */
export function isRecordOf(record: Group, resources: readonly Resource[], needed = { named: 2, unnamed: 3 }): boolean {
  const named = resourceNamed(record.name);
  return resources.some((resource) => {
    const count = record.fields?.get(resource)?.size ?? 0;
    return named === undefined ? count >= needed.unnamed : named === resource && count >= needed.named;
  });
}

function group(
  parent: Group | undefined,
  opener: number,
  bracket: Group['bracket'],
  kind: Group['kind'] = 'values',
  name?: string,
): Group {
  return { parent, opener, bracket, kind, name, close: -1, context: undefined, fields: undefined, before: undefined };
}

/** The nearest open brackets of a kind; undefined if none are open within a few levels. */
function enclosing(open: Group, bracket: string): Group | undefined {
  let candidate: Group | undefined = open;
  for (let level = 0; level < levels && candidate; level += 1) {
    if (candidate.bracket === bracket) {
      return candidate;
    }
    candidate = candidate.parent;
  }
  return undefined;
}
