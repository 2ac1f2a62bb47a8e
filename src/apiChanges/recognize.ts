import { clientsOf, type ClientCalls, endpointOf, mayBePath } from './calls.ts';
import { anyName, type ChangeId, type NameRow, type Resource, resourceNamed, rowsOf, squashed } from './catalogue.ts';
import { type Fix, fixOfEndpoint, fixOfReceived, fixOfSent, negated, type Range } from './fixes.ts';
import { type Syntax, syntaxOf } from './languages.ts';
import { Pace } from '../workspaceFiles/pace.ts';
import { Context, type Group, isRecordOf, Structure, type Tier } from './structure.ts';
import { codeBlocksOf, OverBudgetError, type Token, tokensOf, unknown, Work } from './tokenizer.ts';

/** A place of a source that relies on an announced change. Offsets count UTF-16 code units, as editors do. */
export interface Finding extends Range {
  readonly change: ChangeId;
  readonly tier: Tier;
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
const longestText = 100_000;
/** A source with more findings is a list that was generated. */
const mostFindings = 5000;
/** What a program that calls the API contains somewhere: most files do not, and are not read further. */
const calling = /gitlab|glab\b|api[/_]?v4|PRIVATE-TOKEN/i;
const telling = new RegExp(
  `${anyName.replaceAll('_', '_?')}|geo_?nodes|/changes\\b|changes\\(|MergeRequestChanges|merge_request_changes|managed_?licenses|epics?|runners?`,
  'i',
);
const otherForge = /github|gitea|gitee|bitbucket|azure|stash|gerrit|gogs|forgejo|octokit/i;
/** Languages in which the names of fields and parameters are those of the API, so that they can be replaced. */
const dynamic =
  /^(?:javascript|typescript|javascriptreact|typescriptreact|vue|svelte|python|ruby|php|shellscript|yaml|http|dockerfile|makefile|perl|elixir|powershell|plaintext)$/;
const access = /^(?:\.|->|\?\.|&\.)$/;
/** Functions that read a field by its name. */
const reading =
  /^(?:get|fetch|dig|getString|getAsString|getBoolean|optString|getJSONObject|getAsJsonObject|GetProperty|TryGetProperty|Value|get_str)$/;
/** Functions that give what they get in another form, and words that may stand between a value and what it is given to. */
const unwrapping =
  /^(?:await|\w*parse\w*|loads|json|JSON|read(?:Tree|Value)|mapper|unmarshal|decode|list|sorted|json_decode|data|body|text|ok|unwrap|\w*[rR]equest\w*|\w*[rR]esponse|get|put|post|send|fetch|execute|open|const|let|var|val|auto|final|RootElement)$/;

/** Whether a source is worth reading: it is about the platform, and has something to find. */
export function isRelevant({ text, path }: Source): boolean {
  return (calling.test(text) || /gitlab/i.test(path)) && telling.test(text);
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
  const steps = recognizing(source, work);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) {
      return step.value;
    }
  }
}

/**
 * Recognizes in slices of about a millisecond: yields between them, so that others can run or the work can be given up. Steps
 * grow as the text does.
 *
 * @throws OverBudgetError where the work may have fewer steps than the source needs.
 */
export function* recognizing(source: Source, work: Work): Generator<void, Finding[]> {
  if (!isRelevant(source) || isGenerated(source.text)) {
    return [];
  }
  yield;
  if (source.languageId === 'markdown') {
    const findings: Finding[] = [];
    for (const block of codeBlocksOf(source.text)) {
      const inner = yield* recognizing({ ...source, ...block }, work);
      findings.push(...inner.map((finding) => moved(finding, block.start)));
    }
    return findings;
  }
  const syntax = syntaxOf(source.languageId);
  if (!syntax) {
    return [];
  }
  const tokens = yield* tokensOf(source.text, syntax, work);
  const structure = new Structure(tokens);
  yield* structure.build(syntax.kind !== 'program', work);
  const recognizer = new Recognizer(source, syntax, tokens, structure, work);
  yield* recognizer.findCalls();
  yield* recognizer.findNames();
  return recognizer.findings();
}

/**
 * Recognizes without holding up others: in slices of a few milliseconds, between which they get their turn.
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
  // A collection of garbage, which a large source makes, still has to fit into a frame with it.
  const pace = new Pace(4);
  const slices = recognizing(source, work);
  for (let slice = slices.next(); ; slice = slices.next()) {
    if (slice.done) {
      return slice.value;
    }
    await pace.rest();
    if (isCancelled()) {
      return [];
    }
  }
}

/** A call, or a path or address of one, by the token that it begins with. */
interface CallSite {
  readonly context: Context;
  /** Whether it is a text that is not an argument of a call: `url = "…/runners"`. */
  readonly isAddress: boolean;
}

/** How a program uses a name. */
type Use = 'key' | 'member' | 'declared' | 'listed';

/** A name within a text, and what stands after it. */
const nameInText = new RegExp(
  `((?:^|[?&{,\\s"'\\uE001.\\[(=:\\\\]))(${anyName})(?=\\W|$)(\\\\?["'\\uE001]?\\]?\\s*(?:==?|:(?!:)))?`,
  'g',
);

