import { Yielder } from '../workspace/batches.ts';
import { type Client, ClientCalls, endpointOf, knownClients, mayBePath } from './calls.ts';
import {
  anyName,
  type ChangeId,
  type NameRow,
  type Resource,
  rowsOf,
  normalizedName,
  resourceNamed,
  type Confidence,
} from './catalogue.ts';
import { type Fix, fixOfEndpoint, fixOfFilter, fixOfReceived, fixOfSent, negated, type Range } from './fixes.ts';
import { type Syntax, syntaxOf } from './languages.ts';
import { type BracketGroup, type Context, contextWith, isNamedAfter, rank, Structure, tierIn } from './structure.ts';
import { codeBlocksOf, OverBudgetError, type Token, type Tokens, tokensOf, unknown, Work } from './tokenizer.ts';

/** A place of a source that relies on an announced change. Offsets count UTF-16 code units, as editors do. */
export interface Finding extends Range {
  readonly change: ChangeId;
  readonly tier: Confidence;
  readonly fix: Fix | undefined;
}

/** What to read. */
export interface Source {
  readonly text: string;
  /** The id that editors have for its language; what is not known is read by rules that most languages share. */
  readonly languageId: string;
  /** Its path in the workspace, which may say what it is about. */
  readonly path: string;
}

/** A line of a program is not as long: what has one was generated. */
const maxLineLength = 20_000;
/** A literal of more characters is data. */
const longestText = 20_000;
/** A source with more findings is a list that was generated. */
const mostFindings = 5000;
/** What a program that calls the API contains somewhere: most files do not, and are not read further. */
const calling = /gitlab|glab\b|api[/_]?v4|PRIVATE-TOKEN/i;
const anyAnnounced = new RegExp(
  `${anyName.replaceAll('_', '_?')}|geo_?nodes|/changes\\b|changes\\(|MergeRequestChanges|merge_request_changes|managed_?licenses|epics?|runners?`,
  'i',
);
const otherForge = /github|gitea|bitbucket|gerrit|azure/i;
/** Files that also talk to other forges, or are told by a webhook: a name in them says nothing of its own. */
const others =
  /^(?![ \t]*(?:\/\/|#|\*|--)).*(?:(?<!io\.)github(?!\.com\b|\.io\b|usercontent)|api\.github\.com|octokit|gitea|forgejo|bitbucket|gerrit|azure|object_?(?:attributes|kind)|X-Gitlab-Event)/im;
/** Paths that no other forge has. */
const ownPath = /\b(?:merge_requests|epics|geo_nodes|managed_licenses)\b/;
/** Files about webhooks or GraphQL, of which v5 of the REST API says nothing. */
const elsewhere = /webhook[^/]*$|(?:^|\/)(?:web)?hooks?\/|graphql/i;
const aboutApi = /api[/_]?v4|gitlab_?(?:url|token|api|client)/i;
/** Languages in which the names of fields and parameters are those of the API, so that they can be replaced. */
const dynamic =
  /^(?:javascript|typescript|javascriptreact|typescriptreact|vue|svelte|python|ruby|php|shellscript|yaml|http|dockerfile|makefile|perl|elixir|powershell|plaintext)$/;
/** What joins texts; the members of a name are passed over as if they were joined. */
const joiner = /^(?:\+|\.|\.\.|->|::|<>)$/;
const access = /^(?:\.|->|\?\.|&\.)$/;
const scoped = /^(?:\.|->|\?\.|&\.|::|\[)$/;
/** Functions that request the address that they are given. */
const requesting = /^(?:get|put|post|patch|delete|fetch|request|execute|send|call|open|json)$/i;
/** Functions that a value is passed through without becoming another. */
const carrying = /json|parse|load|read|decode|deserialize|unmarshal|send|execute|request|fetch|open|call|do|ur[il]/i;
const carryingWords = /^(?:await|async|new|try|yield|list|sorted|reversed|enumerate)$/i;
const ofHttp = /http(?:::|\.)/i;

/** @param word a name with the names before it: `response.json`. */
function isCarrying(word: string): boolean {
  const last = word.split(/[^\w$@]/).at(-1) ?? '';
  return carryingWords.test(word) || ofHttp.test(word) || carrying.test(last);
}
/** Members of a value, and items of it, that are what it is or one of its records: `.data[0]`, `.filter(…)`, `.then((r) => r.json())`. */
const unwrapping =
  '(?:data|body|json|contents?|text|values?|results?|items|response|parsed_response|read|to_[ah]|first\\w*|last|next|single\\w*|find|filter|select|reject|detect|[wW]here|sort\\w*|reversed?|slice|take|skip|[tT]o(?:List|Array)|stream|iter|unwrap|expect|auto_paginate|lazy_paginate|compact|flat|concat|get(?:Body|Contents|(?=\\(\\d+\\)))|R(?:ootElement|esult|ead\\w*)|EnumerateArray|First\\w*|Single\\w*|Body|Content)';
const wholeMembers = new RegExp(
  `^(?:[\\s)!?]|(?:\\.|->|\\?\\.|&\\.)(?:${unwrapping}\\b[?!]?(?:\\((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*\\))?|then\\(\\(?\\w+\\)?\\s*=>\\s*\\w+(?:\\.${unwrapping}\\b(?:\\(\\))?)*\\))|\\[(?:\\w+|["']${unwrapping}["'])\\]|\\{\\s*\\|[^{}]*\\})*`,
);
/** As much of a source as is searched for them. */
const longestMembers = 300;
/** Functions that make an address or a request, which another one sends. */
const addressing = /(?:ur[il][\w.:]*|format|sprintf|path|request|builder|encode\w*)!?$/i;
/** Functions that call another one with what a value holds. */
const iterating =
  /^(?:then|map|flatMap|for_?each|each\w*|auto_paginate|find|filter|some|every|select|reject|detect|any|all|(?:any|all|none)Match|sort_?by|group_?by|partition|where|first\w*|single\w*|orderby\w*|collect|tap|let|also|subscribe)\??$/i;
/** What begins a command that requests an address. */
const commanding = /^(?:curl|wget|https?|glab|iwr|irm|invoke-\w+)$/i;
/** Characters that are searched at a time. */
const pieceLength = 64 * 1024;

/** Whether a source is worth reading: it is about the platform, and has something to find. */
export function isRelevant(source: Source): boolean {
  return resultOf(judging(source, new Work()));
}

/** Whether a source is worth reading, in slices. */
function* judging({ text, path }: Source, work: Work): Generator<void, boolean> {
  const isAbout = /gitlab/i.test(path) || (yield* occursIn(text, calling, work));
  return isAbout && (yield* occursIn(text, anyAnnounced, work));
}

/** Whether a pattern that stands within one line occurs, in slices of whole lines. */
function* occursIn(text: string, pattern: RegExp, work: Work): Generator<void, boolean> {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start + pieceLength);
    const piece = text.slice(start, end === -1 ? text.length : end);
    if (pattern.test(piece)) {
      return true;
    }
    work.addSearch(piece.length);
    start += piece.length;
    yield;
  }
  return false;
}

function resultOf<T>(steps: Generator<void, T>): T {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) {
      return step.value;
    }
  }
}

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

