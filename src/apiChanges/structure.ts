import { type Resource, resourceNamed, resourceOfField, normalizedName, type Confidence } from './catalogue.ts';
import type { Token, Tokens, Work } from './tokenizer.ts';

/** The resources that code is about, and how sure that is. */
export type Context = ReadonlyMap<Resource, Confidence>;

/** How sure it is that code is about one of the resources; undefined if nothing says so. */
export function tierIn(context: Context | undefined, resources: readonly Resource[]): Confidence | undefined {
  const tiers = resources.flatMap((resource) => context?.get(resource) ?? []);
  return tiers.includes('certain') ? 'certain' : tiers[0];
}

/** What stands between a pair of brackets, a command of a shell, or all of a source. */
export interface BracketGroup {
  readonly parent: BracketGroup | undefined;
  /** The token that opens it, or the one before its first. */
  readonly opener: number;
  readonly bracket: '(' | '[' | '{' | 'command' | '';
  /** What is declared or called, or the variable or key that a value is given to. */
  readonly name: string | undefined;
  readonly kind: 'values' | 'fields' | 'statements';
  /** What the calls in it are about. */
  context: Map<Resource, Confidence> | undefined;
  /** Fields in it, squashed, that only the record of one resource has. */
  fields: Map<string, Resource> | undefined;
}

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
/** Brackets that are looked at around a place. */
const levels = 6;