class Recognizer {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  readonly #structure: Structure;
  readonly #work: Work;
  readonly #isShell: boolean;
  readonly #isDynamic: boolean;
  readonly #isPython: boolean;
  readonly #clients: ClientCalls | undefined;
  /** Whether the file is about webhooks or GraphQL, of which v5 of the REST API says nothing. */
  readonly #isElsewhere: boolean;
  /** How sure a distinctive name is by the file alone; undefined where the file speaks against it. */
  #tierOfFile: Tier | undefined;
  readonly #findings = new Map<string, Finding>();
  readonly #calls = new Map<number, CallSite>();
  /** Where texts begin that were read with the one that they are joined to. */
  readonly #joined = new Set<number>();
  /** What is called anywhere in the file. */
  readonly #called = new Set<Resource>();
  /** What variables hold, while the tokens are read in their order. */
  readonly #variables = new Map<string, CallSite>();
  /** Variables that are given to calls, with where that is. */
  readonly #sent = new Map<
    string,
    { next: number; readonly places: { readonly index: number; readonly context: Context }[] }
  >();
  /** Variables that hold the address of the API: `api = "https://host/api/v4"`. */
  readonly #bases = new Set<string>();
  /** Functions of a script that call the API. */
  readonly #wrappers = new Set(['glab']);

  constructor(
    { text, path, languageId }: Source,
    syntax: Syntax,
    tokens: readonly Token[],
    structure: Structure,
    work: Work,
  ) {
    this.#source = text;
    this.#tokens = tokens;
    this.#structure = structure;
    this.#work = work;
    this.#isShell = syntax.kind !== 'program';
    this.#isDynamic = dynamic.test(languageId);
    this.#isPython = languageId === 'python';
    this.#clients = clientsOf(text);
    this.#isElsewhere = /webhook[^/]*$|(?:^|\/)(?:web)?hooks?\/|graphql/i.test(path);
    const namesApi = /api[/_]?v4/i.test(text) || this.#clients !== undefined;
    const saysGitLab = /gitlab/i.test(path);
    const isOther = otherForge.test(path) && !saysGitLab;
    const isMixed = otherForge.test(text) && !namesApi && !saysGitLab;
    const isAbout = namesApi || saysGitLab || /gitlab_?(?:url|token|api|client)/i.test(text);
    this.#tierOfFile =
      isOther || !(saysGitLab || calling.test(text)) ? undefined : isAbout && !isMixed ? 'likely' : 'possible';
  }

  findings(): Finding[] {
    const ordered = [...this.#findings.values()].sort((one, other) => one.start - other.start || one.end - other.end);
    const textOf = ({ start, end }: Range): string => this.#source.slice(start, end);
    // A field and the name that its annotation gives it are one place.
    const isTwin = (finding: Finding, other: Finding | undefined): boolean =>
      other !== undefined &&
      other.start - finding.end < 120 &&
      finding.start - other.end < 120 &&
      textOf(other).includes('_') &&
      squashed(textOf(other)) === squashed(textOf(finding));
    return ordered.filter(
      (finding, index) =>
        textOf(finding).includes('_') || !(isTwin(finding, ordered[index - 1]) || isTwin(finding, ordered[index + 1])),
    );
  }

  /** Finds paths and calls of clients, marks the brackets around them with what they are about, and notes what is sent. */
  *findCalls(): Generator<void> {
    let declared: string | undefined;
    for (let index = 0; index < this.#tokens.length; index += 1) {
      if (this.#work.isDue()) {
        yield;
      }
      const { kind, text } = this.#tokens[index] as Token;
      if (kind === 'text') {
        if (this.#isShell) {
          declared = this.#textAt(index + 1) === '(' && this.#textAt(index + 2) === ')' ? text : declared;
          if (declared !== undefined && /api[/_]v4/i.test(text.slice(0, 300))) {
            this.#wrappers.add(declared);
          }
          declared = text === '}' ? undefined : declared;
        }
        this.#structure.addField(index, /^\w+:\\?"(\w+)/.exec(text)?.[1] ?? text);
        this.#readPaths(index);
      } else if (kind === 'word') {
        this.#structure.addField(index, text);
        this.#readClientCall(index);
      }
    }
    for (let index = 0; index < this.#tokens.length; index += 1) {
      if (this.#work.isDue()) {
        yield;
      }
      const { kind, text } = this.#tokens[index] as Token;
      if (kind !== 'word' || this.#isShell || access.test(this.#textAt(index - 1))) {
        continue;
      }
      const context = this.#structure.contextOf(index);
      if (!context.isEmpty) {
        const uses = this.#sent.get(text) ?? { next: 0, places: [] };
        uses.places.push({ index, context });
        this.#sent.set(text, uses);
      }
    }
  }

  #textAt(index: number): string {
    return this.#tokens[index]?.text ?? '';
  }