/** The places of a source that rely on an announced change, in their order. */
export function recognize(source: Source, work = new Work()): Finding[] {
  return resultOf(recognizing(source, work));
}

/**
 * Recognizes in slices of about a millisecond: yields between them, so that other tasks can run or the work can be
 * cancelled. Steps grow linearly with the text.
 *
 * @throws OverBudgetError where the work may have fewer steps than the source needs.
 */
export function* recognizing(source: Source, work: Work): Generator<void, Finding[]> {
  if (isGenerated(source.text) || !(yield* judging(source, work))) {
    return [];
  }
  yield;
  if (source.languageId === 'markdown') {
    const findings: Finding[] = [];
    for (const block of codeBlocksOf(source.text, work)) {
      if (block) {
        const inner = yield* recognizing({ ...source, ...block }, work);
        findings.push(...inner.map((finding) => moved(finding, block.start)));
      }
      yield;
    }
    return findings;
  }
  const syntax = syntaxOf(source.languageId);
  if (!syntax) {
    return [];
  }
  const tokens = yield* tokensOf(source.text, syntax, work);
  const structure = new Structure(tokens);
  yield* structure.build(syntax.commands !== undefined, work);
  const clients: Client[] = [];
  for (const client of knownClients) {
    if (yield* occursIn(source.text, client.used, work)) {
      clients.push(client);
    }
  }
  const isAbout = /gitlab/i.test(source.path) || clients.length > 0 || (yield* occursIn(source.text, aboutApi, work));
  const hasOthers = yield* occursIn(source.text, others, work);
  const calls = clients.length > 0 ? new ClientCalls(clients) : undefined;
  const recognizer = new Recognizer(source, syntax, tokens, structure, calls, isAbout, hasOthers, work);
  yield* recognizer.findCalls();
  yield* recognizer.findNames();
  return recognizer.findings();
}

/**
 * Recognizes in slices of a few milliseconds, between which other tasks run.
 *
 * @param maxSteps steps that the source may cost.
 * @param isCancelled asked between slices; the work ends as soon as it says so.
 * @returns the findings; none if it was cancelled.
 * @throws OverBudgetError if the source costs more.
 */
export async function recognizeInSlices(
  source: Source,
  maxSteps: number,
  isCancelled: () => boolean,
  work = new Work(maxSteps),
): Promise<readonly Finding[]> {
  // A collection of garbage, which a large source makes, has to fit into a frame with it.
  const yielder = new Yielder(2);
  const slices = recognizing(source, work);
  for (let slice = slices.next(); ; slice = slices.next()) {
    if (slice.done) {
      return slice.value;
    }
    await yielder.rest();
    if (isCancelled()) {
      return [];
    }
  }
}

/** A call, or a variable that holds what one answers, or the address of one. */
interface CallSite {
  readonly context: Context;
  /** Whether it is an address that is not an argument of a call: `url = "…/runners"`. */
  readonly isAddress: boolean;
}

/** How a program uses a name, and, for a member, the token of the mark before it. */
interface Use {
  readonly kind: 'key' | 'member' | 'declared';
  readonly dot: number;
}

/** What stands before a member: the call that it ends or the variable that it begins with, its name, and where it begins. */
interface Receiver {
  readonly context: Context;
  readonly name: string;
  readonly first: number;
}

/** A name within a text, and what stands after it. */
const nameInText = new RegExp(
  `((?:^|[?&{,\\s"'.\\[(=:\\\\]))(${anyName})(?=\\W|$)(\\\\?["']?\\]?\\s*(?:==?|:(?!:)))?`,
  'g',
);

class Recognizer {
  readonly #source: string;
  readonly #tokens: Tokens;
  readonly #structure: Structure;
  readonly #work: Work;
  readonly #hasCommands: boolean;
  readonly #isDynamic: boolean;
  readonly #isPython: boolean;
  readonly #isYaml: boolean;
  readonly #clients: ClientCalls | undefined;
  readonly #hasOthers: boolean;
  /** How sure a name is by the file alone; undefined where the file speaks against it. */
  readonly #tierOfFile: Confidence | undefined;
  readonly #tierOfPath: Confidence | undefined;
  /** The name that the file has for the package of the client. */
  readonly #package: string;
  /** Whether types of a name are those of the client, which the file imports. */
  readonly #imported = new Map<string, boolean>();
  /** Types of the program that hold what calls answer, and functions that are given a record of the client. */
  readonly #types = new Map<string, Context>();
  readonly #given = new Map<number, Context>();
  /** Whether the file has the name that replaces one that changes. */
  readonly #migrated = new Map<ChangeId, boolean>();
  /** Variables whose type stands before them. */
  readonly #declared = new Map<number, CallSite>();
  readonly #findings = new Map<string, Finding>();
  /** What the variable at a token holds, and what a text that names a path is about. */
  readonly #sites = new Map<number, CallSite>();
  /** Texts that were read with the one that they are joined to. */
  readonly #joined = new Set<number>();
  /** What variables hold, by function and name, while the tokens are read in their order; undefined for something else. */
  readonly #variables = new Map<string, CallSite | undefined>();
  /** Where variables are given to calls. */
  readonly #sent = new Map<
    string,
    { next: number; readonly uses: { readonly index: number; readonly context: Context }[] }
  >();
  /** Variables that hold the address of the API: `api = "https://host/api/v4"`. */
  readonly #bases = new Set<string>();
  /** Commands that call the API: the platform's own, and functions of the script: `api() { curl "$URL/api/v4/$1"; }`. */
  readonly #wrappers = new Set(['glab']);
  /** The function of a script whose body is read. */
  #function: string | undefined;

  constructor(
    { text, path, languageId }: Source,
    syntax: Syntax,
    tokens: Tokens,
    structure: Structure,
    clients: ClientCalls | undefined,
    isAbout: boolean,
    hasOthers: boolean,
    work: Work,
  ) {
    this.#source = text;
    this.#tokens = tokens;
    this.#structure = structure;
    this.#work = work;
    this.#hasCommands = syntax.commands !== undefined;
    this.#isDynamic = dynamic.test(languageId);
    this.#isPython = languageId === 'python';
    this.#isYaml = syntax.commands === 'blocks';
    this.#clients = clients;
    this.#package =
      (clients && /\b(\w{1,40})[ \t]{1,8}"[^"\n]{0,200}(?:go-gitlab|api\/client-go)"/.exec(text)?.[1]) ?? 'gitlab';
    this.#hasOthers = hasOthers;
    const isElsewhere = elsewhere.test(path) || (otherForge.test(path) && !/gitlab/i.test(path));
    this.#tierOfPath = isElsewhere ? undefined : isAbout ? 'likely' : 'possible';
    this.#tierOfFile = hasOthers ? undefined : this.#tierOfPath;
  }

