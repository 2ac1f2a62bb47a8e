import { Yielder } from '../workspace/batches.ts';
import { ofRecord } from './calls.ts';
import {
  announcedChange,
  type AnnouncedChange,
  announcedChanges,
  type ChangeId,
  changesNamed,
  fieldsOf,
  normalizedName,
  type Resource,
  resourceNamed,
} from './catalogue.ts';
import { Code, inside, lastBefore, longestStatement, type Range, syntaxOf } from './code.ts';
import { codeBlocksOf, readCommands } from './shellCommands.ts';
import { unknown, type Value, Values } from './values.ts';

// The file that is loaded when there is something to read has the catalogue for what says what was found.
export { announcedChange, announcedChanges, announcement, entryOf, plainEntryOf } from './catalogue.ts';
export { syntaxOf } from './code.ts';

/** Sure: a call, or what the source ties to one or to a record of the API. Possible: what is only named like one. */
export type Tier = 'sure' | 'possible';

/** A replacement of a range of a source. */
export interface Edit extends Range {
  readonly text: string;
}

/** A replacement that means the same. */
export interface Fix {
  /** The name that takes the place. */
  readonly to: string;
  readonly edits: readonly Edit[];
}

/** A place of a source that relies on an announced change. Offsets count UTF-16 code units, as editors do. */
export interface Finding extends Range {
  readonly change: ChangeId;
  readonly tier: Tier;
  readonly fix?: Fix | undefined;
}

/** What to read. */
export interface Source {
  readonly text: string;
  /** The id that editors have for its language; what is not known is read by rules that most languages share. */
  readonly languageId: string;
  /** Its path in the workspace, which may say what it is about. */
  readonly path: string;
}
/** What most files have nothing of, so that they are not read further. */
const aboutPlatform = /gitlab|glab\b|api[/_]?v4|PRIVATE-TOKEN/i;
const names = announcedChanges
  .flatMap(({ subject }) => subject.names)
  .toSorted((one, other) => other.length - one.length)
  .join('|')
  .replaceAll('_', '_?');
const anyName = new RegExp(`(?<![A-Za-z0-9_])(?:(?:get|set|is|has|with)_?)?(?:${names})(?![A-Za-z0-9_])`, 'gi');
const anyAnnounced = new RegExp(
  `${names}|geo_?nodes|/changes|changes\\(|MergeRequestChanges|merge_request_changes|managed_?licenses|epic`,
  'i',
);
const otherPath = /webhook[^/]*$|(?:^|\/)(?:web)?hooks?\//i;
const otherMessage = /object_?(?:attributes|kind)|X-Gitlab-Event|\b(?:last_?edited_?by|head_?pipeline)_?id\b/i;
/** What gives a name and a value to what is sent, and what reads a name of a record. */
const adding =
  /(?:append|set\w*|add\w*|put|param(?:eter)?|with\w*|(?<!from)field|data|query\w*|insert|property|pair)$/i;
const reading = /^(?:get\w*|path|fetch|dig|opt\w*|has\w*|at|value|json\w*|read\w*|key\?|contains\w*|find)$/i;
/** Languages in which names are those of the API, so that they can be replaced. */
const dynamic =
  /^(?:javascript|typescript|javascriptreact|typescriptreact|vue|svelte|python|ruby|php|lua|shellscript|yaml|http|dockerfile|makefile|perl|elixir|powershell|plaintext)$/;
