import {
  allResources,
  type Confidence,
  normalizedName,
  type Resource,
  resourceNamed,
  resourceOfField,
} from './catalogue.ts';
import { NumberRows, type Token, type Tokens, type Work } from './tokenizer.ts';

const confidences = ['possible', 'likely', 'certain'] as const satisfies readonly Confidence[];

/** How sure a tier is, as a number that grows with it. */
export function rank(tier: Confidence): number {
  return confidences.indexOf(tier);
}

/**
 * The resources that code is about, and how sure that is: three bits for each resource, of which a tier sets its own and those of
 * the tiers below it, so that `|` keeps the surer of two. 0 where nothing is known.
 */
export type Context = number;

/** What code is about that is about these resources. */
export function contextWith(resources: readonly Resource[], tier: Confidence): Context {
  const bits = (2 << rank(tier)) - 1;
  return resources.reduce((context, resource) => context | (bits << shiftOf(resource)), 0);
}

/** How sure it is that code is about one of the resources; undefined if nothing says so. */
export function tierIn(context: Context, resources: readonly Resource[]): Confidence | undefined {
  const bits = resources.reduce((known, resource) => known | (context >> shiftOf(resource)), 0) & 7;
  return confidences[31 - Math.clz32(bits)];
}

function shiftOf(resource: Resource): number {
  return 3 * allResources.indexOf(resource);
}

/** What stands between a pair of brackets, a command of a shell, or all of a source. */
export interface BracketGroup {
  readonly id: number;
  /** The token that opens it, or the one before its first. */
  readonly opener: number;
  readonly bracket: (typeof brackets)[number];
  readonly kind: (typeof groupKinds)[number];
  /** The token that closes it; 0 if nothing does. */
  readonly closer: number;
}

const brackets = ['', 'command', '(', '[', '{'] as const;
const groupKinds = ['values', 'fields', 'statements', 'parameters'] as const;
/** The columns of a group; the function is the group that is its body, or all of the source. */
const [parentOf, openerOf, bracketOf, kindOf, nameOf, contextOf, closerOf, functionOf] = [
  0, 1, 2, 3, 4, 5, 6, 7,
] as const;
/** The group that is all of a source, and the parent that it has not. */
const [root, none] = [0, -1] as const;

const declaring = new Set([
  'class',
  'interface',
  'struct',
  'record',
  'type',
  'enum',
  'object',
  '__construct',
  'constructor',
]);
const member = /^(?:\.|->|\?\.|&\.|::)$/;
const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
/** What stands before brackets and a block that are no function. */
const control =
  /^(?:if|for|foreach|while|until|unless|switch|match|catch|elif|elseif|with|using|lock|synchronized|when|guard)$/;
/** What a function returns or throws, between its parameters and its body, and how long that may be. */
const [inType, longestType] = [
  /^(?:(?!(?:return|new|else|const|let|var)$)[\w$]+|:|\.|,|\*|&|\[|\]|<|>|\?|\||->|::)$/,
  16,
] as const;
/** Brackets that are looked at around a place. */
const levels = 6;

/** The brackets of a source, and which of them each token stands in. */
export class Structure {
  readonly #tokens: Tokens;
  readonly #groups = new NumberRows(8);
  /** Of each token, the group that it stands in and the one that it closes. */
  readonly #places = new NumberRows(2);
  /** Of groups that have some: fields, normalized, that only the record of one resource has. */
  readonly #fields = new Map<number, Map<string, Resource>>();

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  /** Finds the brackets, in slices. */
  *build(hasCommands: boolean, work: Work): Generator<void> {
    this.#add(none, -1, '', 'statements');
    let open = hasCommands ? this.#add(root, -1, 'command') : root;
    const definitions: { readonly around: number; readonly column: number }[] = [];
    for (let index = 0; index < this.#tokens.length; index += 1) {
      if (work.isDue()) {
        yield;
      }
      const column = hasCommands ? none : this.#tokens.columnAt(index);
      const ended = column === none ? -1 : definitions.findIndex((definition) => definition.column >= column);
      if (ended !== -1) {
        open = definitions.splice(ended)[0]?.around ?? open;
      }
      if (column !== none && this.#isDefinition(index)) {
        definitions.push({ around: open, column });
        open = this.#add(open, index - 1, '', 'statements');
        this.#groups.set(open, functionOf, open);
      }
      this.#places.add(open);
      if (this.#tokens.kindAt(index) !== 'mark') {
        continue;
      }
      const text = this.#tokens.textAt(index);
      if (text === '(' || text === '[' || text === '{') {
        open = hasCommands
          ? this.#add(this.#add(open, index, text), index, 'command')
          : this.#add(open, index, text, ...this.#kindOf(index, text));
        if (!hasCommands && text === '{') {
          this.#beginFunction(open, index);
        }
      } else if (pairs[text] !== undefined) {
        const closed = this.#around(open).find((id) => brackets[this.#groups.get(id, bracketOf)] === pairs[text]);
        if (closed !== undefined) {
          this.#groups.set(closed, closerOf, index);
          open = this.#groups.get(closed, parentOf);
          this.#places.set(index, 0, open);
          this.#places.set(index, 1, closed);
        }
      } else if (hasCommands && /^(?:\n|;|&&|\|\||&)$/.test(text)) {
        open = this.#add(this.#groups.get(open, parentOf), index, 'command');
      }
    }
  }

