import { Yielder } from '../workspace/batches.ts';
import { clientCallsOf, endpointOf } from './calls.ts';
import {
  type AnnouncedChange,
  announcedChanges,
  type ChangeId,
  changesNamed,
  fieldsOf,
  normalizedName,
  type Resource,
  resourceNamed,
} from './catalogue.ts';
import { Code, hole, inside, lastBefore, longestStatement, type Range, type Scope, syntaxOf } from './code.ts';
import { codeBlocksOf, commandsOf } from './commands.ts';
import { type Fix, fixOfActive, fixOfEndpoint, fixOfFilter, fixOfRead, fixOfSent } from './fixes.ts';

/** Sure: a call, or what the function itself ties to one or to a record of the API. Possible: what is named like one. */
export type Tier = 'sure' | 'possible';

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

/** What a variable holds; of no resource: something else than a record of the API. */
interface Value {
  readonly of: readonly Resource[];
  /** Whether it is the address or the body of a call, rather than what that answers. */
  readonly isAddress?: boolean;
  /** Whether a record type of the source says so, rather than a call. */
  readonly isDeclared?: boolean | undefined;
}

/** A place in a statement that names a call, or a variable that holds something of one. */
interface Tie extends Range, Value {
  readonly variable?: Value;
}

/** What most files have nothing of, so that they are not read further. */
const aboutPlatform = /gitlab|glab\b|api[/_]?v4|PRIVATE-TOKEN/i;
const aboutApi =
  /api[/_]?v4|gitlab_?(?:url|token|api|client)|PRIVATE-TOKEN|\b(?:package|namespace|module|import|class|mod|use)\s[^\n;]{0,80}gitlab/i;
const names = announcedChanges
  .flatMap(({ subject }) => (subject.kind === 'endpoint' ? [] : subject.names))
  .toSorted((one, other) => other.length - one.length)
  .join('|')
  .replaceAll('_', '_?');
const anyName = new RegExp(`(?<![A-Za-z0-9_])(?:(?:get|set|is|has|with)_?)?(?:${names})(?![A-Za-z0-9_])`, 'gi');
const anyAnnounced = new RegExp(
  `${names}|geo_?nodes|/changes|changes\\(|MergeRequestChanges|merge_request_changes|managed_?licenses|epic`,
  'i',
);
const otherForge =
  /\bgithub(?!\.com\/|\.io\b|usercontent)|api\.github\.com|octokit|gitea|forgejo|bitbucket|gerrit|azure|codeberg|pull_?request/i;