  #isWord(index: number): boolean {
    return this.#tokens[index]?.kind === 'word';
  }

  /** The paths of a text, or of texts that are joined: `base + "/runners/" + id`, `get("projects", id, "runners")`. */
  #readPaths(first: number): void {
    const { text, start, from } = this.#tokens[first] as Token;
    if (this.#joined.has(from)) {
      return;
    }
    if (/^["']{3}/.test(this.#source.slice(start, from)) && this.#structure.groupOf[first]?.bracket === '') {
      // What stands alone only describes.
      return;
    }
    const before = this.#textAt(first - 1);
    if (text.length < 300 && /api[/_]v4\/?\uE001?$/i.test(text)) {
      const assigned = this.#isShell ? /^(\w+)=/.exec(text)?.[1] : this.#textAt(this.#targetOf(first) ?? -1);
      this.#bases.add(assigned ?? '');
    }
    const isList =
      /^\/?(?:projects|groups|runners)\/?$/.test(text) && /^[,([]$/.test(before) && this.#textAt(first + 1) === ',';
    const joiner = isList ? /^,$/ : /^(?:\+|\.|\.\.|<>)$/;
    let joined = /^(?:\+|\.|\.\.|,)$/.test(before) && !this.#isShell && !isList ? unknown : '';
    const pieces = [{ at: joined.length, from, index: first }];
    joined += text;
    for (let at = first + 1; !this.#isShell && joiner.test(this.#textAt(at)) && at - first < 60;) {
      joined += isList ? '/' : '';
      const end = this.#operandEnd(at + 1, joiner);
      const operand = end - at === 2 ? this.#tokens[at + 1] : undefined;
      if (operand?.kind === 'text') {
        pieces.push({ at: joined.length, from: operand.from, index: at + 1 });
        joined += operand.text;
      } else {
        joined += unknown;
      }
      at = end;
    }
    pieces.slice(1).forEach((piece) => this.#joined.add(piece.from));
    this.#work.add(joined.length);
    if (joined.length > longestText || !mayBePath(joined)) {
      return;
    }
    const placeOf = (at: number): number => {
      const piece = pieces.findLast((candidate) => candidate.at <= at) ?? pieces[0];
      return piece ? Math.max(piece.from, piece.from + at - piece.at) : 0;
    };
    for (const { 0: path, index: at } of joined.matchAll(/[^\s"'`<>\\|]+/g)) {
      if (mayBePath(path)) {
        this.#readPath(first, path, (offset) => placeOf(at + offset));
      }
    }
  }

  /** Where an operand of a join ends. */
  #operandEnd(start: number, joiner: RegExp): number {
    let depth = 0;
    let at = start;
    for (; at < this.#tokens.length && at - start < 14; at += 1) {
      const { kind, text } = this.#tokens[at] as Token;
      depth += kind !== 'mark' ? 0 : /^[([{]$/.test(text) ? 1 : /^[)\]}]$/.test(text) ? -1 : 0;
      const isMember = text === '.' && this.#isWord(at + 1);
      if (
        depth < 0 ||
        (depth === 0 && kind === 'mark' && ((joiner.test(text) && !isMember) || /^[;,}=?:\n]$/.test(text)))
      ) {
        break;
      }
    }
    return at;
  }

  #readPath(index: number, path: string, placeOf: (offset: number) => number): void {
    const endpoint = endpointOf(path);
    if (!endpoint || /\/api\/v[35]\b/.test(path)) {
      return;
    }
    const start = placeOf(0);
    const line = this.#source.slice(Math.max(0, start - 60), start + Math.min(path.length, 400));
    const base = /^["'`{$#@(]*(?:this\.|self\.)?(\w+)/.exec(this.#source.slice(start, start + 80))?.[1] ?? '';
    const joined =
      /(?<!\w)(\w+)\s*(?:\)\s*)?[+.]\s*f?["'`]?$/.exec(this.#source.slice(Math.max(0, start - 60), start))?.[1] ?? '';
    const command = this.#isShell ? this.#commandOf(index) : undefined;
    const namesApi =
      endpoint.namesApi ||
      /api[/_]?v4\w*["'})]?\s*(?:[+.,]\s*)?["'`]?[/\w]/i.test(line) ||
      command === 'glab' ||
      this.#bases.has(base) ||
      this.#bases.has(joined);
    const isElsewhere = /^\uE000?https?:\/\/\w/.test(path) && !/^\uE000?https?:\/\/[^/]*gitlab/i.test(path);
    // A word alone, or a route of a user interface, is no call.
    const isBare = command === undefined && !endpoint.isDistinctive && !/[/\uE000]/.test(path);
    const isRoute = /^(?:app|router|server|route|routes|Route)$/.test(this.#textAt(index - 4));
    if (!namesApi && (this.#tierOfFile === undefined || isElsewhere || isBare || isRoute)) {
      return;
    }
    const tier: Tier = namesApi ? 'certain' : this.#tierOfFile === 'likely' ? 'likely' : 'possible';
    this.#addCall(index, index, endpoint.resources, tier);
    if (endpoint.change) {
      const segment = { start: placeOf(endpoint.change.start), end: placeOf(endpoint.change.end - 1) + 1 };
      this.#add(endpoint.change.id, segment, tier, fixOfEndpoint(endpoint.change.id, segment));
    }
  }

  /** What a command of a shell calls the API by: the platform's own, or a function of the script. */
  #commandOf(index: number): string | undefined {
    for (
      let at = index - 1;
      at >= 0 && index - at < 12 && this.#structure.groupOf[at] === this.#structure.groupOf[index];
      at -= 1
    ) {
      if (this.#wrappers.has(this.#textAt(at))) {
        return this.#textAt(at);
      }
    }
    return undefined;
  }

  #readClientCall(index: number): void {
    if (!this.#clients || !/^(?:\.|->|\?\.|&\.|::)$/.test(this.#textAt(index - 1))) {
      return;
    }
    const closed = this.#textAt(index - 2) === ')' ? this.#structure.closedBy(index - 2) : undefined;
    const receiver = this.#tokens[(closed?.opener ?? index - 1) - 1];
    const isCall =
      this.#textAt(index + 1) === '(' || (receiver?.text === 'Gitlab' && !/^[=.]$/.test(this.#textAt(index + 1)));
    const call =
      isCall && receiver?.kind === 'word' ? this.#clients.meaningOf(receiver.text, this.#textAt(index)) : undefined;
    if (!call) {
      return;
    }
    this.#addCall(index, index + (this.#textAt(index + 1) === '(' ? 2 : 1), call.resources, 'certain');
    if (call.change) {
      const isService = /^(?:group)?s?(?:epic\w*|geo_?nodes)$/i.test(receiver?.text ?? '');
      const { start, end } = (isService ? receiver : this.#tokens[index]) as Token;
      this.#add(call.change, { start, end }, 'certain', undefined);
    }
  }

  #addCall(index: number, inside: number, resources: readonly Resource[], tier: Tier): void {
    const context = Context.of(resources, tier);
    this.#structure.mark(inside, context);
    const opener = this.#structure.groupOf[index]?.opener ?? -1;
    const isAddress =
      this.#tokens[index]?.kind === 'text' &&
      !/^(?:get|put|post|patch|delete|fetch|request|execute|send|call|open|json)$/i.test(
        this.#textAt(opener - 1).replace(/Async|Json$/g, ''),
      );
    this.#calls.set(index, { context, isAddress: isAddress && inside === index });
    if (tier !== 'possible') {
      resources.forEach((resource) => this.#called.add(resource));
    }
  }

  /** Finds names, with what variables hold on the way. */
  *findNames(): Generator<void> {
    for (let index = 0; index < this.#tokens.length; index += 1) {
      if (this.#work.isDue()) {
        yield;
      }
      const { kind, text } = this.#tokens[index] as Token;
      const call = this.#calls.get(index);
      if (call) {
        this.#assign(index, call, false);
      }
      if (kind === 'text') {
        this.#readText(index, text);
      } else if (kind === 'word') {
        this.#readVariable(index, text);
        for (const row of this.#isShell ? [] : rowsOf(text)) {
          this.#readName(index, row);
        }
      }
    }
  }

  #readVariable(index: number, name: string): void {
    const [before, next] = [this.#textAt(index - 1), this.#textAt(index + 1)];
    if (!this.#isShell && /^(?:=|:=)$/.test(next) && !access.test(before)) {
      this.#variables.delete(name);
      return;
    }
    const variable =
      access.test(before) && !/^(?:self|this)$/.test(this.#textAt(index - 2)) ? undefined : this.#variables.get(name);
    if (!variable) {
      return;
    }
    if (variable.isAddress || this.#isShell) {
      this.#structure.mark(index, variable.context);
    }
    this.#assign(index, variable, true);
  }

  /** Gives what a call is about to the variable that the statement assigns, and to the names that it takes out of it. */
  #assign(index: number, { context, isAddress }: CallSite, isRead: boolean): void {
    if (this.#isShell) {
      // `runners=$(curl …)`, or `url=…/runners`.
      const around = this.#structure.groupOf[index];
      const outer = around?.parent?.bracket === '(' ? around.parent.opener - 1 : index;
      const name = /^(\w+)=/.exec(this.#textAt(outer))?.[1];
      if (name !== undefined) {
        this.#variables.set(name, { context, isAddress: outer === index });
      }
      return;
    }
    const target = this.#targetOf(index, isRead);
    const pattern = target === undefined ? undefined : this.#structure.closedBy(target);
    if (pattern) {
      this.#readPattern(pattern, context);
    } else if (target !== undefined) {
      this.#variables.set(this.#textAt(target), { context, isAddress: isAddress && !isRead });
    }
  }

  /** `const { merged_by: author } = await …`. */
  #readPattern({ opener, close }: Group, context: Context): void {
    for (let at = opener + 1; at < Math.min(close, opener + 40); at += 1) {
      const [before, after] = [this.#textAt(at - 1), this.#textAt(at + 1)];
      for (const row of this.#isWord(at) && /^[{,]$/.test(before) ? rowsOf(this.#textAt(at)) : []) {
        const tier = context.tierOf(row.resources);
        if (tier && row.change.subject.kind === 'field') {
          this.#addName(at, row, tier, after === ':' ? 'member' : 'declared');
        }
      }
      if (this.#isWord(at) && after !== ':') {
        this.#variables.set(this.#textAt(at), { context, isAddress: false });
      }
    }
  }

  /**
   * The token of the variable that the statement of a token assigns, or of the bracket that ends a pattern.
   *
   * @param isPlain whether nothing but an unwrapping may stand between.
   */
  #targetOf(index: number, isPlain = false): number | undefined {
    for (let at = index - 1; at >= 0 && index - at < 24; at -= 1) {
      const { kind, text } = this.#tokens[at] as Token;
      if (kind === 'mark' && /^(?:=|:=)$/.test(text)) {
        // Before it may stand the type, and further names: `resp, err :=`, `const data: Runner =`.
        const [colon, type] = [this.#tokens[at - 2], this.#tokens[at - 1]];
        // A colon at the end of a line begins a block of Python.
        const isTyped = colon?.text === ':' && !this.#source.slice(colon.start, type?.start).includes('\n');
        const typed = isTyped ? at - 2 : at;
        const target = this.#textAt(typed - 2) === ',' && this.#isWord(typed - 3) ? typed - 3 : typed - 1;
        return this.#isWord(target) || this.#textAt(target) === '}' ? target : undefined;
      }
      const isStop =
        kind === 'mark'
          ? /^[;}]$/.test(text) || (text === '{' && this.#structure.groupOf[at + 1]?.kind === 'statements')
          : kind === 'word' &&
            (/^(?:if|while|return|for|else|elif|unless|print|puts|def)$/.test(text) ||
              (isPlain && !unwrapping.test(text) && this.#textAt(at + 1) !== '.'));
      if (isStop) {
        return undefined;
      }
    }
    return undefined;
  }

  #readName(index: number, row: NameRow): void {
    const { kind } = this.#tokens[index] as Token;
    const [before, after] = [this.#textAt(index - 1), this.#textAt(index + 1)];
    const callee = this.#textAt(index - 2);
    const around = this.#structure.groupOf[index];
    if (kind === 'word' && access.test(before)) {
      this.#readMember(index, row, index - 1);
    } else if (
      before === '[' &&
      after === ']' &&
      (this.#isWord(index - 2) || /^[)\]]$/.test(callee)) &&
      kind === 'text'
    ) {
      this.#readMember(index, row, index - 1);
    } else if (before === ':' && after === ']' && callee === '[') {
      this.#readMember(index, row, index - 2);
    } else if (kind === 'text' && before === '(' && reading.test(callee)) {
      this.#readMember(index, row, index - 3);
    } else if (
      after === '=>' ||
      (kind === 'text' &&
        (/^[:=]$/.test(after) ? before !== '?' : after === ',' && /^[(,]$/.test(before) && around?.bracket === '('))
    ) {
      this.#readKey(index, row);
    } else if (
      kind === 'word' &&
      /^[:=]$/.test(after) &&
      around?.kind === 'values' &&
      around.bracket !== '' &&
      /^[{(,]$/.test(before)
    ) {
      this.#readKey(index, row);
    } else if (this.#structure.isField(index) && (kind === 'text' || (after !== '(' && before !== '::'))) {
      this.#readDeclared(index, row);
    } else if (
      kind === 'text' &&
      row.isDistinctive &&
      /^(?:[[(,{=]|if|not)$/.test(before) &&
      /^(?:[,\])}]|in)$/.test(after)
    ) {
      this.#addDistinctive(index, row, 'listed');
    }
  }

  /** A key of a literal, or the name of an argument. */
  #readKey(index: number, row: NameRow): void {
    const { subject } = row.change;
    const value = this.#valueAfter(index);
    if (subject.kind === 'value' && !subject.values.some((wanted) => isValue(value?.text ?? '', wanted))) {
      return;
    }
    if (row.change.id === 'runnerActive' && value?.kind === 'text' && !/^(?:true|false)$/i.test(value.text)) {
      return;
    }
    const tier = this.#tierOfKey(index, row);
    if (tier && (row.isSent || row.isDistinctive || tier === 'likely')) {
      this.#addName(index, row, tier, 'key');
    } else if (row.isDistinctive) {
      this.#addDistinctive(index, row, 'key');
    }
  }

  /** What the call is about that a variable is given to next. */
  #nextUse(name: string, index: number): Context | undefined {
    const uses = this.#sent.get(name);
    if (!uses) {
      return undefined;
    }
    while ((uses.places[uses.next]?.index ?? Number.POSITIVE_INFINITY) <= index) {
      uses.next += 1;
    }
    const use = uses.places[uses.next];
    return use && use.index < index + 400 ? use.context : undefined;
  }

  /** How sure it is that a key belongs to a call: one around it, one that its variable is given to, or a record beside one. */
  #tierOfKey(index: number, { resources, isSent }: NameRow): Tier | undefined {
    const around = this.#structure.contextOf(index).tierOf(resources);
    if (around && isSent) {
      return around;
    }
    const record = this.#structure.recordOf(index);
    const holder =
      record.bracket === '' || this.#textAt(index - 1) === '(' ? -1 : (this.#targetOf(record.opener) ?? -1);
    const form = access.test(this.#textAt(index - 3)) ? this.#textAt(index - 4) : undefined;
    const name = form ?? this.#textAt(holder);
    const sent = isSent ? this.#nextUse(name, index)?.tierOf(resources) : undefined;
    const isOptions =
      this.#clients !== undefined && isSent && /(?:Options|Opts|Request|Params)$/.test(record.name ?? '');
    if (isOptions && isRecordOf(record, resources, { named: 0, unnamed: 3 })) {
      return 'likely';
    }
    const isRecord = record.kind === 'values' && isRecordOf(record, resources, { named: 2, unnamed: 3 });
    return (
      sent ??
      (isRecord && resources.some((resource) => this.#called.has(resource)) && this.#tierOfFile === 'likely'
        ? 'likely'
        : undefined)
    );
  }

  /** A field of a type, or the name in its annotation. */
  #readDeclared(index: number, row: NameRow): void {
    const record = this.#structure.recordOf(index);
    if (row.change.subject.kind === 'value' || this.#isElsewhere) {
      return;
    }
    if (row.isDistinctive) {
      this.#addDistinctive(index, row, 'declared');
    } else if (
      this.#tierOfFile === 'likely' &&
      resourceNamed(record.name) !== undefined &&
      isRecordOf(record, row.resources)
    ) {
      this.#addName(index, row, 'likely', 'declared');
    }
  }

  #readMember(index: number, row: NameRow, dot: number): void {
    const { subject, id } = row.change;
    const isCalled = this.#isWord(index) && this.#textAt(index + 1) === '(';
    const isAccessor = /^(?:get|is|set|with)[A-Z]/.test(this.#textAt(index));
    if (isCalled && !isAccessor && !(row.isDistinctive && this.#textAt(index + 2) === ')')) {
      return;
    }
    const { context, named } = this.#receiverOf(dot);
    const isNamed =
      named !== undefined && row.resources.includes(named) && (this.#called.has(named) || this.#clients !== undefined);
    const tier = context.tierOf(row.resources) ?? (isNamed && this.#tierOfFile === 'likely' ? 'likely' : undefined);
    const isAssigned =
      /^(?:=|\]=)$/.test(this.#textAt(index + 1)) ||
      (this.#textAt(index + 1) === ']' && this.#textAt(index + 2) === '=');
    if (subject.kind === 'value') {
      if (tier && subject.received) {
        this.#readComparison(index, row, tier);
      }
    } else if (row.isDistinctive) {
      this.#addDistinctive(index, row, 'member', tier);
    } else if (isAssigned ? (this.#tierOfKey(index, row) ?? tier) : tier) {
      const own = (isAssigned ? this.#tierOfKey(index, row) : undefined) ?? tier ?? 'possible';
      if ((subject.kind === 'field' || isAssigned) && !(id === 'groupProjects' && isNamed && own !== 'certain')) {
        this.#addName(index, row, own, 'member');
      }
    }
  }

  /** `runner.status == "active"`, `runner["status"] in ("paused", …)`. */
  #readComparison(index: number, row: NameRow, tier: Tier): void {
    const { subject, id } = row.change;
    let isCompared = false;
    for (let at = index + 1; at < this.#tokens.length && at - index < 12; at += 1) {
      const { kind, text, from } = this.#tokens[at] as Token;
      isCompared ||= /^(?:==|===|!=|!==|in|includes|equals|eq)$/.test(text);
      if (kind === 'text' && isCompared && subject.kind === 'value' && subject.values.includes(text)) {
        this.#add(id, { start: from, end: from + text.length }, tier, undefined);
      } else if (kind === 'mark' && /^(?:&&|\|\||;|\{|:)$/.test(text)) {
        return;
      }
    }
  }

  /** What stands before a member is about: by the call that it ends or the variable that it begins with; and its name. */
  #receiverOf(dot: number): {
    readonly context: Context;
    readonly named: Resource | undefined;
    readonly first: number;
  } {
    const context = new Context();
    let named: Resource | undefined;
    let at = dot - 1;
    for (let step = 0; step < 12 && at >= 0; step += 1) {
      const closed = /^[)\]]$/.test(this.#textAt(at)) ? this.#structure.closedBy(at) : undefined;
      if (closed) {
        context.include(closed.context);
        at = closed.opener - 1;
      } else if (this.#isWord(at)) {
        const isFirst = !access.test(this.#textAt(at - 1));
        named ??= step < 2 ? resourceNamed(this.#textAt(at)) : undefined;
        if (isFirst || /^(?:this|self)$/.test(this.#textAt(at - 2))) {
          context.include(this.#variables.get(this.#textAt(at))?.context);
          break;
        }
        at -= 2;
      } else if (/^[!?]$/.test(this.#textAt(at))) {
        at -= 1;
      } else {
        break;
      }
    }
    return { context, named, first: at };
  }

  /** Names within a text: a name alone, forms, JSON, tags, filters of jq. */
  #readText(index: number, text: string): void {
    if (!this.#isShell && text.length < 50) {
      for (const row of rowsOf(text)) {
        this.#readName(index, row);
      }
    }
    for (let at = index + 1; this.#isShell && this.#isWord(at) && at - index < 8; at += 1) {
      this.#readVariable(at, this.#textAt(at));
    }
    if (text.length < 8 || text.length > longestText) {
      return;
    }
    this.#work.add(text.length);
    const { from, start } = this.#tokens[index] as Token;
    const context = new Context();
    context.include(this.#structure.contextOf(index));
    context.include(this.#calls.get(index)?.context);
    const isTag = /^\w+:\\?"/.test(text);
    for (const found of text.matchAll(nameInText)) {
      const [all, before = '', name = '', mark = ''] = found;
      // `name=value` as a command is a variable of the script.
      const isVariable =
        this.#isShell &&
        found.index === 0 &&
        mark.includes('=') &&
        /^(?:\n|;|\(|\$\(|)$/.test(this.#textAt(index - 1)) &&
        this.#source[start - 1] !== '-';
      const at = from + found.index + before.length;
      const rest = text.slice(found.index + all.length, found.index + all.length + 200);
      for (const row of isVariable ? [] : rowsOf(name)) {
        if (isTag && mark === '') {
          this.#readDeclaredTag(index, row, { start: at, end: at + name.length });
        } else {
          this.#readNameInText(
            row,
            { start: at, end: at + name.length },
            before.endsWith('.') ? 'filter' : mark === '' ? undefined : 'form',
            rest,
            context,
          );
        }
      }
    }
  }

  #readDeclaredTag(index: number, row: NameRow, range: Range): void {
    const record = this.#structure.recordOf(index);
    const isOther = /pull|webhook|github|gitea|bitbucket/i.test(record.name ?? '');
    const isTyped = row.isDistinctive ? !isOther : isRecordOf(record, row.resources);
    if (isTyped && !this.#isElsewhere && this.#tierOfFile && row.change.subject.kind === 'field') {
      const named = resourceNamed(record.name);
      const isSure =
        (named !== undefined && row.resources.includes(named)) ||
        isRecordOf(record, row.resources, { named: 2, unnamed: 2 });
      this.#add(row.change.id, range, isSure ? this.#tierOfFile : 'possible', undefined);
    }
  }

  #readNameInText(
    row: NameRow,
    range: Range,
    use: 'filter' | 'form' | undefined,
    rest: string,
    context: Context,
  ): void {
    const { subject, id } = row.change;
    const tier = context.tierOf(row.resources) ?? (row.isDistinctive && this.#isShell ? this.#tierOfFile : undefined);
    if (!tier || !use || (tier === 'possible' && !row.isDistinctive)) {
      return;
    }
    const value = /^[^&\s"'\uE001,}\]]*/.exec(rest.replace(/^[\s\\]*["'\uE001]?/, ''))?.[0] ?? '';
    if (subject.kind === 'value') {
      const isForm =
        use === 'form' && subject.values.some((wanted) => (wanted === null ? value === 'null' : value === wanted));
      if (isForm || (use === 'filter' && /^\s*\\?"(?:active|paused)/.test(rest))) {
        this.#add(id, range, tier, isForm ? this.#fixInText(row, range, value) : undefined);
      }
    } else if (use === 'filter' && subject.kind === 'field') {
      this.#add(id, range, tier, id === 'runnerActive' ? filterFix(range, rest) : fixOfReceived(id, range));
    } else if (use === 'form' && (row.isSent || row.isDistinctive)) {
      this.#add(id, range, tier, this.#fixInText(row, range, value));
    }
  }

  #fixInText(row: NameRow, range: Range, value: string): Fix | undefined {
    const between = /^\\?["']?\]?\s*[=:][\s\\]*["']?/.exec(this.#source.slice(range.end, range.end + 20))?.[0] ?? '';
    const start = range.end + between.length;
    const isLiteral = value !== '' && !value.includes(unknown) && this.#source.startsWith(value, start);
    return fixOfSent({
      change: row.change.id,
      name: range,
      value: isLiteral ? { start, end: start + value.length, text: value } : undefined,
      quote: between.includes(':') ? '"' : '',
    });
  }

  /**
   * A name that means one change in a file about the platform: likely in a type of the resource, or read or sent in the API's
   * own spelling where the file calls the resource, possible otherwise.
   */
  #addDistinctive(index: number, row: NameRow, use: Use, tier?: Tier): void {
    const record = this.#structure.recordOf(index);
    const names = [record.name, this.#textAt(index - 2), this.#textAt(index - 4)];
    const isForeign = names.some((name) =>
      /^pulls?$|pull_?requests?|^prs?$|webhook|object_attributes|github|gitea|bitbucket/i.test(name ?? ''),
    );
    if (tier === undefined && (this.#isElsewhere || isForeign || !this.#tierOfFile)) {
      return;
    }
    const isExact = this.#textAt(index) === row.name;
    const isRead = use === 'member' || (use === 'key' && /^(?:const|let|var)$/.test(this.#textAt(record.opener - 1)));
    const named = resourceNamed(use === 'declared' ? record.name : this.#textAt(index - 2));
    const isNamed = named !== undefined && row.resources.includes(named);
    const isCalled = this.#clients !== undefined || row.resources.some((resource) => this.#called.has(resource));
    const isSure =
      use === 'declared'
        ? isNamed || isRecordOf(record, row.resources, { named: 2, unnamed: 2 })
        : (isRead && (isExact || this.#clients !== undefined) && (isCalled || isNamed)) ||
          (use === 'key' && isExact && isCalled && row.isSent);
    this.#addName(index, row, tier ?? (isSure ? (this.#tierOfFile ?? 'possible') : 'possible'), use);
  }

  #addName(index: number, row: NameRow, tier: Tier, use: Use): void {
    if (tier === 'possible' && !row.isDistinctive) {
      return;
    }
    const { from, end, kind, text } = this.#tokens[index] as Token;
    const range = { start: from, end: kind === 'text' ? from + text.length : end };
    const isSpelled = text === row.name && this.#isDynamic;
    const fix = !isSpelled
      ? undefined
      : use === 'key'
        ? this.#fixOfKey(index, row, range)
        : use === 'member'
          ? row.change.id === 'runnerActive'
            ? this.#fixOfActive(index, range)
            : fixOfReceived(row.change.id, range)
          : undefined;
    this.#add(row.change.id, range, tier, fix);
  }

  #fixOfKey(index: number, row: NameRow, name: Range): Fix | undefined {
    const value = this.#valueAfter(index);
    const isLiteral =
      value?.kind === 'text'
        ? !value.text.includes(unknown)
        : /^(?:true|false|True|False|\d+)$/.test(value?.text ?? '');
    const isWhole = /^(?:,|\}|\)|\n|;)?$/.test(this.#textAt(index + 3)) || this.#isPython;
    const text = value ? this.#source.slice(value.start, value.end) : '';
    return fixOfSent({
      change: row.change.id,
      name,
      quote: '"',
      value: value && isLiteral && isWhole ? { start: value.start, end: value.end, text } : undefined,
    });
  }

  /** `runner.active` is `!runner.paused`. */
  #fixOfActive(index: number, { start, end }: Range): Fix | undefined {
    const name = { start, end, text: 'paused' };
    const isIndex = this.#textAt(index + 1) === ']';
    const last = isIndex ? index + 1 : index;
    const after = this.#textAt(last + 1);
    const literal = this.#tokens[last + 2];
    if (/^(?:===|==|!==|!=|is)$/.test(after)) {
      return literal && /^(?:true|false)$/i.test(literal.text)
        ? { to: 'paused', edits: [name, { start: literal.start, end: literal.end, text: negated(literal.text) }] }
        : undefined;
    }
    const { first } = this.#receiverOf(index - 1);
    const [begin, before] = [this.#tokens[first]?.start ?? start, this.#tokens[first - 1]];
    if (/^(?:=|\+=|\(|\.|\[)$/.test(after) || !this.#isWord(first)) {
      return undefined;
    }
    if (before?.text === '!' || before?.text === 'not') {
      return { to: 'paused', edits: [{ start: before.start, end: begin, text: '' }, name] };
    }
    const stop = this.#tokens[last]?.end ?? end;
    return this.#isPython
      ? {
          to: 'paused',
          edits: [{ start: begin, end: begin, text: '(not ' }, name, { start: stop, end: stop, text: ')' }],
        }
      : { to: 'paused', edits: [{ start: begin, end: begin, text: '!' }, name] };
  }

  #valueAfter(index: number): Token | undefined {
    return /^(?::|=|=>|,)$/.test(this.#textAt(index + 1)) ? this.#tokens[index + 2] : undefined;
  }

  #add(change: ChangeId, { start, end }: Range, tier: Tier, fix: Fix | undefined): void {
    const key = `${start} ${change}`;
    const known = this.#findings.get(key);
    if (this.#findings.size > mostFindings) {
      throw new OverBudgetError();
    }
    // Where both names are given, the new one takes precedence: to replace the other would give it twice.
    const isReplaced =
      change === 'passwordToApprove' && fix && this.#source.slice(Math.max(0, start - 400), end + 400).includes(fix.to);
    if (!known || rank(tier) > rank(known.tier)) {
      this.#findings.set(key, { change, start, end, tier, fix: tier === 'possible' || isReplaced ? undefined : fix });
    }
  }
}

function rank(tier: Tier): number {
  return tier === 'certain' ? 2 : tier === 'likely' ? 1 : 0;
}

function isValue(text: string, wanted: string | null): boolean {
  return wanted === null ? /^(?:null|None|nil|NULL|undefined)$/.test(text) : text === wanted;
}

/** `select(.active)` of jq is `select((.paused | not))`. */
function filterFix({ start, end }: Range, rest: string): Fix | undefined {
  return /^\s*(?:[|)\],}]|$|'|")/.test(rest)
    ? { to: 'paused', edits: [{ start: start - 1, end, text: '(.paused | not)' }] }
    : undefined;
}

function moved(finding: Finding, by: number): Finding {
  const shifted = <T extends Range>(range: T): T => ({ ...range, start: range.start + by, end: range.end + by });
  return { ...shifted(finding), fix: finding.fix && { ...finding.fix, edits: finding.fix.edits.map(shifted) } };
}