  /** The group that a token stands in. */
  groupAt(index: number): BracketGroup {
    return this.#group(this.#places.get(index, 0));
  }

  /** The functions around a token, from the inside, up to a few, and at last all of the source. */
  functionsAt(index: number): number[] {
    const around: number[] = [];
    for (let id = this.#places.get(index, 0); around.length < levels; id = this.#groups.get(id, parentOf)) {
      id = this.#groups.get(id, functionOf);
      if (id === root) {
        break;
      }
      around.push(id);
    }
    return [...around, root];
  }

  /** The groups around a token, from the inside, up to a few. */
  groupsAt(index: number): BracketGroup[] {
    return this.#around(this.#places.get(index, 0)).map((id) => this.#group(id));
  }

  /** The brackets that a mark closes. */
  closedBy(index: number): BracketGroup | undefined {
    const closed = this.#places.get(index, 1);
    return closed === root ? undefined : this.#group(closed);
  }

  /** The group that a token opens. */
  openedBy(index: number): BracketGroup | undefined {
    return [this.closedBy(index + 1), this.groupAt(index + 1)].find(
      (group) => group?.opener === index && /^[([{]$/.test(group.bracket),
    );
  }

  /** What is declared or called by a group, or the variable or key that it is given to. */
  nameOf({ id }: BracketGroup): string | undefined {
    const name = this.#groups.get(id, nameOf);
    return name === none ? undefined : this.#tokens.textAt(name);
  }

  /** What the calls in a group are about. */
  contextIn({ id }: BracketGroup): Context {
    return this.#groups.get(id, contextOf);
  }

  /** Adds to what the calls in a group are about. */
  include({ id }: BracketGroup, context: Context): void {
    this.#groups.set(id, contextOf, this.#groups.get(id, contextOf) | context);
  }

  /** The nearest brackets that a name is a field of, beyond those of annotations and lists. */
  recordOf(index: number): BracketGroup {
    const around = this.groupsAt(index);
    const isRecord = ({ bracket, opener }: BracketGroup): boolean =>
      bracket !== '[' && !(bracket === '(' && /^(?:@|\[|#|,|:)$/.test(this.#tokens.textAt(opener - 2)));
    return around.find(isRecord) ?? (around[0] as BracketGroup);
  }

  /** Notes that a record has a field. */
  addField(index: number, name: string): void {
    const resource = resourceOfField(name);
    if (resource !== undefined) {
      const { id } = this.recordOf(index);
      const fields = this.#fields.get(id) ?? new Map<string, Resource>();
      this.#fields.set(id, fields.set(normalizedName(name), resource));
    }
  }

  /** How many fields of some resources a record has. */
  fieldsOf({ id }: BracketGroup, resources: readonly Resource[]): number {
    return [...(this.#fields.get(id)?.values() ?? [])].filter((resource) => resources.includes(resource)).length;
  }

  /** Marks what a call is about in the brackets around it, up to the body of the function or the command. */
  mark(index: number, context: Context): void {
    for (const around of this.groupsAt(index)) {
      if (around.kind === 'statements') {
        break;
      }
      this.include(around, context);
      if (around.bracket === 'command') {
        break;
      }
    }
  }

  /** What the calls around a place are about, with the calls before it in a chain: `client.put(url).json(…)`. */
  contextAt(index: number): Context {
    let context: Context = 0;
    for (const around of this.groupsAt(index)) {
      let call: BracketGroup | undefined = around;
      for (let calls = 0; calls < levels && call; calls += 1) {
        context |= this.contextIn(call);
        const { opener, bracket }: BracketGroup = call;
        const isChained = bracket === '(' && member.test(this.#tokens.textAt(opener - 2));
        // `put(url) {` as well: a call with a block.
        const before = this.closedBy(isChained ? opener - 3 : bracket === '{' ? opener - 1 : -1);
        call = before && control.test(this.#tokens.textAt(before.opener - 1)) ? undefined : before;
      }
      if (around.kind !== 'values') {
        break;
      }
    }
    return context;
  }

  #group(id: number): BracketGroup {
    return {
      id,
      opener: this.#groups.get(id, openerOf),
      bracket: brackets[this.#groups.get(id, bracketOf)] ?? '',
      kind: groupKinds[this.#groups.get(id, kindOf)] ?? 'values',
      closer: this.#groups.get(id, closerOf),
    };
  }

  #add(
    parent: number,
    opener: number,
    bracket: BracketGroup['bracket'],
    kind: BracketGroup['kind'] = 'values',
    name: number = none,
  ): number {
    const around = parent === none ? root : this.#groups.get(parent, functionOf);
    return this.#groups.add(parent, opener, brackets.indexOf(bracket), groupKinds.indexOf(kind), name, 0, 0, around);
  }

  /** A group and those around it, within a few levels. */
  #around(inner: number): number[] {
    const around: number[] = [];
    for (let id = inner; id !== none && around.length < levels; id = this.#groups.get(id, parentOf)) {
      around.push(id);
    }
    return around;
  }

  /** Whether a token at the beginning of a line defines a function by a word; `def x = …` of Groovy is a variable. */
  #isDefinition(index: number): boolean {
    const at = /^(?:async|private|protected|override)$/.test(this.#tokens.textAt(index)) ? index + 1 : index;
    return /^defp?$/.test(this.#tokens.textAt(at)) && this.#tokens.textAt(at + 2) !== '=';
  }

  /** The brackets before a brace, with no more than a type between: `f(): Item {`, `f() throws IOException {`, `(a) => {`. */
  #headBefore(index: number): BracketGroup | undefined {
    let at = index - (this.#tokens.textAt(index - 1) === '=>' ? 2 : 1);
    if (at === index - 1 && !/^(?:[:,<|&]|->)$/.test(this.#tokens.textAt(at))) {
      while (at > index - longestType && inType.test(this.#tokens.textAt(at))) {
        at -= 1;
      }
    }
    return this.#tokens.textAt(at + 1) === ',' ? undefined : this.closedBy(at);
  }

  /** Marks a group as the body of a function, if it is one, and its parameters as a part of that. */
  #beginFunction(id: number, index: number): void {
    const head = this.#headBefore(index);
    // `func (c *Client) list() ([]Item, error) {`
    const parameters = (head && this.closedBy(head.opener - 1)) ?? head;
    if (
      !parameters ||
      control.test(this.#tokens.textAt(parameters.opener - 1)) ||
      this.#group(id).kind !== 'statements'
    ) {
      return;
    }
    const own = this.closedBy(parameters.opener - 2);
    const receiver = this.#tokens.textAt((own?.opener ?? 0) - 1) === 'func' ? own : undefined;
    this.#groups.set(id, functionOf, id);
    for (const group of [parameters, receiver]) {
      if (group?.kind === 'values') {
        this.#groups.set(group.id, kindOf, groupKinds.indexOf('parameters'));
        this.#groups.set(group.id, functionOf, id);
      }
    }
  }

  /** What brackets hold, and the token of their name. */
  #kindOf(index: number, bracket: '(' | '[' | '{'): [kind: BracketGroup['kind'], name: number | undefined] {
    const [before, second] = [this.#tokens.at(index - 1), this.#tokens.at(index - 2)];
    const words: number[] = [];
    for (let at = index - 1; at >= 0 && index - at < (bracket === '[' ? 0 : 14); at -= 1) {
      const { kind, text } = this.#tokens.at(at) as Token;
      if (kind === 'mark' && ';{}()='.includes(text)) {
        break;
      }
      if (kind === 'word') {
        words.unshift(at);
      }
    }
    if (bracket === '(' && words.some((at) => /^defp?$/.test(this.#tokens.textAt(at)))) {
      return ['parameters', index - 1];
    }
    const isDeclaring = (at: number): boolean => declaring.has(this.#tokens.textAt(at));
    const keyword = words.findIndex(isDeclaring);
    if (keyword !== -1) {
      // `class Runner {`, `type Runner struct {`, `data class Runner(`.
      return ['fields', words.find((at, nth) => nth > keyword && !isDeclaring(at)) ?? words[keyword - 1]];
    }
    // `runner = {`, `runner: {`, `Runner {`, `new Runner() {`.
    const built = before?.text === ')' ? this.closedBy(index - 1) : undefined;
    const isAssigned = /^(?::|=|:=|=>)$/.test(before?.text ?? '') && second?.kind !== 'mark';
    const builtName = built ? this.#groups.get(built.id, nameOf) : none;
    const name = isAssigned ? index - 2 : builtName === none ? index - 1 : builtName;
    const isBlock =
      bracket === '{' &&
      (before?.text !== ')' && this.#headBefore(index)
        ? true
        : before?.kind === 'word'
          ? !/^(?:[A-Z]|(?:new|return|const|let|var)$)/.test(before.text)
          : built
            ? this.#tokens.textAt(built.opener - 2) !== 'new'
            : !/^(?:[([,:=?@]|\?\?|&&|\|\||:=|\+=)$/.test(before?.text ?? ''));
    return [isBlock ? 'statements' : 'values', name];
  }
}

/** Whether a name is that of one of the resources. */
export function isNamedAfter(name: string | undefined, resources: readonly Resource[]): boolean {
  const resource = resourceNamed(name);
  return resource !== undefined && resources.includes(resource);
}