const otherPath = /webhook[^/]*$|(?:^|\/)(?:web)?hooks?\/|graphql/i;
const otherMessage = /object_?(?:attributes|kind)|X-Gitlab-Event|graphql|\bgql`/i;
/** Paths that no other forge has, and where paths begin. */
const ownPath = /\b(?:merge_requests|epics|geo_nodes|managed_licenses)\b/;
const pathWord =
  /(?:projects|groups|runners|users?|merge_requests|geo_nodes|settings|epics|managed_licenses)(?:["']|[/?\uE000\s]|$)/;
/** Functions that a value is passed through without becoming another. */
const carrying =
  /^(?:\w*(?:json|parse|load|read|decode|deserialize|unmarshal|send|execute|request|fetch|open|call|do|ur[il]|http)\w*|await|return|yield|if|in|of|while|and|or|not|list|sorted|reversed|enumerate|get|put|post|patch|range|from|Ok|Some|array)$/i;
/** Members that are what a value is, or one of its records. */
const unwrapping =
  /^(?:data|body|json\w*|contents?|text|values?|results?|items|response|parsed_response|read\w*|to_[ah]|first\w*|last|next|single\w*|find|filter|select|reject|where|sort\w*|reversed?|slice|take|skip|to(?:List|Array)|stream|iter|unwrap|expect|auto_paginate|lazy_paginate|compact|flat|concat|get(?:Body|Contents)?|RootElement|EnumerateArray|then|catch|send|error_for_status|decode\w*|parse\w*|await|clone|as_\w+)$/i;
/** Functions that call another one with what a value holds. */
const iterating =
  /^(?:then|map|flatMap|for_?each\w*|each\w*|auto_paginate|find\w*|filter|some|every|select|reject|detect|any|all|(?:any|all|none)Match|sort\w*|group_?by|partition|where|first\w*|single\w*|orderby\w*|collect|tap|let|also|subscribe|reduce)$/i;
/** Functions that make an address, which another one requests. */
const addressing = /^(?:new|\w*(?:ur[il]|format|printf|path|newrequest|builder|encode)\w*|create|join|concat)$/i;
/** What gives a name and a value to what is sent, and what reads a name of a record. */
const adding = /(?:append|set\w*|add\w*|put|param(?:eter)?|with\w*|field|data|query\w*|insert|property)$/i;
const reading = /^(?:get\w*|path|fetch|dig|opt\w*|has\w*|at|value|json\w*|read\w*|key\?|contains\w*|find)$/i;
/** Languages in which names are those of the API, so that they can be replaced. */
const dynamic =
  /^(?:javascript|typescript|javascriptreact|typescriptreact|vue|svelte|python|ruby|php|shellscript|yaml|http|dockerfile|makefile|perl|elixir|powershell|plaintext)$/;
const maxLineLength = 20_000;
const [mostFindings, mostNames] = [5000, 4000];
/** Nobody writes statements with more, or longer chains; what programs generate is read to this extent. */
const [mostTies, mostMembers] = [24, 16];
const resourceOfField = new Map(
  Object.entries(fieldsOf).flatMap(([resource, fields]) =>
    fields.split(/\s+/).map((field) => [normalizedName(field), resource as Resource] as const),
  ),
);

/** A source with more findings than anybody reads was generated. */
export class TooManyError extends Error {}

/** Whether a source was generated, by the length of its lines. */
export function isGenerated(text: string): boolean {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    if ((end === -1 ? text.length : end) - start > maxLineLength) {
      return true;
    }
    start = end === -1 ? text.length : end + 1;
  }
  return false;
}

/** Whether a source is worth reading: it is about the platform, and has something to find. */
export function isRelevant({ text, path }: Source): boolean {
  return (aboutPlatform.test(text) || /gitlab/i.test(path)) && anyAnnounced.test(text);
}

/** The places of a source that rely on an announced change, in their order. */
export function recognize(source: Source): Finding[] {
  const steps = recognizing(source);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) {
      return step.value;
    }
  }
}

/** Recognizes in slices of a few milliseconds, between which other tasks run; undefined if it was cancelled. */
export async function recognizeInSlices(
  source: Source,
  isCancelled: () => boolean,
): Promise<readonly Finding[] | undefined> {
  const yielder = new Yielder(2);
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

function* recognizing(source: Source): Generator<void, Finding[]> {
  if (isGenerated(source.text) || !isRelevant(source)) {
    return [];
  }
  yield;
  if (source.languageId === 'markdown') {
    const findings: Finding[] = [];
    for (const { start, text, languageId } of codeBlocksOf(source.text)) {
      const inner = yield* recognizing({ ...source, text, languageId });
      findings.push(...inner.map((finding) => moved(finding, start)));
      yield;
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

/** How a name is used: of what ends at `receiver`, as a key of what is sent, taken out of a value, within a text. */
interface Use {
  readonly kind: 'read' | 'written' | 'key' | 'taken' | 'form' | 'filter' | 'declared' | 'named';
  readonly receiver?: number;
}

/** A name that is sent if what holds it is, or that is possible by its name. */
interface Candidate {
  readonly add: (tier: Tier) => void;
  readonly of: readonly Resource[];
  readonly isPossible: boolean;
}

class Recognizer {
  readonly #source: Source;
  readonly #code: Code<Value>;
  readonly #text: string;
  readonly #bare: string;
  readonly #clientCall: ReturnType<typeof clientCallsOf>;
  readonly #isShell: boolean;
  readonly #isAbout: boolean;
  readonly #hasOthers: boolean;
  /** Whether types without a package may be those of a client. */
  readonly #hasTypes: boolean;
  /** Whether the source has what takes the place of a name. */
  readonly #migrated = new Map<string, boolean>();
  /** Whether the file also has messages of webhooks or queries of GraphQL, which have the same names. */
  readonly #hasMessages: boolean;
  /** Whether its path says that it is about something else. */
  readonly #isElsewhere: boolean;
  /** The statement that is read, and what ties it to calls. */
  #statement: Range = { start: 0, end: 0 };
  #ties: readonly Tie[] = [];
  readonly #records: (Range & Value)[] = [];
  readonly #types = new Map<string, Value>();
  readonly #patterns = new Map<number, Value>();
  /** Commands of shells that call the API, and the resources that the source requests or declares. */
  readonly #wrappers = new Set(['glab']);
  #function = '';
  #literal = 0;
  #names = 0;
  readonly #known = new Set<Resource>();
  /** Names in what variables hold, until those are sent. */
  readonly #unsent = new Map<string, Candidate[]>();
  readonly #candidates: Candidate[] = [];
  readonly #found: (Omit<Finding, 'fix'> & { fix: Fix | undefined; readonly value: unknown })[] = [];

  constructor(source: Source, code: Code<Value>) {
    this.#source = source;
    this.#code = code;
    this.#text = code.text;
    this.#bare = code.bare;
    this.#clientCall = clientCallsOf(source.text);
    this.#isShell = /^(?:shellscript|dockerfile|makefile|yaml|dockercompose|http)$/.test(source.languageId);
    this.#isAbout = /gitlab/i.test(source.path) || this.#clientCall !== undefined || aboutApi.test(source.text);
    this.#hasTypes = /org\.gitlab4j|\busing NGitLab|\busing GitLabApiClient|@gitbeaker/.test(source.text);
    this.#hasOthers = otherForge.test(code.text);
    this.#isElsewhere = otherPath.test(source.path) || (otherForge.test(source.path) && !/gitlab/i.test(source.path));
    this.#hasMessages = this.#isElsewhere || otherMessage.test(code.text);
  }

  findings(): Finding[] {
    const found = this.#found.toSorted((one, other) => one.start - other.start || one.tier.length - other.tier.length);
    const nameOf = ({ start, end }: Range): string => this.#text.slice(start, end);
    // A field and the name that its annotation gives it are one place.
    const isTwin = (one: Finding, other: Finding | undefined): boolean =>
      other !== undefined &&
      nameOf(other).includes('_') &&
      !nameOf(one).includes('_') &&
      normalizedName(nameOf(other)) === normalizedName(nameOf(one)) &&
      Math.abs(other.start - one.start) < 160;
    const kept = found.filter(
      (one, at) => one.start !== found[at - 1]?.start && !isTwin(one, found[at - 1]) && !isTwin(one, found[at + 1]),
    );
    // A fix changes all places of a value or none.
    const values = new Map<unknown, number>();
    const groups = Map.groupBy(kept, ({ value, change }) => {
      values.set(value, values.get(value) ?? values.size);
      return `${String(values.get(value))} ${change}`;
    });
    for (const group of groups.values()) {
      const edits = group.flatMap(({ fix }) => fix?.edits ?? []);
      const isWhole = group.every(({ fix }) => fix);
      for (const one of group) {
        one.fix = isWhole && one.fix ? { to: one.fix.to, edits } : undefined;
      }
    }
    return kept.map(({ change, start, end, tier, fix }) => ({ change, start, end, tier, fix }));
  }

  *read(): Generator<void> {
    yield* this.#findRecords();
    const statements = this.#isShell ? commandsOf(this.#code, this.#source.languageId) : this.#code.statements();
    let count = 0;
    for (const statement of statements) {
      this.#statement = { ...statement, end: Math.min(statement.end, statement.start + longestStatement) };
      this.#ties = this.#isShell ? this.#tiesOfCommand() : this.#tiesOfStatement();
      this.#bindTyped();
      this.#bindAll();
      this.#send();
      this.#readNames();
      count += 1;
      if (count % 20 === 0) {
        yield;
      }
    }
    for (const { add, of, isPossible } of [...this.#candidates, ...[...this.#unsent.values()].flat()]) {
      if (isPossible && of.some((one) => this.#known.has(one))) {
        add('possible');
      }
    }
  }

  /** The paths, calls of clients and variables of a statement. */
  #tiesOfStatement(): readonly Tie[] {
    const { start, end } = this.#statement;
    const ties: Tie[] = [];
    const { literals, around } = this.#code;
    let index = this.#literal;
    while (index < literals.length && (literals[index] as Range).start < start) {
      index += 1;
    }
    this.#literal = index;
    for (let literal = literals[index]; literal && literal.start < end; literal = literals[index]) {
      const pieces = [{ at: 0, start: literal.start }];
      let path = this.#literalText(literal);
      let last = literal;
      index += 1;
      const isList = /^\/?(?:projects|groups|runners|merge_requests)\/?$/.test(path);
      for (
        let next = literals[index];
        next && next.start < end && around[next.start] === around[literal.start];
        next = literals[index]
      ) {
        const between = this.#bare.slice(last.end + 1, next.start - 1);
        const [, first = '', operand = ''] =
          /^\s*(\+|\.\.?|<>|,)([^]*?)(?:\+|\.\.?|<>|,)?\s*[fr$]?$/.exec(between) ?? [];
        if (first === '' || (first === ',' && !isList) || /[;={]/.test(operand)) {
          break;
        }
        path += first === ',' ? (operand.trim() === '' ? '/' : `/${hole}/`) : operand.trim() === '' ? '' : hole;
        pieces.push({ at: path.length, start: next.start });
        path += this.#literalText(next);
        last = next;
        index += 1;
      }
      const suffix = /^["'`]\s*(\+|\.(?!\w)|,)/.exec(this.#bare.slice(last.end, last.end + 12))?.[1];
      path += suffix === undefined || (suffix === ',' && !isList) ? '' : suffix === ',' ? `/${hole}` : hole;
      const isJoined = /(?:\+|\.|<>)\s*[fr$]?["'`]$/.test(this.#code.before(literal.start, 8));
      if (path.length < longestStatement && pathWord.test(path)) {
        const placeOf = (at: number): number => {
          const piece = pieces.findLast((candidate) => candidate.at <= at) ?? { at: 0, start: literal.start };
          return piece.start + at - piece.at;
        };
        this.#readPaths(path, { start: literal.start, end: last.end }, isJoined, placeOf, ties);
      }
    }
    if (this.#clientCall) {
      this.#readClientCalls(ties);
    }
    for (const { 0: word, index: at } of this.#bare
      .slice(start, Math.min(end, start + longestStatement))
      .matchAll(/(?<![\w.>])(?:(?:this|self)\.|\$this->|@)?[A-Za-z_]\w{0,60}/g)) {
      const from = start + at;
      const variable = this.#valueOf(/\w{1,60}$/.exec(word)?.[0] ?? '', from);
      const after = this.#bare.slice(from + word.length, from + word.length + 6);
      if (variable && variable.of.length > 0 && ties.length < mostTies && !/^\s*\??(?::\s|=>|=(?!=))/.test(after)) {
        ties.push({ ...variable, start: from, end: from + word.length, variable });
      }
    }
    return ties;
  }

  #readPaths(text: string, range: Range, isJoined: boolean, placeOf: (at: number) => number, ties: Tie[]): void {
    for (const { 0: word, index } of text.matchAll(/[^\s"'`<>\\|]+/g)) {
      const path = isJoined && index === 0 ? hole + word : word;
      const by = path.length - word.length;
      const endpoint = endpointOf(path);
      if (!endpoint || /\/api\/v[1235]\b/.test(path)) {
        continue;
      }
      const isOther = /^https?:\/\/\w/.test(path) && !/^https?:\/\/[^/]*gitlab/i.test(path);
      const callee = /([\w.:]*)\s*\(\s*[fr$]?["'`]$/.exec(this.#code.before(range.start, 60))?.[1] ?? '';
      const isRoute =
        /(?:^|\.)(?:app|router|server|routes?|mock\w*|nock)\.\w+$|^(?:Route::\w+|path|url|re_path)$/i.test(callee);
      const isKey = /^["'`]\s*(?:=>|:(?!:))/.test(this.#bare.slice(range.end, range.end + 8));
      const isForeign = this.#hasOthers && !ownPath.test(path) && this.#isForeign();
      const isOwn = ownPath.test(path) && /\w\/[^/]+\/\w/.test(path) && /gitlab/i.test(this.#source.text);
      if (
        isKey ||
        (!endpoint.namesApi && (!(this.#isAbout || isOwn) || isOther || endpoint.isBare || isRoute || isForeign))
      ) {
        continue;
      }
      if (ties.length < mostTies) {
        ties.push({ ...range, of: endpoint.of, isAddress: true });
      }
      if (endpoint.change) {
        const segment = {
          start: placeOf(index + endpoint.start - by),
          end: placeOf(index + endpoint.end - 1 - by) + 1,
        };
        this.#add(endpoint.change, segment, 'sure', fixOfEndpoint(endpoint.change, segment));
      }
    }
  }

  #readClientCalls(ties: Tie[]): void {
    const { start, end } = this.#statement;
    for (const { 0: all, 1: method = '', index } of this.#bare
      .slice(start, end)
      .matchAll(/(?:\.|->|::)\s*([A-Za-z_]\w{0,60})/g)) {
      const dot = start + index;
      const after = dot + all.length;
      const head = this.#bare[dot - 1] === ')' ? (this.#code.match[dot - 1] as number) : dot;
      const receiver = /[A-Za-z_]\w*$/.exec(this.#code.before(head, 60))?.[0] ?? '';
      const isCall = this.#bare[after] === '(';
      const call = isCall || receiver === 'Gitlab' ? this.#clientCall?.(receiver, method) : undefined;
      const chain = this.#bare.slice(Math.max(start, dot - 120), dot);
      if (
        !call ||
        (this.#hasOthers &&
          !/^[A-Z]/.test(method) &&
          !/gitlab|\b_?gl\b|_gl\b|merge_?request|\bmrs?\b|epics?\b/i.test(chain))
      ) {
        continue;
      }
      ties.push({
        start: after - method.length,
        end: isCall ? Math.max(after, this.#code.match[after] as number) + 1 : after,
        of: call.of,
      });
      if (call.change) {
        const isService = /^(?:group)?s?(?:epic\w*|geo_?nodes)$/i.test(receiver);
        const place = isService
          ? { start: head - receiver.length, end: head }
          : { start: after - method.length, end: after };
        this.#add(call.change, place, 'sure', undefined);
      }
    }
  }

  /** The paths of a command, and the variables and files that it is given. */
  #tiesOfCommand(): readonly Tie[] {
    const { start, end } = this.#statement;
    const text = this.#text
      .slice(start, end)
      .replaceAll(/(?<=[\w}])["'](?=\/)/g, hole)
      .replaceAll(/\$\((\w+)\)/g, '${$1}');
    const ties: Tie[] = [];
    this.#function = /^\s*(?:function\s+)?([\w-]{1,60})\s*(?:\(\))?\s*\{/.exec(text)?.[1] ?? this.#function;
    if (/api[/_]v4|CI_API_V4_URL/i.test(text) && /\$\{?[1@*]/.test(text)) {
      this.#wrappers.add(this.#function);
    }
    const isWrapped =
      text
        .slice(0, 300)
        .match(/[\w-]{2,60}/g)
        ?.some((word) => this.#wrappers.has(word)) === true;
    const requests = /\b(?:curl|wget|glab|https?|iwr|irm|invoke-\w+)\s/i;
    for (const { 0: word, index } of text.matchAll(/[^\s<>|();`\\"']+/g)) {
      const endpoint = pathWord.test(word) ? endpointOf(word) : undefined;
      const isOther = /^https?:\/\/\w/.test(word) && !/^https?:\/\/[^/]*gitlab/i.test(word);
      const isOurs =
        endpoint?.namesApi ||
        (this.#isAbout && ownPath.test(word) && /^\/(?:projects|groups)\//.test(word)) ||
        isWrapped ||
        (/^[\w-]*=?(?:\$|\{\{)/.test(word) && this.#isAbout && word.includes('/') && !isOther);
      const before = text.slice(Math.max(0, index - 300), index);
      const isProse =
        this.#source.languageId === 'yaml' &&
        (word.endsWith(':') || !(requests.test(before) || /[:=]\s*["']?$/.test(before)));
      if (endpoint && isOurs && !isProse && !/\/api\/v[1235]\b/.test(word)) {
        ties.push({ start, end: start, of: endpoint.of, isAddress: true });
        if (endpoint.change) {
          const segment = { start: start + index + endpoint.start, end: start + index + endpoint.end };
          this.#add(endpoint.change, segment, 'sure', fixOfEndpoint(endpoint.change, segment));
        }
      }
      const variable = this.#valueOf(word.replace(/^[^$]*\$\{?(\w+).*$/, '$1'), start);
      if (variable) {
        ties.push({ ...variable, start, end: start, isAddress: true, variable });
      }
    }
    return ties;
  }

  /** What stands for what a variable of the functions around a place holds. */
  #valueOf(name: string, at: number): Value | undefined {
    for (let scope: Scope<Value> | undefined = this.#code.scopeAt(at); scope; scope = scope.parent) {
      const value = scope.variables.get(name);
      if (value) {
        return value;
      }
    }
    return undefined;
  }

  #bind(name: string, value: Value | undefined, isMember = false): void {
    const scope = this.#code.scopeAt(this.#statement.start);
    (isMember ? (scope.parent ?? scope) : scope).variables.set(name, value ?? unknown);
    this.#unsent.delete(name);
  }

  /** What of a tie an expression is that ends at a place: as it is, or one of its records; undefined if it is something else. */
  #reach(
    tie: Tie,
    end: number,
    from = this.#statement.start,
  ): { readonly to: number; readonly value: Value } | undefined {
    const { match, around } = this.#code;
    let { end: to, isAddress = false } = tie;
    for (let opener = around[tie.start] as number; opener >= from; opener = around[opener] as number) {
      const closer = match[opener] as number;
      if (closer === -1 || closer >= end) {
        break;
      }
      const callee = /[\w$]+[?!]?\s*$/.exec(this.#code.before(opener, 60))?.[0].trim() ?? '';
      if (
        !isAddress &&
        (this.#bare[opener] === '{' ||
          this.#membersEnd(to, closer) === undefined ||
          (callee !== '' && !carrying.test(callee)))
      ) {
        return undefined;
      }
      isAddress &&= this.#bare[opener] !== '(' || callee === '' || addressing.test(callee);
      to = closer + 1;
    }
    // `get "/runners"` of languages that need no brackets.
    isAddress &&= !/\w\s+[fr$]?["'`]$/.test(this.#code.before(tie.start, 12)) || tie.variable !== undefined;
    const reached = isAddress ? to : this.#membersEnd(to, end);
    return reached === undefined
      ? undefined
      : {
          to: reached,
          value:
            tie.variable && !isAddress === !tie.isAddress
              ? tie.variable
              : { of: tie.of, isAddress, isDeclared: tie.isDeclared },
        };
  }

  /** Where members end that leave a value what it is, or one of its records; undefined if others follow. */
  #membersEnd(start: number, end: number): number | undefined {
    let to = start;
    for (let members = 0; to < end && members < mostMembers; members += 1) {
      const rest = this.#bare.slice(to, Math.min(end, to + 120));
      const member = /^[\s)]*[?!]?(?:\.|->|\?\.|&\.|::)\s*([\w$]+)[?!]?(?:::<[^<>]{0,40}>)?/.exec(rest);
      const index = /^[?!]*\[/.exec(rest);
      const next = to + (member ?? index ?? [''])[0].length;
      // A block of Ruby.
      const block = /^\s*\{\s*\|/.exec(this.#bare.slice(next, next + 8))?.[0].indexOf('{') ?? -1;
      const lookup = /^\(?["'](\w+)["']/.exec(this.#text.slice(next, next + 60))?.[1] ?? 'data';
      if (member && unwrapping.test(member[1] ?? '') && unwrapping.test(this.#bare[next] === '(' ? lookup : 'data')) {
        to =
          block !== -1
            ? (this.#code.match[next + block] as number) + 1 || end
            : this.#bare[next] === '('
              ? (this.#code.match[next] as number) + 1 || end
              : next;
      } else if (index && unwrapping.test(lookup)) {
        to = (this.#code.match[next - 1] as number) + 1 || end;
      } else {
        return member || index || /^\s*(?:===?|!==?)/.test(rest) ? undefined : to;
      }
    }
    return to;
  }

  /** What the ties of a statement make of an expression: the last one that it is. */
  #expression(start: number, end: number): Value | undefined {
    const own = this.#ties.filter((tie) => tie.start >= start && tie.start < end);
    const [value] = own.toReversed().flatMap((tie) => this.#reach(tie, end, start)?.value ?? []);
    return value ?? (own.length > 0 || otherForge.test(this.#text.slice(start, end)) ? nothing : undefined);
  }

  /** Gives what a statement answers to the variables that it assigns, goes through or calls functions with. */
  #bindAll(): void {
    const { start, end } = this.#statement;
    const code = this.#bare.slice(start, Math.min(end, start + longestStatement));
    if (this.#isShell) {
      const text = this.#text.slice(start, end);
      const isField = /\bjq\s+(?:-\w+\s+)*["']?\.(?:\[\d*\]\s*\.)?\w+["')]/.test(text);
      const target = /^\s*(?:- )?(?:(?:export|local|readonly|declare|ENV|ARG)\s+)?(\w{1,60})(?:=|:\s)/.exec(text)?.[1];
      const output = /(?:>|-o|--output|tee)[ =]+["']?([\w./-]{1,60})/.exec(text)?.[1];
      [target, output].forEach(
        (name) =>
          name !== undefined &&
          this.#bind(
            name,
            isField || this.#ties.length === 0 ? nothing : { of: this.#ties.flatMap(({ of }) => of), isAddress: true },
          ),
      );
      return;
    }
    const base = this.#code.around[start];
    for (const { 0: mark, index } of code.matchAll(/(?<![=!<>+\-*/%&|^~?])(?::=|=(?![=>~]))/g)) {
      if (this.#code.around[start + index] !== base) {
        continue;
      }
      const left = code
        .slice(Math.max(0, index - 200), index)
        .replace(/:\s*[\w.<>[\]| ]{1,60}\s*$/, '')
        .trimEnd();
      const value = this.#expression(start + index + mark.length, end);
      if (left.endsWith('}')) {
        this.#take(start + index - (code.slice(0, index).length - code.lastIndexOf('}', index)), value);
      } else {
        const isRange = /^\s*range\b/.test(code.slice(index + mark.length, index + mark.length + 12));
        const targets = /(?:[\w$@.>-]+\s*,\s*){0,3}[\w$@.>-]+$/.exec(left)?.[0].split(',') ?? [];
        const target = (isRange ? targets.at(-1) : targets[0])?.trim() ?? '';
        const name = /^(?:this\.|self\.|\$this->|@|\$)?(\w+)$/.exec(target)?.[1];
        if (name !== undefined) {
          this.#bind(name, value, /^(?:this|self|\$this|@)\W?/.test(target));
        }
      }
      break;
    }
    if (this.#ties.length === 0) {
      return;
    }
    for (const { 0: all, 1: target = '', index } of code.matchAll(
      /\bfor(?:each|Each)?\b\s*(?:await\s*)?\(?\s*(?:(?:const|let|var)\s+)?((?:[\w$@<>.?]+[\s,]+){1,5}|\{[^{}]{1,200}\}\s*)(?:in|of|:)\s/g,
    )) {
      const value = this.#expression(start + index + all.length, end);
      if (target.includes('}')) {
        this.#take(start + code.indexOf('}', index), value);
      } else {
        this.#bind(/(\w+)[\s,]*$/.exec(target)?.[1] ?? '', value);
      }
    }
    for (const { 1: iterated = '', 2: name = '', index } of code.matchAll(
      /\bforeach\s*\(\s*([^()]{1,80}?)\s+as\s+(?:\$\w+\s*=>\s*)?\$(\w+)/g,
    )) {
      const from = start + code.indexOf(iterated, index);
      this.#bind(name, this.#expression(from, from + iterated.length));
    }
    let count = 0;
    for (const { 0: all, 1: method = '', 2: parameter = '', index } of code.matchAll(
      /\.\s*(\w{2,30})[!?]?\s*(?:\(\s*)?(?:async\s+|function\s*\w{0,40}\s*|\{\s*|do\s*)?[(|{]{0,2}\s*(\{[^{}]{1,200}\}|[\w$]+)[^=>|{}()]{0,40}\)?\s*(?:=>|->|\||\{|\bin\b)/g,
    )) {
      count += 1;
      if (iterating.test(method) && count <= mostTies) {
        const [value] = this.#ties.flatMap((tie) => {
          const reached = this.#reach(tie, start + index);
          return reached?.to === start + index && tie.start < start + index ? reached.value : [];
        });
        if (parameter.startsWith('{')) {
          this.#take(start + index + all.indexOf('}'), value);
        } else {
          this.#bind(parameter.replace('$', ''), value);
        }
      }
    }
    const answer = this.#ties.find(({ of }) => of.length > 0);
    for (const [name] of answer
      ? code.matchAll(/(?<=\blambda\s+)(\w+)(?=\s*:)|(?<=[(,]\s*&\s*)(\w+)(?=\s*[,)])/g)
      : []) {
      this.#bind(name, answer && { ...answer, isAddress: false });
    }
    if (this.#source.languageId === 'powershell' && answer) {
      this.#bind('_', answer);
    }
  }

  /** Gives a value to the names that a pattern takes out of it. */
  #take(closer: number, value: Value | undefined): void {
    const opener = this.#code.match[closer] as number;
    this.#patterns.set(opener, value ?? unknown);
    for (const name of this.#bare
      .slice(opener, closer)
      .match(/\b(?:data|body|json|result|items|response)\b(?!\s*:)/g) ?? []) {
      this.#bind(name, value);
    }
  }

  /** Finds record types: by their names and fields. */
  *#findRecords(): Generator<void> {
    if (!this.#isAbout || this.#isElsewhere || /object_?(?:attributes|kind)|X-Gitlab-Event/i.test(this.#text)) {
      return;
    }
    for (const { 0: all, 1: word = '', 2: name = '', index } of this.#bare.matchAll(
      /(?<![\w.])(class|interface|struct|record|type|(?:const|val|var)(?=\s+\w+\s*=\s*z\s*\.object\(|\s+\w+\s+struct\s*\{))\s+([A-Za-z_]\w{0,60})(?:\s*<[^<>\n]{0,60}>)?/g,
    )) {
      yield;
      const from = index + all.length;
      const [head = ''] =
        /^[^{};]{0,200}?(?:[{(](?![\w.]+\)\s*:)|:\s*\n)/.exec(this.#bare.slice(from, from + 240)) ?? [];
      const start = from + head.length - 1;
      const end = head.endsWith('\n') ? this.#code.scopeAt(index).end : (this.#code.match[start] as number);
      const resource =
        head === '' || end <= start
          ? undefined
          : this.#resourceOfRecord(name, index, start, Math.min(end, start + 6000));
      if (resource) {
        const value = { of: ofRecord(resource), isDeclared: true };
        this.#known.add(resource);
        this.#records.push({ start, end, ...value });
        if (/^[cv]/.test(word) && word !== 'class') {
          this.#code.scopeAt(this.#bare.lastIndexOf('\n', index)).variables.set(name, value);
        } else {
          this.#types.set(name, value);
        }
      }
    }
  }

  #resourceOfRecord(name: string, index: number, start: number, end: number): Resource | undefined {
    const fields = new Set(
      this.#text
        .slice(start, end)
        .match(/[A-Za-z_]\w{4,60}/g)
        ?.map(normalizedName),
    );
    const counts = Map.groupBy(
      [...fields].flatMap((field) => resourceOfField.get(field) ?? []),
      (resource) => resource,
    );
    const embedded = /\b(?:gitlab|gl)\.(?:MergeRequest|Project|Group|Runner)\b/.exec(this.#bare.slice(start, end))?.[0];
    if (embedded !== undefined) {
      return resourceNamed(embedded);
    }
    // What a method of a record reads into a structure of its own.
    const around = this.#code.scopeAt(this.#bare.lastIndexOf('\n', index));
    const words =
      /^[a-z]/.test(name) && around.parent
        ? (this.#bare.slice(around.start, around.start + 120).match(/\w+/g) ?? [])
        : [];
    const typed = words.map((word) => this.#types.get(word)?.of[0]).find((one) => one);
    const named = resourceNamed(name);
    const [most] = [...counts].toSorted(([, one], [, other]) => other.length - one.length);
    return (
      typed ?? (named ? (counts.has(named) ? named : undefined) : most && most[1].length >= 3 ? most[0] : undefined)
    );
  }

  /** Knows variables and records by a type of the source or of a client. */
  #bindTyped(): void {
    const { start, end } = this.#statement;
    for (const { 0: type, index } of this.#bare.slice(start, end).matchAll(/(?<!\w)[A-Za-z]\w{1,60}/g)) {
      const value = this.#types.get(type) ?? this.#valueOfClientType(type, start + index);
      if (value) {
        const at = start + index + type.length;
        const after = /^[>[\]?*]{0,4}(?:\s+([a-z_$]\w{0,60})\s*[,;=):{]|\s{0,40}\{)/.exec(
          this.#bare.slice(at, at + 110),
        );
        const before =
          /([\w$]{1,60})\s*\??:\s*(?:[\w.]{1,40}[<[])?[[*&?\w.]{0,20}$|([a-z]\w{0,60})\s+[[\]*]{0,4}(?:\w+\.)?$/.exec(
            this.#code.before(start + index, 100),
          );
        const name = after?.[1] ?? before?.[1] ?? before?.[2];
        if (after && after[1] === undefined) {
          this.#ties = [...this.#ties, { start: start + index, end: at, ...value, isAddress: true }];
        }
        if (
          name !== undefined &&
          !/^(?:new|return|class|interface|struct|extends|implements|type|case|else)$/.test(name)
        ) {
          this.#bind(name, value);
        }
      }
    }
  }

  #valueOfClientType(type: string, at: number): Value | undefined {
    const resource = this.#clientCall && /^[A-Z]/.test(type) ? resourceNamed(type) : undefined;
    return resource &&
      (this.#hasTypes || /\b(?:gitlab|gl|gogitlab|api|objects|models)\.$/.test(this.#code.before(at, 24)))
      ? { of: ofRecord(resource) }
      : undefined;
  }

  /** Names in what variables hold are sent when those are. */
  #send(): void {
    const called = this.#ties.filter(({ variable, isAddress }) => !variable || isAddress).flatMap(({ of }) => of);
    called.forEach((one) => this.#known.add(one));
    if (called.length > 0 && this.#unsent.size > 0) {
      const { start, end } = this.#statement;
      for (const word of (this.#isShell ? this.#text : this.#bare).slice(start, end).match(/[A-Za-z_]\w*/g) ?? []) {
        for (const { add, of } of this.#unsent.get(word) ?? []) {
          if (of.some((one) => called.includes(one))) {
            add('sure');
          }
        }
      }
    }
  }

  #readNames(): void {
    const { start, end } = this.#statement;
    for (const { 0: word, index } of this.#text.slice(start, end).matchAll(anyName)) {
      const range = { start: start + index, end: start + index + word.length };
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
    const literal = this.#bare[start] === inside ? this.#code.literalAt(start) : undefined;
    const opener = this.#code.around[start] as number;
    if (this.#isShell || (literal && (literal.start !== start || literal.end !== end))) {
      const from = Math.max(literal?.start ?? this.#statement.start, this.#statement.start, start - 12);
      const left = this.#text.slice(from, start);
      const right = this.#text
        .slice(end, Math.min(literal?.end ?? this.#statement.end, this.#statement.end) + (this.#isShell ? 12 : 0))
        .slice(0, 12);
      const isVariable =
        this.#isShell && /^\s*(?:- )?$/.test(this.#text.slice(this.#statement.start, start)) && right.startsWith('=');
      const isForm = /(?:^|[?&{,\s"'(\\;])$/.test(left) && /^\\?["']?\s*(?::?==?|:(?!:))/.test(right) && !isVariable;
      const isFilter = /(?:^|[\s('"|[\],!])\.$/.test(left) || (this.#isShell && /\[\\?["']$/.test(left));
      const isPath = left === '' && right.startsWith('.') && /Field\w*\("$/.test(this.#code.before(start, 20));
      return /\w+:\\?"$/.test(left)
        ? { kind: 'declared' }
        : isForm
          ? { kind: 'form' }
          : isFilter
            ? { kind: 'filter' }
            : isPath
              ? { kind: 'named' }
              : undefined;
    }
    // Within code in a literal, quotes stand for themselves.
    const isQuoted =
      literal !== undefined || (/["']/.test(this.#bare[start - 1] ?? '') && /["']/.test(this.#bare[end] ?? ''));
    const [from, to] = isQuoted ? [start - 1, end + 1] : [start, end];
    const [left, right] = [this.#code.before(from, 60), this.#bare.slice(to, to + 40)];
    const dot = isQuoted ? /(?:\[|->\{)\s*$/.exec(left) : /(?:\?\.|&\.|\.|->\{?|\[:|::)\s*$/.exec(left);
    const receiver = from - (dot?.[0].length ?? 0);
    if (dot && (!isQuoted || /^\s*[\]}]/.test(right)) && /[\w$)\]"'!?}]\s*$/.test(this.#code.before(receiver, 4))) {
      return { kind: /^\]?\s*[+]?=(?![=>~])/.test(right) ? 'written' : 'read', receiver };
    }
    if (this.#isField(start, opener) && !/^\s*\(/.test(right)) {
      // The type of a field may have the name of another one.
      const isType =
        !isQuoted && (/^\s+[A-Za-z_]\w*\s*[;=,{]/.test(right) || (/\w\s+\*?$/.test(left) && /^\s*`/.test(right)));
      return isType ? undefined : { kind: 'declared' };
    }
    const call = /([\w$]+)[?!]?\s*\(:?\s*$/.exec(left);
    if (call && (isQuoted || left.endsWith(':')) && /^\s*[,)]/.test(right)) {
      const head = from - call[0].length;
      const access = /(?:\?\.|&\.|\.|->)$/.exec(this.#code.before(head, 3))?.[0].length ?? 0;
      if (access > 0 && reading.test(call[1] ?? '')) {
        return { kind: 'read', receiver: head - access };
      }
      if (adding.test(call[1] ?? '')) {
        return access > 0 ? { kind: 'written', receiver: head - access } : { kind: 'key' };
      }
    }
    if (this.#patterns.has(opener) && !isQuoted) {
      return { kind: 'taken' };
    }
    const isKey = isQuoted
      ? /^\s*(?:=>|:(?!:))/.test(right) || (/^\s*,/.test(right) && this.#bare[opener] === '(')
      : /^\??\s*(?:=>|:(?!:))/.test(right) || (/^\s*=(?![=>~])/.test(right) && opener >= this.#statement.start);
    return isKey ? { kind: 'key' } : literal ? { kind: 'named' } : undefined;
  }

  /** Whether a name stands among the fields of a record type. */
  #isField(start: number, opener: number): boolean {
    const record = lastBefore(this.#records, start);
    if (!record || start >= record.end) {
      return false;
    }
    if (this.#bare[record.start] === '\n') {
      return this.#code.scopeAt(start) === this.#code.scopeAt(record.start);
    }
    const isAnnotation =
      /[(]/.test(this.#bare[opener] ?? '') && /[@[(][\w.]{1,60}$/.test(this.#code.before(opener, 64));
    const outer = isAnnotation ? (this.#code.around[opener] as number) : opener;
    return (
      [opener, outer, this.#code.around[outer]].includes(record.start) &&
      (outer === record.start || !this.#code.isBlock(outer))
    );
  }

  #readName(change: AnnouncedChange, name: string, range: Range, use: Use): void {
    const { subject, id } = change;
    if (subject.kind === 'endpoint') {
      return;
    }
    const isSent = subject.kind !== 'field' || subject.sent === true;
    const isOf = (value: Value | undefined): boolean => value?.of.some((one) => subject.of.includes(one)) === true;
    const canFix =
      this.#text.slice(range.start, range.end) === name &&
      (/^(?:form|filter)$/.test(use.kind) || dynamic.test(this.#source.languageId));
    const add = (tier: Tier, fix?: Fix, value?: unknown): void =>
      this.#add(id, range, tier, canFix ? fix : undefined, value);
    const called = this.#ties.find(
      (tie) => (!tie.variable || tie.isAddress) && isOf(tie) && (this.#isShell || !this.#isApart(range.start, tie)),
    );
    if (use.kind === 'read' || use.kind === 'written') {
      const receiver = use.receiver as number;
      const reached = this.#ties
        .flatMap((tie) => (tie.start < receiver ? (this.#reach(tie, receiver) ?? []) : []))
        .find(({ to }) => to === receiver);
      const holder =
        /([\w$]+)(?:\(\)|\[\w*\]|[?!])*$/.exec(this.#code.before(receiver, 80))?.[1]?.replace('$', '') ?? '';
      const record = /^(?:this|self)$/.test(holder) ? this.#recordAt(range.start) : undefined;
      const value = record ?? reached?.value ?? this.#valueOf(holder, receiver);
      if (use.kind === 'written') {
        if (isSent && (subject.kind !== 'value' || this.#hasValue(range.end, subject.values))) {
          this.#hold(
            change,
            holder,
            called ?? (value && value.of.length > 0 && !value.isDeclared ? value : undefined),
            (tier) =>
              add(tier, fixOfSent(this.#text, id, range, false), `${holder} ${this.#code.scopeAt(range.start).start}`),
          );
        }
        return;
      }
      const isMethod = /^\s*\(/.test(this.#bare.slice(range.end, range.end + 3)) && this.#bare[range.start] !== inside;
      const isManager = /^\.(?:list|create|get|all)\(/.test(this.#bare.slice(range.end, range.end + 10));
      if (
        subject.kind === 'parameter' ||
        isManager ||
        (isMethod && !/^(?:get|is|set|with)[A-Z]/.test(this.#bare.slice(range.start, range.end)))
      ) {
        return;
      }
      const isTied = isOf(value) && !value?.isAddress;
      if (!isTied && value && value !== unknown) {
        return;
      }
      const fix = this.#fixOfRead(change, range, value);
      const addRead = (tier: Tier): void =>
        subject.kind === 'value' ? this.#addComparison(id, subject, range.end, tier) : add(tier, fix, value);
      if (isTied) {
        addRead('sure');
      } else {
        this.#propose(change, name, holder, value === unknown, addRead);
      }
    } else if (use.kind === 'taken') {
      const value = this.#patterns.get(this.#code.around[range.start] as number);
      const isRenamed = /^\s*:/.test(this.#bare.slice(range.end, range.end + 4));
      if (isOf(value) && subject.kind === 'field') {
        add('sure', isRenamed ? fixOfRead(id, range) : undefined, value);
      }
    } else if (use.kind === 'filter') {
      if (subject.kind === 'field' && called) {
        const isJq = this.#text[range.start - 1] === '.';
        add('sure', id === 'runnerActive' ? (isJq ? fixOfFilter(this.#text, range) : undefined) : fixOfRead(id, range));
      }
    } else if (use.kind === 'declared') {
      if (
        subject.kind === 'field' &&
        isOf(this.#recordAt(range.start)) &&
        !this.#isMigrated(change, this.#recordAt(range.start))
      ) {
        add('sure');
      }
    } else if (use.kind === 'named') {
      const isColumn = this.#clientCall && /(?:\bName:\s*|Field\w*\()"$/.test(this.#code.before(range.start, 20));
      if (name.includes('_') && subject.kind === 'field') {
        this.#propose(change, name, '', false, () => add(isColumn ? 'sure' : 'possible'));
      }
    } else if (isSent && (subject.kind !== 'value' || this.#hasValue(range.end, subject.values))) {
      const target = called ? undefined : this.#target(range.start);
      this.#hold(change, target, called, (tier) =>
        add(
          tier,
          fixOfSent(this.#text, id, range, use.kind === 'form'),
          `${target ?? range.start} ${this.#code.scopeAt(range.start).start}`,
        ),
      );
    }
  }

  /** Adds a name that is sent: at once where its call is known, else when the variable that holds it is sent. */
  #hold(change: AnnouncedChange, holder: string | undefined, call: Value | undefined, add: (tier: Tier) => void): void {
    const { subject } = change;
    if (subject.kind === 'endpoint') {
      return;
    }
    if (call) {
      if (call.of.some((one) => subject.of.includes(one))) {
        add('sure');
      }
    } else if (holder !== undefined && holder !== '') {
      const named = resourceNamed(holder);
      const isPossible = named !== undefined && subject.of.includes(named) && this.#isPossible(change);
      const own = this.#unsent.get(holder) ?? [];
      this.#unsent.set(holder, [...own, { add, of: subject.of, isPossible }]);
    }
  }

  /** Whether a place belongs to another statement than a tie of it: after a semicolon, or in a function. */
  #isApart(at: number, { start }: Range): boolean {
    const between = this.#bare.slice(Math.min(start, at), Math.max(start, at));
    for (let opener = this.#code.around[at] as number; opener > start; opener = this.#code.around[opener] as number) {
      if (this.#code.isBlock(opener)) {
        return true;
      }
    }
    return between.includes(';');
  }

  /** Notes a name that is possibly one of the API: by the name of what holds it, and by what else the file does. */
  #propose(change: AnnouncedChange, name: string, holder: string, isUnknown: boolean, add: (tier: Tier) => void): void {
    const { subject } = change;
    const named = resourceNamed(holder);
    const isNamed = named !== undefined && subject.kind !== 'endpoint' && subject.of.includes(named);
    const isDistinctive = name.includes('_');
    if (
      subject.kind === 'endpoint' ||
      !(isDistinctive ? isNamed || !isUnknown : isNamed && !isUnknown) ||
      !this.#isPossible(change)
    ) {
      return;
    }
    if (isDistinctive && isNamed) {
      add('possible');
    } else {
      this.#candidates.push({ add, of: subject.of, isPossible: true });
    }
  }

  #isPossible(change: AnnouncedChange): boolean {
    return this.#isAbout && !this.#hasMessages && !this.#isForeign() && !this.#isMigrated(change);
  }

  /** Whether the function of the statement talks to another forge. */
  #isForeign(): boolean {
    const { start, end, parent } = this.#code.scopeAt(this.#statement.start);
    return (
      this.#hasOthers && parent !== undefined && otherForge.test(this.#text.slice(start, Math.min(end, start + 10_000)))
    );
  }

  #recordAt(at: number): (Range & Value) | undefined {
    const record = lastBefore(this.#records, at);
    return record && at < record.end ? record : undefined;
  }

  /** Whether the source has what takes the place of a name, elsewhere than in its record: then the name is its own. */
  #isMigrated(
    { replacement, moved: pattern = replacement?.replaceAll('_', '_?') }: AnnouncedChange,
    record?: Range,
  ): boolean {
    if (pattern === undefined) {
      return false;
    }
    const isNew = new RegExp(`(?<![A-Za-z0-9])(?:${pattern})(?![A-Za-z0-9])`, 'i');
    const isHere = this.#migrated.get(pattern) ?? isNew.test(this.#text);
    this.#migrated.set(pattern, isHere);
    return isHere && !(record && isNew.test(this.#text.slice(record.start, Math.min(record.end, record.start + 6000))));
  }

  /** The variable that the expression around a place is assigned to. */
  #target(at: number): string | undefined {
    const { start } = this.#statement;
    const left = this.#isShell
      ? this.#text.slice(start, Math.min(at, start + 120))
      : this.#bare.slice(start, Math.min(at, start + 120));
    const assigned =
      /^\s*(?:- )?(?:[\w$.<>[\],?*&:]+\s+){0,4}?[$@]?([\w]{1,60})(?:\s*:\s*[\w.<>[\], |]{1,80}?)?\s*:?=(?![=>~])/.exec(
        left,
      );
    // `params.add(new Pair("active", …))`
    return (
      assigned?.[1] ?? /(\w{1,60})\s*(?:\.|->)\s*(?:append|add|set|put|push|insert)\w*\s*\([^()]*\(/i.exec(left)?.[1]
    );
  }

  #hasValue(end: number, values: readonly (string | null)[]): boolean {
    const after = this.#text.slice(end, end + 40);
    const value = /^\\?["']?\]?\s*(?:=>|:|==?|,)?[\s\\]*["':]?([\w-]+)/.exec(after)?.[1] ?? '';
    return values.some((wanted) =>
      wanted === null ? /^(?:null|None|nil|NULL|undefined)$/.test(value) : wanted === value,
    );
  }

  /** `runner.status == "active"`, `runner["status"] in ("paused", …)`. */
  #addComparison(
    id: ChangeId,
    { values }: { readonly values: readonly (string | null)[] },
    end: number,
    tier: Tier,
  ): void {
    const [after = ''] = /^(?:(?!&&|\|\||[;\n{]).){0,120}/.exec(this.#text.slice(end, end + 120)) ?? [];
    const from = after.search(/===?|!==?|\bin\b|includes|equals|\beq\b/);
    for (const { 1: value = '', index } of from === -1 ? [] : after.matchAll(/["'](\w+)["']/g)) {
      if (index >= from && values.includes(value)) {
        const start = end + index + 1;
        this.#add(id, { start, end: start + value.length }, tier, undefined);
      }
    }
  }

  #fixOfRead({ id }: AnnouncedChange, range: Range, value: Value | undefined): Fix | undefined {
    const end = range.end + (/^["']\s*[\])]|^\]/.exec(this.#text.slice(range.end, range.end + 4))?.[0].length ?? 0);
    const chain = /[\w$@]+(?:(?:\?\.|\.|->)\w+|\[\w{1,20}\]|\(\))*(?:\?\.|\.|->|\[["']?|\.get\(["'])$/.exec(
      this.#text.slice(Math.max(0, range.start - 80), range.start),
    );
    if (value?.isDeclared || (id === 'runnerActive' && !chain)) {
      return undefined;
    }
    return id === 'runnerActive'
      ? fixOfActive(
          this.#text,
          range,
          { start: range.start - (chain?.[0].length ?? 0), end },
          this.#source.languageId === 'python',
        )
      : fixOfRead(id, range);
  }

  #literalText({ start, end }: Range): string {
    const [text, bare] = [this.#text.slice(start, end), this.#bare.slice(start, end)];
    return /[^\uE001]/.test(bare)
      ? text.replaceAll(/[^]/g, (char, at: number) => (bare[at] === inside ? char : hole))
      : text;
  }

  #add(change: ChangeId, { start, end }: Range, tier: Tier, fix: Fix | undefined, value: unknown = start): void {
    // Where both names are given, the new one takes precedence: to replace the other would give it twice.
    const isTwice = fix && this.#text.slice(Math.max(0, start - 400), end + 400).includes(fix.to);
    if (this.#found.length > mostFindings) {
      throw new TooManyError();
    }
    this.#found.push({
      change,
      start,
      end,
      tier,
      fix: tier === 'sure' && !(isTwice && change === 'passwordToApprove') ? fix : undefined,
      value,
    });
  }
}

/** A variable whose value is not known, and one of something else than a record of the API. */
const [unknown, nothing]: readonly [Value, Value] = [{ of: [] }, { of: [] }];

function ofRecord(resource: Resource): readonly Resource[] {
  return resource === 'group' ? ['group', 'groupDetails'] : [resource];
}

function moved(finding: Finding, by: number): Finding {
  const shifted = <T extends Range>(range: T): T => ({ ...range, start: range.start + by, end: range.end + by });
  return { ...shifted(finding), fix: finding.fix && { ...finding.fix, edits: finding.fix.edits.map(shifted) } };
}