  findings(): Finding[] {
    const ordered = [...this.#findings.values()].sort((one, other) => one.start - other.start || one.end - other.end);
    const nameOf = ({ start, end }: Finding): string => this.#source.slice(start, end);
    // A field and the name that its annotation gives it are one place.
    const isTwin = (finding: Finding, other: Finding | undefined): boolean =>
      other !== undefined &&
      nameOf(other).includes('_') &&
      normalizedName(nameOf(other)) === normalizedName(nameOf(finding)) &&
      other.start - finding.end < 120 &&
      finding.start - other.end < 120;
    return ordered.filter(
      (finding, index) =>
        nameOf(finding).includes('_') || !(isTwin(finding, ordered[index - 1]) || isTwin(finding, ordered[index + 1])),
    );
  }

  /** Finds paths and calls of clients, marks the brackets around them with what they are about, and follows variables. */
  *findCalls(): Generator<void> {
    for (let index = 0; index < this.#tokens.length; index += 1) {
      if (this.#work.isDue()) {
        yield;
      }
      const { kind, text, start, end } = this.#tokens.at(index) as Token;
      if (kind === 'text') {
        this.#structure.addField(index, /^\w+:\\?"(\w+)/.exec(text)?.[1] ?? text);
        if (this.#hasCommands && (text === '{' || text === '}')) {
          const name = this.#textAt(this.#textAt(index - 1) === ')' ? index - 3 : index - 1);
          this.#function = text === '{' && /^\w+$/.test(name) ? name : undefined;
        }
        const assigned = this.#hasCommands ? /^[@-]?(\w+)=/.exec(text)?.[1] : undefined;
        if (assigned !== undefined) {
          this.#setVariable(index, assigned, undefined);
        }
        this.#readPaths(index);
        if (this.#variables.size > 0) {
          for (const [, name = ''] of this.#source.slice(start, end).matchAll(/[${]\{?\s*(\w+)/g)) {
            this.#readVariable(index, name);
          }
          if (this.#hasCommands) {
            this.#readVariable(index, text);
          }
        }
      } else if (kind === 'word') {
        this.#structure.addField(index, text);
        this.#readClientCall(index);
        this.#readType(index, text);
        this.#readVariable(index, text);
        if (text === 'function') {
          this.#readCallback(index + 2);
        }
      } else if (this.#sites.size > 0 && /^(?:=>|->|\|)$/.test(text)) {
        const closed = this.#structure.closedBy(index - 1);
        this.#readCallback(text === '|' ? index + 1 : closed ? closed.opener + 1 : index - 1);
      }
    }
  }

  #textAt(index: number): string {
    return this.#tokens.textAt(index);
  }