/** The brackets of a source, and which of them each token stands in. */
export class Structure {
  readonly groupOf: BracketGroup[] = [];
  readonly #tokens: Tokens;
  readonly #byClose = new Map<number, BracketGroup>();

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  /** Finds the brackets, in slices. */
  *build(hasCommands: boolean, work: Work): Generator<void> {
    const root = group(undefined, -1, '', 'statements');
    let open = hasCommands ? group(root, -1, 'command') : root;
    for (let index = 0; index < this.#tokens.length; index += 1) {
      if (work.isDue()) {
        yield;
      }
      this.groupOf.push(open);
      if (this.#tokens.kindAt(index) !== 'mark') {
        continue;
      }
      const text = this.#tokens.textAt(index);
      if (text === '(' || text === '[' || text === '{') {
        open = hasCommands
          ? group(group(open, index, text), index, 'command')
          : group(open, index, text, ...this.#kindOf(index, text));
      } else if (pairs[text] !== undefined) {
        const closed = enclosing(open, ({ bracket }) => bracket === pairs[text]);
        if (closed) {
          this.#byClose.set(index, closed);
          open = closed.parent ?? root;
          this.groupOf[index] = open;
        }
      } else if (hasCommands && /^(?:\n|;|&&|\|\||&)$/.test(text)) {
        open = group(open.parent, index, 'command');
      }
    }
  }

  /** The brackets that a mark closes. */
  closedBy(index: number): BracketGroup | undefined {
    return this.#byClose.get(index);
  }

  /** The nearest brackets that a name is a field of, beyond those of annotations and lists. */
  recordOf(index: number): BracketGroup {
    const own = this.groupOf[index] as BracketGroup;
    const isRecord = ({ bracket, opener }: BracketGroup): boolean =>
      bracket !== '[' && !(bracket === '(' && /^(?:@|\[|#|,|:)$/.test(this.#tokens.textAt(opener - 2)));
    return enclosing(own, isRecord) ?? own;
  }

  /** Notes that a record has a field. */
  addField(index: number, name: string): void {
    const resource = resourceOfField(name);
    if (resource !== undefined) {
      const record = this.recordOf(index);
      (record.fields ??= new Map()).set(normalizedName(name), resource);
    }
  }

  /** Marks what a call is about in the brackets around it, up to the body of the function or the command. */
  mark(index: number, context: Context): void {
    let around = this.groupOf[index];
    for (let level = 0; level < levels && around && around.kind !== 'statements'; level += 1) {
      include(around, context);
      around = around.bracket === 'command' ? undefined : around.parent;
    }
  }

  /** What the calls around a place are about, with the calls before it in a chain: `client.put(url).json(…)`. */
  contextOf(index: number): Context {
    const context = new Map<Resource, Confidence>();
    let around = this.groupOf[index];
    for (let level = 0; level < levels && around; level += 1) {
      let call: BracketGroup | undefined = around;
      for (let calls = 0; calls < levels && call; calls += 1) {
        merge(context, call.context);
        const { opener, bracket }: BracketGroup = call;
        const isChained = bracket === '(' && member.test(this.#tokens.textAt(opener - 2));
        // `put(url) {` as well: a call with a block.
        call = this.#byClose.get(isChained ? opener - 3 : bracket === '{' ? opener - 1 : -1);
      }
      around = around.kind === 'values' ? around.parent : undefined;
    }
    return context;
  }

  /** What brackets hold, and under which name. */
  #kindOf(index: number, bracket: '(' | '[' | '{'): [kind: BracketGroup['kind'], name: string | undefined] {
    const [before, second] = [this.#tokens.at(index - 1), this.#tokens.at(index - 2)];
    const words: string[] = [];
    for (let at = index - 1; at >= 0 && index - at < (bracket === '[' ? 0 : 14); at -= 1) {
      const { kind, text } = this.#tokens.at(at) as Token;
      if (kind === 'mark' && ';{}()='.includes(text)) {
        break;
      }
      if (kind === 'word') {
        words.unshift(text);
      }
    }
    const keyword = words.findIndex((word) => declaring.has(word));
    if (keyword !== -1) {
      // `class Runner {`, `type Runner struct {`, `data class Runner(`.
      return ['fields', words.find((word, at) => at > keyword && !declaring.has(word)) ?? words[keyword - 1]];
    }
    // `runner = {`, `runner: {`, `Runner {`, `new Runner() {`.
    const built = before?.text === ')' ? this.#byClose.get(index - 1) : undefined;
    const isAssigned = /^(?::|=|:=|=>)$/.test(before?.text ?? '') && second?.kind !== 'mark';
    const name = isAssigned ? second?.text : (built?.name ?? before?.text);
    const isBlock =
      bracket === '{' &&
      (before?.kind === 'word'
        ? !/^(?:[A-Z]|(?:new|return|const|let|var)$)/.test(before.text)
        : built
          ? this.#tokens.textAt(built.opener - 2) !== 'new'
          : !/^(?:[([,:=?@]|\?\?|&&|\|\||:=|\+=)$/.test(before?.text ?? ''));
    return [isBlock ? 'statements' : 'values', name];
  }
}

/** How many fields of a resource a record has. */
export function fieldsOf({ fields }: BracketGroup, resources: readonly Resource[]): number {
  return [...(fields?.values() ?? [])].filter((resource) => resources.includes(resource)).length;
}

/** Whether a name is that of one of the resources. */
export function isNamedAfter(name: string | undefined, resources: readonly Resource[]): boolean {
  const resource = resourceNamed(name);
  return resource !== undefined && resources.includes(resource);
}

/** Adds to what the calls in brackets are about. */
export function include(around: BracketGroup, context: Context): void {
  merge((around.context ??= new Map<Resource, Confidence>()), context);
}

function merge(context: Map<Resource, Confidence>, other: Context | undefined): void {
  for (const [resource, tier] of other ?? []) {
    if (context.get(resource) !== 'certain') {
      context.set(resource, tier);
    }
  }
}

function group(
  parent: BracketGroup | undefined,
  opener: number,
  bracket: BracketGroup['bracket'],
  kind: BracketGroup['kind'] = 'values',
  name?: string,
): BracketGroup {
  return { parent, opener, bracket, kind, name, context: undefined, fields: undefined };
}

/** The nearest of the brackets around a place, within a few levels, that are as wanted. */
function enclosing(open: BracketGroup, isWanted: (candidate: BracketGroup) => boolean): BracketGroup | undefined {
  let candidate: BracketGroup | undefined = open;
  for (let level = 0; level < levels && candidate; level += 1) {
    if (isWanted(candidate)) {
      return candidate;
    }
    candidate = candidate.parent;
  }
  return undefined;
}