/** What a record type begins with: its name, or that of a variable with a schema or a structure of its own. */
const recordHead =
  /(?<![\w.])(?:(?:class|interface|struct|record|type)\s+([A-Za-z_]\w{0,60})(?:\s*<[^<>\n]{0,60}>)?|(?:const|val|var)\s+(\w+)(?:\s*=\s*(?:\w+\(\s*)?\w+\s*\.object(?=\()|(?=\s+struct\s*\{)))/g;
/** What programs call records that they make themselves. */
const ownRecord = /(?:Output|Row|View|Summary|Report)$/;
/** A field that shows that a record is the program's own: it holds a name where the API has a user. */
const ownPerson = /\bmerged_?by\b[:\s]{0,3}(?:Option(?:al)?[<[]|\*)?(?:str(?:ing)?|list)\b|\bstring\s+mergedBy\b/i;
/** A name as the API spells it, and what converts names to that: records without may be anybody's, such as those of tools for infrastructure. */
const apiSpelling = /[a-z]_[A-Za-z]/;
const converting = /snake_?case/i;
/** A literal boolean that a name is given. */
const booleanAt = /^\\?["']?\]?\s*(?:=>|==?|:|,)[\s\\]*["']?(true|false)(?=["']?(?:\s*[,})\];#\n]|\s*$))/i;
const argumentAt = /^\\?["']?\s*(?:==?|:)[\s\\]*["']?(true|false)(?=[,})\];&"'|#\s\\]|$)/i;
const commands = /^(?:shellscript|dockerfile|makefile|yaml|dockercompose|http)$/;
/** Changes of a name alone. */
const isSame = new Set<ChangeId>(['geoNodes', 'mergedBy', 'markedForDeletion']);
const maxLineLength = 20_000;
const [mostFindings, mostNames] = [5000, 20_000];
const resourceOfField = new Map(
  Object.entries(fieldsOf).flatMap(([resource, fields]) =>
    fields.split(/\s+/).map((field) => [normalizedName(field), resource as Resource] as const),
  ),
);

/** A field of a name; those that records of other forges have, too. */
const companion =
  /(?<!\w)([A-Za-z_]\w{0,60})(?:\(\)|[?!])?(?:\.|->)(?:\[["':]|(?:get|fetch|dig)\(["':])?([A-Za-z]\w{3,60})|([A-Za-z_]\w{0,60})\[["':](\w{4,60})/g;
const shared = /^(?:mergedat|mergedby|mergecommitsha|defaultbranch|visibility|topics|fullname|taglist|mergestatus)$/;

/** A source with more findings than anybody reads was generated. */
export class TooManyError extends Error {}

/** Whether a source was generated, by the length of its lines. */
export function isGenerated(text: string): boolean {
  return text.split('\n').some((line) => line.length > maxLineLength);
}

/** Whether a source is worth reading: it is about the platform, and has something to find. */
export function isRelevant({ text, path }: Source): boolean {
  return (aboutPlatform.test(text) || /gitlab/i.test(path)) && anyAnnounced.test(text);
}

/** Recognizes in slices of a few milliseconds, between which other tasks run; undefined if it was cancelled. */
export async function recognizeInSlices(
  source: Source,
  isCancelled: () => boolean,
): Promise<readonly Finding[] | undefined> {
  const yielder = new Yielder(1);
  const slices = recognizing(source);
  for (let slice = slices.next(); ; slice = slices.next()) {
    if (slice.done) {
      return slice.value;
    }
    await yielder.rest();
    if (isCancelled()) {
      return undefined;
    }
  }
}

/** The places of a source that rely on an announced change, in their order; in steps of a few milliseconds. */
export function* recognizing(source: Source): Generator<void, Finding[]> {
  if (isGenerated(source.text) || !isRelevant(source)) {
    return [];
  }
  yield;
  if (source.languageId === 'markdown') {
    const findings: Finding[] = [];
    for (const block of codeBlocksOf(source.text)) {
      yield;
      if (block) {
        const inner = yield* recognizing({ ...source, ...block });
        findings.push(...inner.map((finding) => moved(finding, block.start)));
      }
    }
    return findings;
  }
  const syntax = syntaxOf(source.languageId);
  if (!syntax) {
    return [];
  }
  const recognizer = new Recognizer(source, yield* Code.read<Value>(source.text, syntax));
  yield* recognizer.read();
  return recognizer.findings();
}

/** How a name is used: of what ends at `receiver`, or as a key of what is sent, in a record type, or by itself. */
interface Use {
  readonly kind: 'read' | 'written' | 'key' | 'declared' | 'named';
  readonly receiver?: number;
  /** Whether a pattern takes it out of a record. */
  readonly isTaken?: boolean;
  /** Whether it is part of a text, such as a form or JSON. */
  readonly isInText?: boolean;
}

class Recognizer {
  readonly #source: Source;
  readonly #code: Code<Value>;
  readonly #values: Values;
  readonly #found: (Omit<Finding, 'fix'> & { fix: Fix | undefined; readonly value: unknown })[] = [];
  readonly #records: (Range & { readonly value: Value; readonly tier: Tier })[] = [];
  /** Names in what variables hold, until that is sent. */
  readonly #unsent = new Map<string, { readonly add: () => void; readonly of: readonly Resource[] }[]>();
  readonly #companions = new Map<string, Set<string>>();
  readonly #typed = new Map<string, boolean>();
  /** Whether the file also has messages of webhooks, which have the same names. */
  readonly #hasMessages: boolean;
  /** Whether names are converted to those of the API. */
  readonly #isConverting: boolean;
  #statement: Range = { start: 0, end: 0 };
  #names = 0;

  constructor(source: Source, code: Code<Value>) {
    const { path, text } = source;
    this.#source = source;
    this.#code = code;
    this.#values = new Values(code, text, path);
    this.#hasMessages = otherPath.test(path) || otherMessage.test(code.text);
    this.#isConverting = converting.test(code.text);
  }

  findings(): Finding[] {
    const found = this.#found.toSorted((one, other) => one.start - other.start || one.tier.length - other.tier.length);
    const nameOf = ({ start, end }: Range): string => this.#code.text.slice(start, end);
    // A field and the name that its annotation gives it are one place.
    const isTwin = (one: Finding, other: Finding | undefined): boolean =>
      other !== undefined &&
      nameOf(other) === nameOf(other).toLowerCase() &&
      nameOf(one) !== nameOf(one).toLowerCase() &&
      normalizedName(nameOf(other)) === normalizedName(nameOf(one)) &&
      this.#code.text.slice(Math.min(one.start, other.start), Math.max(one.start, other.start)).split('\n').length < 3;
    const kept = found.filter(
      (one, at) => one.start !== found[at - 1]?.start && !isTwin(one, found[at - 1]) && !isTwin(one, found[at + 1]),
    );
    // A fix changes all places of a value or none.
    for (const ofValue of Map.groupBy(kept, ({ value }) => value).values()) {
      for (const group of Map.groupBy(ofValue, ({ change }) => change).values()) {
        const edits = group.flatMap(({ fix }) => fix?.edits ?? []);
        const isWhole = group.every(({ fix }) => fix) && !this.#isTyped(nameOf(group[0] as Range));
        group.forEach((one) => {
          one.fix = isWhole && one.fix ? { to: one.fix.to, edits } : undefined;
        });
      }
    }
    return kept.map(({ change, start, end, tier, fix }) => ({ change, start, end, tier, fix }));
  }

  /** Whether a type has a field of a name: to read the new one of it, that is to change, too. */
  #isTyped(name: string): boolean {
    const type = `[A-Z{]|(?:string|number|boolean|any|unknown|null|str|int|bool|dict|list)\\b`;
    const isField = new RegExp(`(?<![\\w.])${name}\\??\\s*:\\s*(?:${type})(?!alse\\b|rue\\b)`);
    const isTyped = this.#typed.get(name) ?? isField.test(this.#code.bare);
    this.#typed.set(name, isTyped);
    return isTyped;
  }

  *read(): Generator<void> {
    const { languageId } = this.#source;
    if (commands.test(languageId)) {
      const { text } = this.#code;
      yield* readCommands(this.#code, languageId, this.#values.isAbout, anyName, (change, range, how) => {
        const isSpelled = announcedChange(change).subject.names.includes(text.slice(range.start, range.end));
        const fix = how === 'sent' ? fixOfSent(text, change, range, true) : renamed(change, range);
        this.#add(change, range, 'sure', how === 'called' || isSpelled ? fix : undefined);
      });
      return;
    }
    yield* this.#values.findAddresses();
    yield* this.#values.findClientCalls();
    for (const { change, start, end } of this.#values.changes) {
      this.#add(change, { start, end }, 'sure', renamed(change, { start, end }));
    }
    yield* this.#findRecords();
    yield* this.#findCompanions();
    for (const statement of this.#code.statements()) {
      yield;
      // Files that nobody writes have many lines of a mark or two.
      if (statement.end - statement.start < 3) {
        continue;
      }
      this.#statement = { ...statement, end: Math.min(statement.end, statement.start + longestStatement) };
      this.#values.bindTyped(this.#statement);
      yield;
      this.#values.bindAll(this.#statement);
      yield;
      this.#send();
      yield* this.#readNames();
    }
  }

  /** Names in what variables hold are sent when those are. */
  #send(): void {
    if (this.#unsent.size > 0) {
      const { start, end } = this.#statement;
      for (const { 0: word, index } of this.#code.bare.slice(start, end).matchAll(/[A-Za-z_]\w*/g)) {
        const own = this.#unsent.get(word);
        const call = own && this.#values.callAround(start + index, this.#statement);
        for (const { add, of } of call ? own : []) {
          if (of.some((one) => call?.of.includes(one))) {
            add();
          }
        }
      }
    }
  }

  *#readNames(): Generator<void> {
    const { start, end } = this.#statement;
    for (const { 0: word, index } of this.#code.text.slice(start, end).matchAll(anyName)) {
      const range = { start: start + index, end: start + index + word.length };
      if (this.#names % 20 === 19) {
        yield;
      }
      this.#names += 1;
      if (this.#names > mostNames) {
        throw new TooManyError();
      }
      const use = word === word.toUpperCase() ? undefined : this.#useOf(range);
      for (const { change, name } of use ? changesNamed(word) : []) {
        this.#readName(change, name, range, use as Use);
      }
    }
  }

  #useOf({ start, end }: Range): Use | undefined {
    const { bare, text, around } = this.#code;
    const literal = bare[start] === inside ? this.#code.literalAt(start) : undefined;
    const opener = around[start] as number;
    if (literal && (literal.start !== start || literal.end !== end)) {
      const left = text.slice(Math.max(literal.start, start - 12), start);
      const right = text.slice(end, Math.min(literal.end, end + 12));
      return /\w+:\\?"$/.test(left)
        ? { kind: 'declared' }
        : /(?:^|[?&{,\s"'(\\;])$/.test(left) && /^\\?["']?\s*(?:=|:(?!:))/.test(right)
          ? { kind: 'key', isInText: true }
          : left === '' && right.startsWith('.')
            ? { kind: 'named' }
            : undefined;
    }
    // Within code in a literal, quotes stand for themselves.
    const isQuoted = literal !== undefined || (/["']/.test(bare[start - 1] ?? '') && /["']/.test(bare[end] ?? ''));
    const [from, to] = isQuoted ? [start - 1, end + 1] : [start, end];
    const [left, right] = [this.#code.before(from, 60), bare.slice(to, to + 40)];
    const dot = isQuoted ? /(?:\[|->\{)\s*$/.exec(left) : /(?:\?\.|&\.|\.|->\{?|\[:|::)\s*$/.exec(left);
    const receiver = from - (dot?.[0].length ?? 0);
    if (dot && /[\w$)\]"'!?}]\s*$/.test(this.#code.before(receiver, 4))) {
      return { kind: /^\]?\s*[+]?=(?![=>~])/.test(right) ? 'written' : 'read', receiver };
    }
    if (this.#isField(start, opener) && !/^\s*\(/.test(right)) {
      return { kind: 'declared' };
    }
    const call = /([\w$]+)[?!]?\s*\(\s*$/.exec(left);
    if (call && isQuoted && /^\s*[,)]/.test(right)) {
      const head = from - call[0].length;
      const access = /(?:\?\.|&\.|\.|->)$/.exec(this.#code.before(head, 3))?.[0].length ?? 0;
      if (access > 0 && reading.test(call[1] ?? '')) {
        // What a class asks itself for is no field of a record.
        const isOwn = /\b(?:this|self)$/.test(this.#code.before(head - access, 5));
        return isOwn ? undefined : { kind: 'read', receiver: head - access };
      }
      if (adding.test(call[1] ?? '')) {
        return access > 0 ? { kind: 'written', receiver: head - access } : { kind: 'key' };
      }
    }
    const source = !isQuoted && bare[opener] === '{' ? this.#takenFrom(opener) : undefined;
    if (source !== undefined) {
      return { kind: 'read', receiver: source, isTaken: true };
    }
    const isKey = isQuoted
      ? /^\s*(?:=>|:(?!:)|=(?!=))/.test(right) || (/^\s*,/.test(right) && /\(\s*$/.test(left))
      : /^\??\s*(?:=>|:(?!:))/.test(right) || (/^\s*=(?![=>~])/.test(right) && opener >= this.#statement.start);
    return isKey ? { kind: 'key' } : isQuoted ? { kind: 'named' } : undefined;
  }

  /** Where what a pattern takes apart ends: `{ active } = runner`, `({ active }) => …`, `for (const { active } of runners)`, `get<{ active: boolean }>(url)`. */
  #takenFrom(opener: number): number | undefined {
    const { bare, match, around } = this.#code;
    const closer = match[opener] as number;
    const after = closer === -1 ? '' : bare.slice(closer + 1, closer + 40);
    const given = /^\s*(?:=(?![=>])|of\s|in\s)/.exec(after);
    if (given) {
      const outer = match[around[opener] as number] ?? -1;
      return given[0].trim() === '=' || outer === -1
        ? this.#values.endOf(closer + 1 + given[0].length, this.#statement.end)
        : outer;
    }
    const typed = /^(?:\[\])?>\(/.exec(after)?.[0].length;
    if (typed !== undefined) {
      return (match[closer + typed] as number) + 1;
    }
    const callback =
      /^[^=(){}]{0,30}\)?\s*=>/.test(after) &&
      /\.\s*\w+\s*\(\s*(?:async\s*)?\(?\s*$/.exec(this.#code.before(opener, 60));
    return callback ? opener - callback[0].length : undefined;
  }

  /** Whether a name stands among the fields of a record type. */
  #isField(start: number, opener: number): boolean {
    const record = this.#recordAt(start);
    const { bare, around } = this.#code;
    if (!record) {
      return false;
    }
    if (bare[record.start] === '\n') {
      return this.#code.scopeAt(start) === this.#code.scopeAt(record.start);
    }
    const isAnnotation = bare[opener] === '(' && /[@[(][\w.]{1,60}$/.test(this.#code.before(opener, 64));
    const outer = isAnnotation ? (around[opener] as number) : opener;
    return (
      [opener, outer, around[outer]].includes(record.start) && (outer === record.start || !this.#code.isBlock(outer))
    );
  }

  #readName(change: AnnouncedChange, name: string, range: Range, use: Use): void {
    const { subject, id } = change;
    const { bare, text } = this.#code;
    const isOf = (value: Value | undefined): boolean => value?.of.some((one) => subject.of.includes(one)) === true;
    const canFix =
      text.slice(range.start, range.end) === name && (use.isInText || dynamic.test(this.#source.languageId));
    const add = (tier: Tier, fix?: Fix, value?: unknown): void =>
      this.#add(id, range, tier, canFix ? fix : undefined, value);
    const hasValue = this.#hasValue(range.end, subject.values);
    const holder = use.receiver === undefined ? '' : this.#holderOf(use.receiver);
    const scope = this.#code.scopeAt(range.start).start;
    if (use.kind === 'declared') {
      const record = this.#recordAt(range.start);
      if (record && subject.isRead && isOf(record.value)) {
        add(record.tier);
      }
    } else if (use.kind === 'read' && subject.isRead) {
      const value = this.#values.at(use.receiver as number);
      // A member of a language with declared fields has the name that the program gives it.
      const isWire =
        text.slice(range.start, range.end) === name &&
        (bare[range.start] === inside || dynamic.test(this.#source.languageId));
      // `group.projects.list()` is a call of a client, `mr.merged_by.get('name')` reads a field.
      if (/^\.(?:list|create|get|all)\((?!["'])/.test(bare.slice(range.end, range.end + 10))) {
        return;
      }
      // The name that a pattern takes is that of a variable, too, unless it gives another.
      const isOnlyField = !use.isTaken || bare[range.end] === ':';
      const addRead = (tier: Tier): void =>
        add(tier, isOnlyField ? this.#fixOfRead(id, range, value) : undefined, value);
      if (value && value !== unknown) {
        if (isOf(value) && !value.isAddress) {
          addRead('sure');
        }
      } else {
        this.#propose(change, name, { holder, scope, isWire, isAssigned: value !== undefined }, addRead);
      }
    } else if (use.kind === 'named') {
      if (subject.isRead) {
        this.#propose(change, name, { holder: '', scope, isWire: true, isAssigned: false }, () => add('possible'));
      }
    } else if (subject.isSent && hasValue) {
      const value = use.receiver === undefined ? undefined : this.#values.at(use.receiver);
      const call = this.#values.callAround(range.start, this.#statement) ?? value;
      const isChain = use.receiver === undefined || /\)\s*$/.test(this.#code.before(use.receiver, 80));
      const target = isChain ? this.#target(range.start) : holder;
      const addSent = (): void =>
        add('sure', fixOfSent(text, id, range, use.isInText === true), `${target ?? range.start} ${scope}`);
      if (call && call.of.length > 0) {
        if (isOf(call)) {
          addSent();
        }
      } else if (target !== undefined && target !== '') {
        const own = this.#unsent.get(target) ?? [];
        own.push({ add: addSent, of: subject.of });
        this.#unsent.set(target, own);
      }
    }
  }

  /** The name of the variable or member that ends at a place. */
  #holderOf(receiver: number): string {
    return /([\w$]+)(?:\(\)|\[\w*\]|[?!])*$/.exec(this.#code.before(receiver, 80))?.[1]?.replace('$', '') ?? '';
  }

  /** Adds a name that is possibly one of the API: by the name of what holds it, and by what else the file does. */
  #propose(
    change: AnnouncedChange,
    name: string,
    { holder, scope, isWire, isAssigned }: { holder: string; scope: number; isWire: boolean; isAssigned: boolean },
    add: (tier: Tier) => void,
  ): void {
    const { of } = change.subject;
    const named = resourceNamed(holder);
    const isNamed = named !== undefined && of.includes(named);
    const isKnown = of.some((one) => this.#values.known.has(one));
    const company = of.map((one) => this.#companions.get(`${scope} ${holder} ${one}`) ?? new Set<string>());
    const most = Math.max(0, ...company.map((all) => all.size - (all.has(normalizedName(name)) ? 1 : 0)));
    const isDistinct = name.includes('_');
    const isTied = isDistinct && isNamed ? isKnown || most > 0 : (isNamed || (isDistinct && isWire)) && most > 1;
    const isLike = isDistinct && (isNamed || (isWire && most > 0) || (isKnown && !isAssigned));
    if ((isTied || isLike) && !this.#hasMessages && !this.#values.isForeign(this.#statement.start)) {
      // A program may have made the record itself: its own spelling needs a client, that of the API a file about the API.
      add(isTied && (isWire ? this.#values.isAbout : this.#values.usesClient) ? 'sure' : 'possible');
    }
  }

  /** Which fields that only one resource has are read of a name in a function. */
  *#findCompanions(): Generator<void> {
    let count = 0;
    for (const { 1: member, 2: ofMember, 3: indexed = '', 4: ofIndexed = '', index } of this.#code.text.matchAll(
      companion,
    )) {
      const [name, word] = [member ?? indexed, ofMember ?? ofIndexed];
      count += 1;
      if (count % 500 === 0) {
        yield;
      }
      const field = normalizedName(word.replace(/^(?:get|is)(?=[A-Z_])_?/i, ''));
      const resource = shared.test(field) ? undefined : resourceOfField.get(field);
      if (resource) {
        const key = `${this.#code.scopeAt(index).start} ${name} ${resource}`;
        this.#companions.set(key, (this.#companions.get(key) ?? new Set()).add(field));
      }
    }
  }

  /** The variable that the expression around a place is assigned to, or added to. */
  #target(at: number): string | undefined {
    const { start } = this.#statement;
    const left = this.#code.bare.slice(start, Math.min(at, start + 160));
    const assigned =
      /^\s*(?:[\w$.<>[\],?*&:]+\s+){0,4}?[$@]?(\w{1,60})(?:\s*:\s*[\w.<>[\], |]{1,80}?)?\s*:?=(?![=>~])/.exec(left);
    return assigned?.[1];
  }

  #hasValue(end: number, values: readonly (string | null)[] | undefined): boolean {
    const after = this.#code.text.slice(end, end + 40);
    const value = /^\\?["']?\]?\s*(?:=>|:|==?|,)?[\s\\]*(?:[\w.]+\()?["':]?([\w-]+)/.exec(after)?.[1] ?? '';
    return (
      values?.some((wanted) =>
        wanted === null ? /^(?:null|None|nil|NULL|undefined)$/.test(value) : wanted === value,
      ) ?? true
    );
  }

  #fixOfRead(id: ChangeId, range: Range, value: Value | undefined): Fix | undefined {
    const { text } = this.#code;
    const end = range.end + (/^["']\s*[\])]|^\]/.exec(text.slice(range.end, range.end + 4))?.[0].length ?? 0);
    const chain = /[\w$@]+(?:(?:\?\.|\.|->)\w+|\[\w{1,20}\]|\(\))*(?:\?\.|\.|->|\[["']?|\.get\(["'])$/.exec(
      text.slice(Math.max(0, range.start - 80), range.start),
    );
    if (!value || value === unknown || (id === 'runnerActive' && !chain)) {
      return undefined;
    }
    const whole = { start: range.start - (chain?.[0].length ?? 0), end };
    return id === 'runnerActive'
      ? fixOfActive(text, range, whole, this.#source.languageId === 'python')
      : renamed(id, range);
  }

  #add(change: ChangeId, { start, end }: Range, tier: Tier, fix: Fix | undefined, value: unknown = start): void {
    if (this.#found.length > mostFindings) {
      throw new TooManyError();
    }
    this.#found.push({ change, start, end, tier, fix: tier === 'sure' ? fix : undefined, value });
  }

  #recordAt(at: number): (Range & { readonly value: Value; readonly tier: Tier }) | undefined {
    const record = lastBefore(this.#records, at);
    return record && at < record.end ? record : undefined;
  }

  /** Finds record types: by their names and fields. Others with the same fields hold something else. */
  *#findRecords(): Generator<void> {
    const { bare, match } = this.#code;
    if (this.#hasMessages) {
      return;
    }
    for (const { 0: all, 1: type, 2: variable, index } of bare.matchAll(recordHead)) {
      yield;
      const isVariable = variable !== undefined;
      const name = variable ?? type ?? '';
      const from = index + all.length;
      const [head = ''] = /^[^{};]{0,200}?(?:[{(](?![\w.]+\)\s*:)|:\s*\n)/.exec(bare.slice(from, from + 240)) ?? [];
      const start = from + head.length - 1;
      const end = head.endsWith('\n') ? this.#code.scopeAt(index).end : (match[start] as number);
      if (head === '' || end <= start) {
        continue;
      }
      const last = Math.min(end, start + 6000);
      const record = this.#resourceOfRecord(name, index, isVariable, start, last);
      if (!record) {
        continue;
      }
      const value: Value = { of: ofRecord(record.resource) };
      this.#records.push({ start, end, value, tier: record.tier });
      if (record.tier === 'sure') {
        this.#values.known.add(record.resource);
        this.#values.types.set(name, value);
        if (isVariable) {
          this.#code.scopeAt(bare.lastIndexOf('\n', index)).variables.set(name, value);
        }
      }
    }
  }

  /** The resource that a record type is of, and whether that is sure: by what is decoded into it, or by its name and fields. */
  #resourceOfRecord(
    name: string,
    index: number,
    isVariable: boolean,
    start: number,
    end: number,
  ): { readonly resource: Resource; readonly tier: Tier } | undefined {
    const { bare, text } = this.#code;
    if (ownRecord.test(name) || ownPerson.test(text.slice(start, end))) {
      return undefined;
    }
    const embedded = /^\s*\*?\w+\.(MergeRequest|Project|Group|Runner)\s*$/m.exec(bare.slice(start, end))?.[1];
    // What a method of a record reads into a structure of its own.
    const around = this.#code.scopeAt(bare.lastIndexOf('\n', index));
    const words = isVariable && around.parent ? (bare.slice(around.start, around.start + 120).match(/\w+/g) ?? []) : [];
    const typed = words.map((word) => this.#values.types.get(word)?.of[0]).find((one) => one);
    // What a function decodes an answer into.
    const called = isVariable ? this.#values.requestedIn(around) : undefined;
    const tied = (embedded && resourceNamed(embedded)) ?? typed ?? called;
    if (tied) {
      return { resource: tied, tier: 'sure' };
    }
    const isSpelled = apiSpelling.test(text.slice(start, end)) || this.#isConverting;
    const fields = new Set(
      text
        .slice(start, end)
        .match(/[A-Za-z_]\w{4,60}/g)
        ?.map(normalizedName),
    );
    const counts = Map.groupBy(
      [...fields].flatMap((field) => resourceOfField.get(field) ?? []),
      (resource) => resource,
    );
    const named = resourceNamed(name);
    const [most] = [...counts].toSorted(([, one], [, other]) => other.length - one.length);
    const byName = named && this.#values.isAbout;
    const resource = byName ? named : most?.[0];
    const isEnough = resource && (counts.get(resource)?.length ?? 0) >= (byName ? 1 : 3);
    return isEnough ? { resource, tier: isSpelled ? 'sure' : 'possible' } : undefined;
  }
}

function moved(finding: Finding, by: number): Finding {
  const shifted = <T extends Range>(range: T): T => ({ ...range, start: range.start + by, end: range.end + by });
  return { ...shifted(finding), fix: finding.fix && { ...finding.fix, edits: finding.fix.edits.map(shifted) } };
}

/* Replacements that are mechanical and safe: they work in v4 today and mean the same. */

/** The fix for a name that is sent, by the literal after it; undefined if a user has to decide. */
function fixOfSent(source: string, change: ChangeId, name: Range, isInText: boolean): Fix | undefined {
  const after = source.slice(name.end, name.end + 40);
  const [all = '', value = ''] = (isInText ? argumentAt : booleanAt).exec(after) ?? [];
  const end = name.end + all.length;
  return change === 'runnerActive' && value !== ''
    ? {
        to: 'paused',
        edits: [
          { ...name, text: 'paused' },
          { start: end - value.length, end, text: negated(value) },
        ],
      }
    : undefined;
}

/** The other boolean, in the spelling of the first: `False` for `True`. */
function negated(boolean: string): string {
  const other = boolean.toLowerCase() === 'true' ? 'false' : 'true';
  return /^[A-Z]/.test(boolean) ? `${other[0]?.toUpperCase() ?? ''}${other.slice(1)}` : other;
}

/** The fix for a path or a field that is received; undefined if what takes its place answers otherwise or has other values. */
function renamed(change: ChangeId, name: Range): Fix | undefined {
  const to = isSame.has(change) ? announcedChange(change).replacement : undefined;
  return to === undefined ? undefined : { to, edits: [{ ...name, text: to }] };
}

/** `runner.active` is `!runner.paused`; `whole` is the expression with its receiver. */
function fixOfActive(source: string, name: Range, whole: Range, isPython: boolean): Fix | undefined {
  if (/^\s*(?:[=!]==?|is\b|[+*/-]?=|[([]|\??\.)/.test(source.slice(whole.end, whole.end + 20))) {
    return undefined;
  }
  const edit = { ...name, text: 'paused' };
  const negation = /(?:!|\bnot\s+)$/.exec(source.slice(Math.max(0, whole.start - 8), whole.start))?.[0];
  if (negation !== undefined) {
    return { to: 'paused', edits: [{ start: whole.start - negation.length, end: whole.start, text: '' }, edit] };
  }
  const [opening, closing] = isPython ? ['(not ', ')'] : ['!', ''];
  return {
    to: 'paused',
    edits: [
      { start: whole.start, end: whole.start, text: opening },
      edit,
      { start: whole.end, end: whole.end, text: closing },
    ],
  };
}