  #isWord(index: number): boolean {
    return this.#tokens.kindAt(index) === 'word';
  }

  /** The paths of a text, or of texts that are joined: `base + "/runners/" + id`, `get("projects", id, "runners")`. */
  #readPaths(first: number): void {
    if (this.#joined.has(first)) {
      return;
    }
    const { text, start, from } = this.#tokens.at(first) as Token;
    if (
      this.#isPython &&
      /^["']{3}/.test(this.#source.slice(start, from)) &&
      this.#structure.groupAt(first).bracket === ''
    ) {
      // What stands alone only describes.
      return;
    }
    const before = this.#textAt(first - 1);
    if (text.length < 300 && /api[/_]v4\/?$/i.test(text)) {
      this.#bases.add(this.#targetOf(first).name ?? '');
    }
    const pieces: { readonly at: number; readonly from: number }[] = [];
    let joined = !this.#hasCommands && joiner.test(before) ? unknown : '';
    const isList =
      /^\/?(?:projects|groups|runners)\/?$/.test(text) && /^[,([]$/.test(before) && this.#textAt(first + 1) === ',';
    const operator = isList ? /^[,.]$/ : joiner;
    let [isOperand, stop] = [false, 0];
    const own = this.#structure.groupAt(first).id;
    for (let at = first; at < Math.min(first + 60, this.#tokens.length); at += 1) {
      const token = this.#tokens.at(at) as Token;
      const isInside = this.#structure.groupAt(at).id !== own;
      if (isInside || (at > first && /^[()[\]]$/.test(token.text))) {
        continue;
      }
      if (token.kind !== 'mark' && (this.#hasCommands ? at === first || token.start === stop : !isOperand)) {
        pieces.push({ at: joined.length, from: token.from });
        joined += token.kind === 'text' ? token.text : unknown;
        if (at > first) {
          this.#joined.add(at);
        }
      } else if (isOperand && operator.test(token.text)) {
        joined += token.text === ',' ? '/' : '';
      } else {
        break;
      }
      [stop, isOperand] = [token.end, !isOperand];
    }
    this.#work.addSearch(joined.length);
    if (this.#function !== undefined && joined.length < 300 && /api[/_]v4/i.test(joined)) {
      this.#wrappers.add(this.#function);
    }
    if (joined.length > longestText || !mayBePath(joined)) {
      return;
    }
    const placeOf = (at: number): number => {
      const piece = pieces.findLast((candidate) => candidate.at <= at);
      return piece ? piece.from + at - piece.at : from;
    };
    for (const { 0: path, index: at } of joined.matchAll(/[^\s"'`<>\\|]+/g)) {
      if (mayBePath(path)) {
        this.#work.add(8);
        this.#readPath(first, path, (offset) => placeOf(at + offset));
      }
    }
  }

  #readPath(index: number, path: string, placeOf: (offset: number) => number): void {
    const endpoint = endpointOf(path);
    if (!endpoint || /\/api\/v[35]\b/.test(path)) {
      return;
    }
    // `${base}/runners`, `base + '/runners'`.
    const isJoined = joiner.test(this.#textAt(index - 1));
    const base = /^[{$\s]*(\w+)/.exec(path)?.[1] ?? this.#textAt(isJoined ? index - 2 : index + 2);
    const namesApi = endpoint.namesApi || this.#isWrapped(index) || this.#bases.has(base) || /api_?v4/i.test(base);
    if (!this.#isRequested(index, path)) {
      return;
    }
    const isOther = /^https?:\/\/\w/.test(path) && !/^https?:\/\/[^/]*gitlab/i.test(path);
    // A word alone, or a route of a user interface, is no call.
    const isRoute = /^(?:app|router|server|routes?)$/i.test(this.#textAt(index - 4));
    const tierOfPath = this.#hasOthers && !ownPath.test(path) ? undefined : this.#tierOfPath;
    if (!namesApi && (tierOfPath === undefined || isOther || endpoint.isBare || isRoute)) {
      return;
    }
    const tier = namesApi ? 'certain' : (tierOfPath ?? 'possible');
    this.#addCall(index, index, endpoint.resources, tier);
    if (endpoint.change) {
      const segment = { start: placeOf(endpoint.change.start), end: placeOf(endpoint.change.end - 1) + 1 };
      this.#add(endpoint.change.id, segment, tier, fixOfEndpoint(endpoint.change.id, segment));
    }
  }

  /** Whether a path is requested: not a key, as in a description of an API; of YAML, a value of its own or an argument of a command. */
  #isRequested(index: number, path: string): boolean {
    const [after, { text }] = [this.#textAt(index + 1), this.#tokens.at(index) as Token];
    if (!this.#isYaml) {
      return !(after === ':' && this.#structure.groupAt(index).bracket === '{');
    }
    const first = this.#structure.groupAt(index).opener + 1;
    const words = Array.from({ length: index - first }, (_, ahead) => this.#textAt(first + ahead));
    const isValue =
      /^\w+=/.test(path) || (text.trimStart().startsWith(path) && /(?:^|[:=(-])$/.test(words.at(-1) ?? ''));
    return (
      !text.endsWith(':') &&
      (isValue ||
        this.#isWrapped(index) ||
        [...words.slice(-60), ...text.split(/\W+/, 60)].some((one) => commanding.test(one)))
    );
  }

  /** Whether the command of a text calls the API: `glab api runners`. */
  #isWrapped(index: number): boolean {
    const first = this.#structure.groupAt(index).opener + 1;
    return this.#hasCommands && [0, 1, 2, 3].some((ahead) => this.#wrappers.has(this.#textAt(first + ahead)));
  }

  #readClientCall(index: number): void {
    if (!this.#clients || !scoped.test(this.#textAt(index - 1))) {
      return;
    }
    const closed = this.#structure.closedBy(index - 2);
    const receiver = this.#tokens.at((closed?.opener ?? index - 1) - 1);
    const hasBrackets = this.#textAt(index + 1) === '(';
    const isCall = hasBrackets || (receiver?.text === 'Gitlab' && !/^[=.]$/.test(this.#textAt(index + 1)));
    const call =
      isCall && receiver?.kind === 'word' ? this.#clients.meaningOf(receiver.text, this.#textAt(index)) : undefined;
    if (!call || !this.#isOfClient(index)) {
      return;
    }
    this.#addCall(index, index + (hasBrackets ? 2 : 1), call.resources, 'certain');
    if (call.change) {
      const isService = /^(?:group)?s?(?:epic\w*|geo_?nodes)$/i.test(receiver?.text ?? '');
      const { start, end } = (isService ? receiver : this.#tokens.at(index)) as Token;
      this.#add(call.change, { start, end }, 'certain', undefined);
    }
  }

  /** Whether a call is one of a client rather than of another library of the file that has calls of such names, too. */
  #isOfClient(index: number): boolean {
    const first = this.#chainStart(index);
    return (
      !this.#hasOthers ||
      this.#sites.has(first) ||
      /gitlab|^_?gl$|^gl_|_gl$|merge_?request|^mrs?$|^epics?$/i.test(
        `${this.#textAt(first)} ${this.#textAt(index - 2)}`,
      )
    );
  }

  #addCall(index: number, inside: number, resources: readonly Resource[], tier: Confidence): void {
    const context = contextWith(resources, tier);
    const callee = this.#textAt(this.#structure.groupAt(index).opener - 1).replace(/Async|Json$/g, '');
    const isAddress = inside === index && this.#tokens.at(index)?.kind === 'text' && !requesting.test(callee);
    this.#mark(inside, context);
    this.#sites.set(index, { context, isAddress });
    this.#assign(index, { context, isAddress });
  }

  /** Marks the brackets around a call, and notes the variables that it is given. */
  #mark(index: number, context: Context): void {
    this.#structure.mark(index, context);
    const around = this.#structure.groupsAt(index);
    const end = around.findIndex(
      ({ kind, opener }, level) => level > 0 && (kind === 'statements' || index - opener >= 60),
    );
    const call = around.at(end === -1 ? -1 : end - 1) as BracketGroup;
    const first = call.kind === 'statements' ? index : call.opener + 1;
    for (let at = first; !this.#hasCommands && at < Math.min(index + 60, this.#tokens.length); at += 1) {
      this.#work.add(1);
      const name = this.#textAt(at);
      if (!this.#isWord(at) || access.test(this.#textAt(at - 1)) || /^(?:this|self)$/.test(name)) {
        continue;
      }
      if (at > index && this.#structure.groupAt(at).kind === 'statements') {
        break;
      }
      const sent = this.#sent.get(name) ?? { next: 0, uses: [] };
      this.#sent.set(name, sent);
      if (sent.uses.at(-1)?.index !== at) {
        sent.uses.push({ index: at, context });
      }
    }
  }

  #variableAt(index: number, name: string): CallSite | undefined {
    const key = this.#structure
      .functionsAt(index)
      .map((id) => `${id} ${name}`)
      .find((candidate) => this.#variables.has(candidate));
    return key === undefined ? undefined : this.#variables.get(key);
  }

  #setVariable(index: number, name: string, site: CallSite | undefined): void {
    this.#variables.set(`${this.#structure.functionsAt(index)[0]} ${name}`, site);
  }

  #readVariable(index: number, name: string): void {
    const isMember = access.test(this.#textAt(index - 1)) && !/^(?:self|this)$/.test(this.#textAt(index - 2));
    const isDeclared =
      this.#isLooped(index) ||
      /^(?:=|:=)$/.test(this.#textAt(index + 1)) ||
      this.#declared.has(index) ||
      (this.#structure.groupAt(index).kind === 'parameters' && !/^[.:>]$/.test(this.#textAt(index - 1)));
    if (this.#isWord(index) && isDeclared && !isMember) {
      this.#setVariable(index, name, this.#declared.get(index));
    }
    const variable = isMember ? undefined : this.#variableAt(index, name);
    if (!variable) {
      return;
    }
    this.#sites.set(index, variable);
    if (variable.isAddress || this.#hasCommands) {
      this.#mark(index, variable.context);
    }
    this.#assign(index, variable, true);
  }

  /** Gives what a value holds to the parameter of a function that is called with it: `runners.filter((runner) => …)`. */
  #readCallback(index: number): void {
    const group = this.#structure.groupAt(index);
    const isBlock = /^(?:\{|do|\|)$/.test(this.#textAt(index - 1));
    const own = group.bracket === '(' && !isBlock ? this.#structure.groupAt(group.opener) : group;
    let callee = own.opener - 1;
    if (this.#textAt(index - 1) === '|') {
      const closed = this.#structure.closedBy(index - 3);
      callee = closed ? closed.opener - 1 : index - 3;
    } else if (iterating.test(this.#textAt(group.opener - 1))) {
      callee = group.opener - 1;
    }
    if (!iterating.test(this.#textAt(callee)) || !access.test(this.#textAt(callee - 1))) {
      return;
    }
    const { context } = this.#receiverOf(callee - 1);
    const pattern = this.#textAt(index) === '{' ? this.#structure.openedBy(index) : undefined;
    this.#give(index, this.#isWord(index) ? this.#textAt(index) : undefined, pattern, { context, isAddress: false });
  }

  /** Gives what a call is about to the variable that the statement assigns, and to the names that it takes out of it. */
  #assign(index: number, { context, isAddress }: CallSite, isRead = false): void {
    const { name, pattern, begin, loop } = this.#targetOf(index);
    this.#fill(index, context);
    const { id, opener } = this.#structure.groupAt(index);
    for (let at = opener + 1; this.#hasCommands && at < opener + 40 && this.#structure.groupAt(at).id === id; at += 1) {
      // The file that the answer is written to.
      if (/^(?:>|-o|--output)$/.test(this.#textAt(at))) {
        this.#setVariable(index, this.#textAt(at + 1), { context, isAddress: false });
      }
    }
    if ((name !== undefined || pattern) && (this.#hasCommands || this.#isCarried(index, begin, isRead && !isAddress))) {
      const site = { context, isAddress: isAddress && !isRead };
      this.#give(index, name, pattern, site);
      if (this.#isPython && loop !== undefined) {
        this.#giveBack(loop, site);
      }
    }
  }

  /** Gives what a value holds to a variable before the loop that declares it: `[one["merged_by"] for one in merged]`. */
  #giveBack(loop: number, site: CallSite): void {
    const { bracket, opener } = this.#structure.groupAt(loop);
    const first = bracket === '' ? loop : Math.max(opener + 1, loop - 60);
    for (let at = first; at < loop; at += 1) {
      if (this.#isWord(at) && this.#textAt(at) === this.#textAt(loop) && !access.test(this.#textAt(at - 1))) {
        this.#sites.set(at, site);
      }
    }
  }

  #give(index: number, name: string | undefined, pattern: BracketGroup | undefined, site: CallSite): void {
    if (name !== undefined) {
      this.#setVariable(index, name, site);
    }
    if (pattern) {
      this.#structure.include(pattern, site.context);
      const { opener, id } = pattern;
      for (let at = opener + 1; at < opener + 40 && this.#structure.groupAt(at).id === id; at += 1) {
        if (this.#isWord(at) && this.#textAt(at + 1) !== ':') {
          const isWhole = /^(?:data|body|json|result|items|response|value)$/.test(this.#textAt(at));
          this.#setVariable(index, this.#textAt(at), isWhole ? { ...site, isAddress: false } : undefined);
        }
      }
    }
  }

  /** Gives what a call is about to the variable that it fills: `Decode(&runner)`. */
  #fill(index: number, context: Context): void {
    for (let at = index + 1; !this.#hasCommands && at < index + 16 && !/^[;{}]$/.test(this.#textAt(at)); at += 1) {
      if (this.#textAt(at) === '&' && this.#textAt(at + 2) === ')') {
        this.#setVariable(at, this.#textAt(at + 1), { context, isAddress: false });
      }
    }
  }

  /** Knows variables, literals and records by a type that the file has from a client: `mr *gitlab.MergeRequest`. */
  #readType(index: number, name: string): void {
    const known = this.#clients ? this.#contextOfType(index, name) : undefined;
    if (!known) {
      return;
    }
    const site = { context: known, isAddress: false };
    const first = this.#chainStart(index);
    const [before, next] = [this.#textAt(first - 1), index + 1];
    const literal = this.#structure.openedBy(next);
    if (literal) {
      this.#structure.include(literal, known);
    }
    const record = this.#structure.groupAt(index);
    if (record.kind === 'fields' && this.#tokens.columnAt(first) >= 0 && this.#tokens.columnAt(next) >= 0) {
      // A struct of Go that embeds it.
      this.#structure.include(record, known);
      this.#types.set(this.#structure.nameOf(record) ?? '', known);
    }
    let after = next;
    while (/^[>[\]?*]$/.test(this.#textAt(after))) {
      after += 1;
    }
    if (this.#isWord(after) && this.#tokens.columnAt(after) < 0 && this.#textAt(after + 1) !== '(') {
      this.#declared.set(after, site);
    }
    let at = first - 1;
    while (
      first - at < 8 &&
      /^(?:[*[\]&:<?|]|[Ll]ist|Array|Promise|Sequence|Iterable|Iterator|Optional)$/.test(this.#textAt(at))
    ) {
      at -= 1;
    }
    const isParameter = this.#structure.groupAt(at).kind === 'parameters';
    if (this.#isWord(at) && before !== '.' && (isParameter || /^(?:var|let|const|val)$/.test(this.#textAt(at - 1)))) {
      this.#setVariable(at, this.#textAt(at), site);
      if (isParameter) {
        this.#given.set(this.#structure.functionsAt(at)[0] ?? 0, known);
      }
    }
  }

  /** What records of a type are about; undefined if it is not one of a client, or made of one. */
  #contextOfType(index: number, name: string): Context | undefined {
    const resource = /^[A-Z]/.test(name) ? resourceNamed(name) : undefined;
    if (resource === undefined || this.#types.has(name)) {
      return this.#types.get(name);
    }
    const isQualified = access.test(this.#textAt(index - 1));
    const isOwn = isQualified
      ? [this.#package, 'gitlab'].includes(this.#textAt(this.#chainStart(index)))
      : this.#isImported(name);
    return isOwn ? contextWith(resource === 'group' ? ['group', 'groupDetails'] : [resource], 'certain') : undefined;
  }

  #isImported(name: string): boolean {
    const imported =
      this.#imported.get(name) ??
      (new RegExp(
        `\\borg\\.gitlab4j\\.[\\w.]+\\.(?:${name}\\b|\\*)|\\bfrom gitlab[\\w.]* import[^;]{0,200}\\b${name}\\b|\\b${name}\\b[^;]{0,200}from ['"]@gitbeaker|\\busing (?:NGitLab|GitLabApiClient)\\.Models`,
      ).test(this.#source) &&
        !new RegExp(`\\b(?:class|interface|record|struct|enum|type)\\s+${name}\\b`).test(this.#source));
    this.#imported.set(name, imported);
    return imported;
  }

  /**
   * Whether a statement assigns what a call answers or a variable holds as it is, or a part of it that is such a record: not what a
   * function of the program makes of it.
   */
  #isCarried(index: number, begin: number, isRead: boolean): boolean {
    let [first, last] = [index, index];
    if (!isRead && (this.#tokens.kindAt(index) === 'text' || this.#sites.get(index)?.isAddress === true)) {
      let call = this.#structure.groupAt(index);
      const calleeOf = ({ opener }: BracketGroup): string =>
        this.#source.slice(Math.max(0, (this.#tokens.at(opener)?.start ?? 0) - 40), this.#tokens.at(opener)?.start);
      for (let outer = 0; outer < 3 && addressing.test(calleeOf(call)); outer += 1) {
        call = this.#structure.groupAt(call.opener);
      }
      if (call.bracket === '' || (this.#tokens.at(call.opener)?.start ?? 0) < begin) {
        return true;
      }
      [first, last] = [call.opener - 1, call.closer];
    } else if (!isRead) {
      last = this.#structure.openedBy(index + 1)?.closer ?? index;
    }
    const before = this.#source.slice(begin, this.#tokens.at(this.#chainStart(first))?.start);
    const isCarried = before.split(/[^\w.:$@>-]+|->/).every((word) => !/\w/.test(word) || isCarrying(word));
    return isCarried && !scoped.test(this.#afterMembers(last));
  }

  /** What stands after a value and the members of it that leave it what it is. */
  #afterMembers(last: number): string {
    const from = this.#tokens.at(last)?.end ?? 0;
    const rest = this.#source.slice(from, from + longestMembers);
    return /^(?:->|\?\.|&\.|[.[])?/.exec(rest.slice(wholeMembers.exec(rest)?.[0].length))?.[0] ?? '';
  }

  /** What the statement of a token assigns: a variable, or names in brackets; and where what is assigned begins. */
  #targetOf(index: number): {
    readonly name?: string;
    readonly pattern?: BracketGroup;
    readonly begin: number;
    /** The variable, if a loop declares it. */
    readonly loop?: number;
  } {
    if (this.#hasCommands) {
      // `runners=$(curl …)`, or `url=…/runners`, of a shell; `url: …` of YAML.
      const [command, parent, outer] = this.#structure.groupsAt(index);
      const opener = (parent?.bracket === '(' ? outer : command)?.opener ?? -1;
      const start = this.#tokens.at(opener + 1)?.start ?? 0;
      const name = /^[@-]?\s*(?:(?:export|local|readonly|ENV|ARG)\s+)?(\w+)\s*[=:]/.exec(
        this.#source.slice(start, start + 80),
      )?.[1];
      return name === undefined ? { begin: 0 } : { name, begin: 0 };
    }
    for (let at = index - 1; at >= 0 && index - at < 24; at -= 1) {
      const { kind, text, end } = this.#tokens.at(at) as Token;
      if (this.#isLooped(at - 1)) {
        return { name: this.#textAt(at - 1), begin: end, loop: at - 1 };
      }
      const taken = /^(?:of|in)$/.test(text) && this.#textAt(at - 1) === '}' && this.#structure.closedBy(at - 1);
      if (taken) {
        return { pattern: taken, begin: end };
      }
      if (kind === 'mark' && /^(?:=|:=)$/.test(text)) {
        const isRange = this.#textAt(at + 1) === 'range';
        const isArgument = this.#structure.groupAt(at).bracket === '(';
        let target = at - 1;
        // Before it may stand further names: `mr, resp, err :=`; of `_, mr := range` it is the last one.
        for (let names = isRange || isArgument ? 3 : 1; names < 3 && this.#textAt(target - 1) === ','; names += 1) {
          target -= this.#isWord(target - 2) ? 2 : 0;
        }
        let typed = target;
        while (target - typed < 8 && /^(?:\w+|[<>[\].|&]|::)$/.test(this.#textAt(typed))) {
          typed -= 1;
        }
        if (
          this.#textAt(typed) === ':' &&
          (this.#tokens.columnAt(typed - 1) >= 0 || /^(?:let|const|var|val|mut)$/.test(this.#textAt(typed - 2)))
        ) {
          target = typed - 1;
        }
        const pattern = this.#textAt(target) === '}' ? this.#structure.closedBy(target) : undefined;
        const begin = isRange ? (this.#tokens.at(at + 1)?.end ?? end) : end;
        return { ...(this.#isWord(target) ? { name: this.#textAt(target) } : pattern && { pattern }), begin };
      }
      const isEnd =
        kind === 'mark'
          ? /^[;}]$/.test(text) || (text === '{' && this.#structure.groupAt(at + 1).kind === 'statements')
          : kind === 'word' && /^(?:if|while|return|for|else|elif|unless|print|puts|def)$/.test(text);
      if (isEnd) {
        break;
      }
    }
    return { begin: 0 };
  }

  /** Whether a token is the variable of a loop: `for x in`, `for (const x of`. */
  #isLooped(index: number): boolean {
    const before = this.#textAt(index - (this.#textAt(index - 1) === '(' ? 2 : 1));
    const { bracket, opener } = this.#structure.groupAt(index);
    // `for (JsonNode runner : runners) {`
    if (this.#textAt(index + 1) === ':' && bracket === '(' && this.#textAt(opener - 1) === 'for') {
      return true;
    }
    return /^(?:in|of)$/.test(this.#textAt(index + 1)) && /^(?:for|foreach|const|let|var)$/.test(before);
  }

  /** Finds names: as words, as texts and within texts. */
  *findNames(): Generator<void> {
    for (let index = 0; index < this.#tokens.length; index += 1) {
      if (this.#work.isDue()) {
        yield;
      }
      const { kind, text } = this.#tokens.at(index) as Token;
      if (kind !== 'mark' && text.length < 60 && !this.#hasCommands) {
        for (const row of rowsOf(text)) {
          this.#readName(index, row);
        }
      }
      if (kind === 'text' && text.length >= 8 && text.length <= longestText) {
        this.#work.add(text.length);
        this.#readText(index, text);
      }
    }
  }

  #useOf(index: number): Use | undefined {
    const { kind } = this.#tokens.at(index) as Token;
    const [before, after, callee] = [this.#textAt(index - 1), this.#textAt(index + 1), this.#textAt(index - 2)];
    if (kind === 'word' && access.test(before)) {
      return { kind: 'member', dot: index - 1 };
    }
    if (
      after === ']' &&
      (before === '[' ? kind === 'text' && (this.#isWord(index - 2) || /^[)\]]$/.test(callee)) : before === ':')
    ) {
      return { kind: 'member', dot: before === '[' ? index - 1 : index - 2 };
    }
    // `$mr->{merge_status}`
    if (before === '{' && after === '}' && callee === '->') {
      return { kind: 'member', dot: index - 2 };
    }
    // `mr.get("merge_status")`, rather than `form.append("active", true)`.
    const isReading = kind === 'text' && before === '(' && access.test(this.#textAt(index - 3));
    if (isReading && (after === ')' || this.#receiverOf(index - 3).context !== 0)) {
      return { kind: 'member', dot: index - 3 };
    }
    const around = this.#structure.groupAt(index);
    const isKey =
      after === '=>' ||
      (kind === 'text'
        ? (/^[:=]$/.test(after) && before !== '?') || (after === ',' && /^[(,]$/.test(before) && around.bracket === '(')
        : /^[:=]$/.test(after) && around.kind === 'values' && around.bracket !== '' && /^[{(,]$/.test(before));
    const isPattern =
      kind === 'word' &&
      around.bracket === '{' &&
      /^[{,]$/.test(before) &&
      /^[},]$/.test(after) &&
      this.#structure.contextIn(around) !== 0;
    if (isKey || isPattern) {
      return { kind: 'key', dot: -1 };
    }
    const isDeclared =
      this.#structure.recordOf(index).kind === 'fields' && (kind === 'text' || (after !== '(' && before !== '::'));
    return isDeclared ? { kind: 'declared', dot: -1 } : undefined;
  }

  #readName(index: number, row: NameRow): void {
    const use = this.#useOf(index);
    const { subject } = row.change;
    const isField = subject.kind === 'field';
    const [after, value] = [this.#textAt(index + 1), this.#valueAfter(index)];
    if (use?.kind === 'member') {
      const isAssigned = /^(?:=|\]=)$/.test(after) || (after === ']' && this.#textAt(index + 2) === '=');
      // A method of that name is something else, but for accessors.
      const isMethod = this.#isWord(index) && after === '(' && !/^(?:get|is|set|with)[A-Z]/.test(this.#textAt(index));
      const receiver = this.#receiverOf(use.dot);
      const context = receiver.context || (isAssigned ? this.#nextUse(receiver.name, index) : 0);
      const tier = this.#tierOf(index, row, use.kind, context, receiver.name);
      if (tier && subject.kind === 'value' && subject.received) {
        this.#readComparison(index, row, tier);
      } else if (
        tier &&
        !(isMethod && !(row.isDistinctive && this.#textAt(index + 2) === ')')) &&
        (isField || isAssigned)
      ) {
        this.#addName(index, row, tier, use.kind, receiver);
      }
    } else if (use?.kind === 'key') {
      const record = this.#structure.recordOf(index);
      const isRead = /^(?:const|let|var)$/.test(this.#textAt(record.opener - 1));
      const isOther = subject.kind === 'value' && !subject.values.some((wanted) => isValue(value?.text ?? '', wanted));
      const form =
        this.#textAt(index - 1) === '(' && access.test(this.#textAt(index - 3)) && this.#isWord(index - 4)
          ? this.#textAt(index - 4)
          : undefined;
      const around = this.#structure.groupAt(index);
      const holder =
        form ??
        (around.bracket === ''
          ? undefined
          : this.#targetOf((around.bracket === '[' && after === '=>' ? around : record).opener).name);
      const context = !row.isSent && !isRead ? 0 : this.#structure.contextAt(index) || this.#nextUse(holder, index);
      const tier = isOther ? undefined : this.#tierOf(index, row, use.kind, context, this.#structure.nameOf(record));
      if (tier) {
        this.#addName(index, row, tier, !isRead ? use.kind : after === ':' ? 'member' : 'declared');
      }
    } else if (use && subject.kind !== 'value') {
      const tier = this.#tierOf(index, row, use.kind, 0, this.#structure.nameOf(this.#structure.recordOf(index)));
      if (tier) {
        this.#addName(index, row, tier, use.kind);
      }
    }
  }

  /**
   * How sure it is that a name belongs to a resource: as sure as the call that the function reads it from or sends it with. Else it
   * is a field of a record that is named after the resource and has other fields of it; and of a distinctive name one of the two
   * makes it possible.
   */
  #tierOf(index: number, row: NameRow, kind: Use['kind'], context: Context, holder?: string): Confidence | undefined {
    const { resources, isDistinctive } = row;
    const record = kind === 'member' ? undefined : this.#structure.recordOf(index);
    const known =
      record && kind === 'declared'
        ? this.#structure.contextIn(record) | (this.#given.get(this.#structure.functionsAt(index)[0] ?? 0) ?? 0)
        : 0;
    const tier = tierIn(context | known, resources);
    if (tier || !this.#tierOfFile || this.#hasCommands) {
      return tier === 'possible' && !isDistinctive ? undefined : tier;
    }
    const isNamed = isNamedAfter(holder, resources);
    if (this.#isMigrated(row, record)) {
      return undefined;
    }
    const fields = record ? this.#structure.fieldsOf(record, resources) : 0;
    if (kind === 'declared' && fields >= (isNamed ? 1 : 3) && this.#tierOfFile === 'likely') {
      return 'likely';
    }
    return isDistinctive && (isNamed || fields >= 2) ? 'possible' : undefined;
  }

  /** Whether the file has the name that replaces another, but not in the record of that one: then the record is its own. */
  #isMigrated({ change: { id, replacement } }: NameRow, record: BracketGroup | undefined): boolean {
    if (replacement === undefined) {
      return false;
    }
    const isNew = new RegExp(`${replacement.replaceAll('_', '_?')}\\b`, 'i');
    const known = this.#migrated.get(id) ?? isNew.test(this.#source);
    this.#migrated.set(id, known);
    const from = record ? (this.#tokens.at(record.opener)?.end ?? 0) : 0;
    const to = record ? (this.#tokens.at(record.closer)?.start ?? 0) : 0;
    return known && !isNew.test(this.#source.slice(from, Math.min(to, from + longestText)));
  }

  /** What the call is about that a variable is given to next. */
  #nextUse(name: string | undefined, index: number): Context {
    const sent = this.#sent.get(name ?? '');
    if (!sent) {
      return 0;
    }
    const { uses } = sent;
    while ((uses[sent.next]?.index ?? Number.POSITIVE_INFINITY) <= index) {
      sent.next += 1;
    }
    const use = uses[sent.next];
    const isNear = use && use.index < index + 400;
    const isSame = isNear && this.#structure.functionsAt(use.index)[0] === this.#structure.functionsAt(index)[0];
    return isSame ? use.context : 0;
  }

  /** `runner.status == "active"`, `runner["status"] in ("paused", …)`. */
  #readComparison(index: number, { change: { subject, id } }: NameRow, tier: Confidence): void {
    let isCompared = false;
    for (let at = index + 1; at < Math.min(this.#tokens.length, index + 12); at += 1) {
      const { kind, text, from } = this.#tokens.at(at) as Token;
      isCompared ||= /^(?:==|===|!=|!==|in|includes|equals|eq)$/.test(text);
      if (kind === 'text' && isCompared && subject.kind === 'value' && subject.values.includes(text)) {
        this.#add(id, { start: from, end: from + text.length }, tier, undefined);
      } else if (kind === 'mark' && /^(?:&&|\|\||;|\{|:)$/.test(text)) {
        return;
      }
    }
  }

  /** The first token of the members and calls that end at one: `client` of `client.get(url).data`. */
  #chainStart(last: number): number {
    let at = last;
    for (let step = 0; step < 12; step += 1) {
      const closed = this.#structure.closedBy(at);
      if (closed && (this.#isWord(closed.opener - 1) || this.#structure.closedBy(closed.opener - 1))) {
        at = closed.opener - 1;
      } else if (this.#isWord(at) && /^(?:::|\.|->|\?\.|&\.)$/.test(this.#textAt(at - 1))) {
        at -= 2;
      } else {
        return closed?.opener ?? at;
      }
    }
    return at;
  }

  /** What is before a member: the nearest variable or call whose record it is, through members that leave it what it is. */
  #receiverOf(dot: number): Receiver {
    const first = this.#chainStart(dot - 1);
    let name: string | undefined;
    for (let at = dot - 1; at >= first; at -= 1) {
      const closed = this.#structure.closedBy(at);
      const last = closed ? closed.opener - 1 : at;
      const context =
        this.#sites.get(last)?.context ?? (closed?.bracket === '(' ? this.#structure.contextIn(closed) : 0);
      name ??= this.#isWord(last) ? this.#textAt(last) : undefined;
      if (context !== 0) {
        const from = this.#tokens.at(closed?.bracket === '(' ? at : last)?.end ?? 0;
        const members = this.#source.slice(from, Math.min(from + longestMembers, this.#tokens.at(dot)?.start ?? 0));
        const isWhole = wholeMembers.exec(members)?.[0].length === members.length;
        return { context: isWhole ? context : 0, name: name ?? '', first };
      }
      at = closed ? last + 1 : at;
    }
    return { context: 0, name: name ?? '', first };
  }

  /** Names within a text: forms, JSON, tags of fields, filters of jq. */
  #readText(index: number, text: string): void {
    const { from, start } = this.#tokens.at(index) as Token;
    const isTag = /^\w+:\\?"/.test(text);
    for (const { 0: all, 1: before = '', 2: name = '', 3: mark = '', index: found } of text.matchAll(nameInText)) {
      const at = from + found + before.length;
      const range = { start: at, end: at + name.length };
      // `name=value` as a command is a variable of the script.
      const isVariable =
        this.#hasCommands &&
        found === 0 &&
        mark.includes('=') &&
        this.#structure.groupAt(index).opener === index - 1 &&
        this.#source[start - 1] !== '-';
      const context = this.#sites.get(index)?.context ?? this.#structure.contextAt(index);
      const rest = text.slice(found + all.length, found + all.length + 200);
      for (const row of isVariable ? [] : rowsOf(name)) {
        if (isTag && mark === '') {
          const tier = this.#tierOf(index, row, 'declared', 0, this.#structure.nameOf(this.#structure.recordOf(index)));
          if (tier && row.change.subject.kind === 'field') {
            this.#add(row.change.id, range, tier, undefined);
          }
        } else {
          this.#readNameInText(
            row,
            range,
            before.endsWith('.') ? 'filter' : mark === '' ? 'other' : 'form',
            rest,
            context,
          );
        }
      }
    }
  }

  #readNameInText(row: NameRow, range: Range, use: 'filter' | 'form' | 'other', rest: string, context: Context): void {
    const { subject, id } = row.change;
    const tier = tierIn(context, row.resources);
    if (!tier || (tier === 'possible' && !row.isDistinctive)) {
      return;
    }
    const value = /^[^&\s"',}\]]*/.exec(rest.replace(/^[\s\\]*["']?/, ''))?.[0] ?? '';
    const isSent =
      use === 'form' &&
      (subject.kind === 'value'
        ? subject.values.some((wanted) => (wanted ?? 'null') === value)
        : row.isSent || row.isDistinctive);
    if (isSent) {
      this.#add(id, range, tier, fixOfSent(this.#source, id, range, true));
    } else if (use === 'filter' && subject.kind === 'field') {
      this.#add(id, range, tier, id === 'runnerActive' ? fixOfFilter(range, rest) : fixOfReceived(id, range));
    }
  }

  #addName(index: number, row: NameRow, tier: Confidence, use: Use['kind'], receiver?: Receiver): void {
    const { from, end, kind, text } = this.#tokens.at(index) as Token;
    const range = { start: from, end: kind === 'text' ? from + text.length : end };
    const { id } = row.change;
    const fixes = {
      key: () => fixOfSent(this.#source, id, range, false),
      member: () =>
        id === 'runnerActive' && receiver ? this.#fixOfActive(index, range, receiver) : fixOfReceived(id, range),
      declared: () => undefined,
    };
    this.#add(id, range, tier, text === row.name && this.#isDynamic ? fixes[use]() : undefined);
  }

  /** `runner.active` is `!runner.paused`. */
  #fixOfActive(index: number, { start, end }: Range, { first }: Receiver): Fix | undefined {
    const name = { start, end, text: 'paused' };
    const last = this.#textAt(index + 1) === ']' ? index + 1 : index;
    const after = this.#textAt(last + 1);
    const literal = this.#tokens.at(last + 2);
    if (/^(?:===|==|!==|!=|is)$/.test(after)) {
      return literal && /^(?:true|false)$/i.test(literal.text)
        ? { to: 'paused', edits: [name, { start: literal.start, end: literal.end, text: negated(literal.text) }] }
        : undefined;
    }
    const [begin, before] = [this.#tokens.at(first)?.start ?? start, this.#tokens.at(first - 1)];
    if (/^(?:=|\+=|\(|\.|\[)$/.test(after) || !this.#isWord(first)) {
      return undefined;
    }
    if (before?.text === '!' || before?.text === 'not') {
      return { to: 'paused', edits: [{ start: before.start, end: begin, text: '' }, name] };
    }
    const stop = this.#tokens.at(last)?.end ?? end;
    const [opening, closing] = this.#isPython ? ['(not ', ')'] : ['!', ''];
    return {
      to: 'paused',
      edits: [{ start: begin, end: begin, text: opening }, name, { start: stop, end: stop, text: closing }],
    };
  }

  #valueAfter(index: number): Token | undefined {
    return /^(?::|=|=>|,)$/.test(this.#textAt(index + 1)) ? this.#tokens.at(index + 2) : undefined;
  }

  #add(change: ChangeId, { start, end }: Range, tier: Confidence, fix: Fix | undefined): void {
    const key = `${start} ${change}`;
    const known = this.#findings.get(key);
    if (this.#findings.size > mostFindings) {
      throw new OverBudgetError();
    }
    // Where both names are given, the new one takes precedence: to replace the other would give it twice.
    const isReplaced =
      change === 'passwordToApprove' && fix && this.#source.slice(Math.max(0, start - 400), end + 400).includes(fix.to);
    if (!known || rank(tier) > rank(known.tier)) {
      this.#findings.set(key, { change, start, end, tier, fix: tier !== 'certain' || isReplaced ? undefined : fix });
    }
  }
}

function isValue(text: string, wanted: string | null): boolean {
  return wanted === null ? /^(?:null|None|nil|NULL|undefined)$/.test(text) : text === wanted;
}

function moved(finding: Finding, by: number): Finding {
  const shifted = <T extends Range>(range: T): T => ({ ...range, start: range.start + by, end: range.end + by });
  return { ...shifted(finding), fix: finding.fix && { ...finding.fix, edits: finding.fix.edits.map(shifted) } };
}
