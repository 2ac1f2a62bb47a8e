import type { ChangeId, Resource } from './catalogue.ts';
import { endpointOf, mayBePath } from './callSites.ts';
import { type ClientCalls, clientsOf } from './clients.ts';
import { type Fix, fixOfEndpoint, fixOfReceived, fixOfSent, negated, type Range } from './fixes.ts';
import { type Syntax, syntaxOf } from './languages.ts';
import { codeBlocksOf, tokensOf } from './mixedFiles.ts';
import { anyName, type NameRow, resourceNamed, rowsOf } from './names.ts';
import { Context, Structure, type Tier } from './structure.ts';
import { nothing, OverBudgetError, type Token, unknown, Work } from './tokenizer.ts';

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
/** What a program that calls the API says somewhere: most files do not, and are not read further. */
const calling = /gitlab|glab\b|api[/_]?v4|PRIVATE-TOKEN/i;
const telling = new RegExp(
  `${anyName.replaceAll('_', '_?')}|geo_?nodes|/changes\\b|changes\\(|MergeRequestChanges|merge_request_changes|managed_?licenses|epics?|runners?`,
  'i',
);
const otherForge = /github|gitea|gitee|bitbucket|azure|stash|gerrit|gogs|forgejo|octokit/i;
const dynamic =
  /^(?:javascript|typescript|javascriptreact|typescriptreact|vue|svelte|python|ruby|php|shellscript|yaml|http|dockerfile|makefile|perl|elixir|powershell|plaintext)$/;
const formatting = /^(?:Sprintf|format|URL|URI|join|concat|encodeURI|f|String|sprintf|Format|parse|urljoin|Uri|url)$/;

/** Whether a source is worth reading: it is about the platform, and has something to find. */
export function isRelevant({ text, path }: Source): boolean {
  return (calling.test(text) || /gitlab/i.test(path)) && telling.test(text);
}

/** Whether a source is nothing that people write. */
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
  yield;
  const structure = new Structure(tokens);
  yield* structure.build(syntax.kind !== 'program', work);
  yield;
  const recognizer = new Recognizer(source, syntax, tokens, structure, work);
  yield* recognizer.findCalls();
  yield* recognizer.findNames();
  return recognizer.findings();
}

interface Variable {
  readonly context: Context;
  /** Whether it holds an address rather than what came back from it. */
  readonly isAddress: boolean;
}

interface Pending {
  readonly index: number;
  readonly row: NameRow;
}

class Recognizer {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  readonly #structure: Structure;
  readonly #work: Work;
  readonly #isShell: boolean;
  readonly #clients: ClientCalls | undefined;
  readonly #isDynamic: boolean;
  readonly #isPython: boolean;
  /** Whether the file is about another platform, or about webhooks or GraphQL, of which v5 of the REST API says nothing. */
  readonly #isElsewhere: boolean;
  /** How sure a distinctive name is by the file alone; undefined where the file speaks against it. */
  #tierOfFile: Tier | undefined;
  readonly #findings = new Map<string, Finding>();
  readonly #variables = new Map<string, Variable>();
  /** Brackets of literals that variables hold, by name. */
  readonly #literals = new Map<string, number>();
  readonly #pending = new Map<number, Pending[]>();
  readonly #paths = new Map<number, { readonly resources: Set<Resource>; readonly tier: Tier }>();
  /** Variables that hold the address of the API: `api = "https://host/api/v4"`. */
  readonly #bases = new Set<string>();
  /** Functions of a script that call the API. */
  readonly #wrappers: ReadonlySet<string>;
  #hasRunners = false;
  #hasCall = false;

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
    this.#wrappers = this.#isShell ? wrappersIn(text) : new Set();
    const saysGitLab = /gitlab/i.test(path);
    const isOther = otherForge.test(path) && !saysGitLab;
    this.#isElsewhere = isOther || /webhook[^/]*$|(?:^|\/)(?:web)?hooks?\/|graphql/i.test(path);
    const isNamed = saysGitLab || this.#clients || /api[/_]?v4|gitlab_?(?:url|token|api|client)/i.test(text);
    this.#tierOfFile = isOther ? undefined : isNamed ? 'likely' : /gitlab/i.test(text) ? 'possible' : undefined;
    if (
      this.#tierOfFile === 'likely' &&
      !saysGitLab &&
      otherForge.test(text) &&
      !this.#clients &&
      !/api[/_]?v4/i.test(text)
    ) {
      this.#tierOfFile = 'possible';
    }
  }

  findings(): Finding[] {
    const ordered = [...this.#findings.values()].sort((one, other) => one.start - other.start || one.end - other.end);
    // A field and the name that it has in the API are one place.
    return ordered.filter((finding, index) => {
      const before = ordered[index - 1];
      const after = ordered[index + 1];
      const isTwin = (other: Finding | undefined): boolean =>
        other?.change === finding.change &&
        Math.abs(other.start - finding.start) < 120 &&
        squash(this.#textAt(other)) === squash(this.#textAt(finding));
      const isExact = this.#textAt(finding).includes('_');
      return (
        isExact ||
        finding.fix !== undefined ||
        !((isTwin(before) && this.#isTag(before)) || (isTwin(after) && this.#isTag(after)))
      );
    });
  }

  /** Finds addresses, paths and calls of clients, and marks the brackets around them with what they are about. */
  *findCalls(): Generator<void> {
    const tokens = this.#tokens;
    for (let index = 0; index < tokens.length; index += 1) {
      this.#work.add(1);
      if (this.#work.isDue()) {
        yield;
      }
      const token = tokens[index] as Token;
      if (token.kind === 'text') {
        index = this.#readText(index);
      } else if (token.kind === 'word') {
        this.#structure.addName(index, token.text);
        this.#readClientCall(index);
      }
    }
  }

  #readText(first: number): number {
    const tokens = this.#tokens;
    const { text } = tokens[first] as Token;
    if (this.#isPython && this.#isDocstring(first)) {
      return first;
    }
    this.#structure.addName(first, /^\w+:"(\w+)/.exec(text)?.[1] ?? text);
    if (text.length < 200 && this.#isArgumentPath(first, text)) {
      return first;
    }
    this.#noteBase(first, text);
    // Pieces that are joined are one path: `base + "/runners/" + id`.
    let last = first;
    let joined = '';
    const pieces: { readonly at: number; readonly source: number }[] = [];
    const append = (token: Token): void => {
      pieces.push({ at: joined.length, source: token.from });
      joined += token.text;
    };
    const hasBefore = /^[+.]$/.test(tokens[first - 1]?.text ?? '') || tokens[first - 1]?.text === ',';
    append(tokens[first] as Token);
    for (let next = first + 1; !this.#isShell && next < tokens.length && next - first < 60;) {
      const mark = tokens[next]?.text;
      if (mark !== '+' && mark !== '.' && mark !== '..' && mark !== '<>') {
        break;
      }
      let end = next + 1;
      let depth = 0;
      while (end < tokens.length && end - next < 14) {
        const part = tokens[end] as Token;
        depth += /^[([]$/.test(part.text) ? 1 : /^[)\]]$/.test(part.text) ? -1 : 0;
        if (
          depth < 0 ||
          (depth === 0 && part.kind === 'mark' && /^[+;,}=\n?:]$/.test(part.text)) ||
          (depth === 0 && mark !== '+' && part.text === mark)
        ) {
          break;
        }
        if (part.kind === 'text' && depth === 0) {
          break;
        }
        end += 1;
      }
      const part = tokens[end];
      if (end > next + 1) {
        joined += unknown;
      }
      if (part?.kind === 'text' && depth === 0) {
        append(part);
        last = end;
        next = end + 1;
      } else if (part?.text === mark) {
        next = end;
      } else {
        break;
      }
    }
    this.#work.add(joined.length);
    if (joined.length > longestText || !mayBePath(joined)) {
      return last;
    }
    const origin = (at: number): number => {
      const piece = pieces.findLast((candidate) => candidate.at <= at);
      return piece ? piece.source + at - piece.at : 0;
    };
    for (const chunk of joined.matchAll(/[^\s"'`<>\\|]+/g)) {
      if (mayBePath(chunk[0])) {
        const place = { start: origin(chunk.index), end: origin(chunk.index + chunk[0].length - 1) + 1 };
        this.#readPath(
          first,
          hasBefore ? `${unknown}${chunk[0]}` : chunk[0],
          (at) => origin(chunk.index + at - (hasBefore ? 1 : 0)),
          place,
        );
      }
    }
    return last;
  }

  #noteBase(index: number, text: string): void {
    if (text.length < 300 && /api[/_]v4\/?\uE001?$/i.test(text)) {
      const assigned = this.#isShell
        ? /^(\w+)=/.exec(text)?.[1]
        : /^(?::|=|:=)$/.test(this.#tokens[index - 1]?.text ?? '')
          ? this.#tokens[index - 2]?.text
          : undefined;
      if (assigned !== undefined) {
        this.#bases.add(assigned);
      }
    }
  }

  /** Whether a path begins with a variable that holds the address of the API. */
  #hasBase(written: string, before: string): boolean {
    const inHole = /^["'`]*\$?\{*\s*[$@]?(?:this\.|self\.)?(\w+)/.exec(written)?.[1];
    const joined = /(?<!\w)(\w+)\s*(?:\)\s*)?[+.]\s*f?["'`]?$/.exec(before)?.[1];
    return (inHole !== undefined && this.#bases.has(inHole)) || (joined !== undefined && this.#bases.has(joined));
  }

  /** Whether a text is a statement of its own, which only describes. */
  #isDocstring(index: number): boolean {
    const { start } = this.#tokens[index] as Token;
    const isFirst = /(?:^|\n)[ \t]*[rRuU]?$/.test(this.#source.slice(Math.max(0, start - 40), start));
    return (
      isFirst && this.#structure.groupOf[index]?.bracket === '' && /^["']{3}/.test(this.#source.slice(start, start + 3))
    );
  }

  #readPath(index: number, path: string, origin: (at: number) => number, place: Range): void {
    const endpoint = endpointOf(path);
    if (!endpoint || /\/api\/v[35]\b/.test(path)) {
      return;
    }
    const written = this.#source.slice(place.start, Math.min(place.end, place.start + 400));
    const caller = this.#callerOf(index);
    const isNamed =
      endpoint.namesApi ||
      /api[/_]?v4/i.test(written) ||
      /api_?v4\w*["'}]?\s*[+.,]\s*["'`]?$/i.test(this.#source.slice(Math.max(0, place.start - 40), place.start)) ||
      caller === 'glab' ||
      (this.#bases.size > 0 && this.#hasBase(written, this.#source.slice(Math.max(0, place.start - 60), place.start)));
    if (!isNamed && this.#tierOfFile === undefined) {
      return;
    }
    if (!isNamed && /^\uE000?https?:\/\/\w/.test(path) && !/^\uE000?https?:\/\/[^/]*gitlab/i.test(path)) {
      return;
    }
    // A word alone, or a route of a user interface, is no call.
    if (!isNamed && caller === undefined && !endpoint.distinctive && !/[/\uE000]/.test(path)) {
      return;
    }
    const [callee, receiver] = [this.#tokens[index - 2], this.#tokens[index - 4]];
    const isRoute =
      callee?.kind === 'word' &&
      /^(?:app|router|server|fastify|route|routes)$/.test(receiver?.text ?? '') &&
      this.#tokens[index - 1]?.text === '(';
    if (isRoute && !isNamed) {
      return;
    }
    const tier: Tier = isNamed ? 'certain' : this.#tierOfFile === 'likely' ? 'likely' : 'possible';
    this.#mark(index, endpoint.resources, tier);
    if (endpoint.change) {
      const start = origin(endpoint.change.start);
      const segment = { start, end: origin(endpoint.change.end - 1) + 1 };
      this.#add(endpoint.change.id, segment, tier, fixOfEndpoint(endpoint.change.id, segment));
    }
  }

  /** Paths as arguments: `get("projects", id, "merge_requests", iid, "changes")`. */
  #isArgumentPath(first: number, text: string): boolean {
    const tokens = this.#tokens;
    if (
      !/^\/?(?:projects|groups|runners|geo_nodes|application)\/?$/.test(text) ||
      !/^[,([]$/.test(tokens[first - 1]?.text ?? '') ||
      tokens[first + 1]?.text !== ','
    ) {
      return false;
    }
    let joined = '';
    const places: { readonly at: number; readonly token: Token }[] = [];
    let depth = 0;
    for (let at = first; at < tokens.length && at - first < 60 && depth >= 0; at += 1) {
      const token = tokens[at] as Token;
      depth += /^[([{]$/.test(token.text) ? 1 : /^[)\]}]$/.test(token.text) ? -1 : 0;
      if (depth === 0 && token.kind === 'text') {
        places.push({ at: joined.length, token });
        joined += token.text;
      } else if (depth === 0 && token.text === ',') {
        joined += '/';
      } else if (depth === 0 && !joined.endsWith(unknown)) {
        joined += unknown;
      }
    }
    this.#readPath(
      first,
      joined,
      (at) => {
        const place = places.findLast((candidate) => candidate.at <= at);
        return place ? place.token.from + at - place.at : 0;
      },
      tokens[first] as Token,
    );
    return true;
  }

  #readClientCall(index: number): void {
    const tokens = this.#tokens;
    if (
      !this.#clients ||
      tokens[index - 1]?.kind !== 'mark' ||
      !/^(?:\.|->|\?\.|&\.|::)$/.test(tokens[index - 1]?.text ?? '')
    ) {
      return;
    }
    const { text } = tokens[index] as Token;
    const isCall =
      tokens[index + 1]?.text === '(' ||
      (!/^[=.]$/.test(tokens[index + 1]?.text ?? '') && /^Gitlab$/.test(tokens[index - 2]?.text ?? ''));
    const opener = tokens[index - 2]?.text === ')' ? this.#openerOf(index - 2) : undefined;
    const receiver = opener === undefined ? tokens[index - 2] : tokens[opener - 1];
    const meaning = isCall && receiver?.kind === 'word' ? this.#clients.meaningOf(receiver.text, text) : undefined;
    if (!meaning) {
      return;
    }
    this.#mark(index + (tokens[index + 1]?.text === '(' ? 2 : 1), meaning.resources, 'certain', index);
    if (meaning.change) {
      const isService =
        meaning.change !== 'mergeRequestChanges' &&
        receiver?.kind === 'word' &&
        /^(?:Epics|EpicIssues|EpicLinks|epics|GroupsEpics|GeoNodes|geonodes)$/.test(receiver.text);
      const named = isService ? receiver : (tokens[index] as Token);
      this.#add(meaning.change, named, 'certain', undefined);
    }
  }

  #openerOf(index: number): number | undefined {
    const limit = Math.max(0, index - 60);
    let depth = 0;
    for (let at = index; at >= limit; at -= 1) {
      const text = this.#tokens[at]?.kind === 'mark' ? this.#tokens[at]?.text : '';
      depth += text === ')' || text === ']' ? 1 : text === '(' || text === '[' ? -1 : 0;
      if (depth === 0) {
        return at;
      }
    }
    return undefined;
  }

  #mark(index: number, resources: readonly Resource[], tier: Tier, from = index): void {
    this.#hasCall ||= resources.length > 0;
    this.#hasRunners ||= resources.includes('runner');
    this.#structure.mark(index, resources, tier);
    const known = this.#paths.get(from) ?? { resources: new Set(), tier };
    resources.forEach((resource) => known.resources.add(resource));
    this.#paths.set(from, known);
    if (tier !== 'possible' && this.#tierOfFile === 'possible') {
      this.#tierOfFile = 'likely';
    }
  }

  /** Whether a command calls the API by its name: that of the platform, or a function of the script that does. */
  #callerOf(index: number): 'glab' | 'wrapper' | undefined {
    for (let at = index - 1; this.#isShell && at >= 0 && index - at < 12; at -= 1) {
      const { text } = this.#tokens[at] as Token;
      if (text === '\n' || text === ';') {
        return undefined;
      }
      if (text === 'glab') {
        return text;
      }
      if (this.#wrappers.has(text)) {
        return 'wrapper';
      }
    }
    return undefined;
  }

  /** Finds names, with what variables hold on the way. */
  *findNames(): Generator<void> {
    const tokens = this.#tokens;
    for (let index = 0; index < tokens.length; index += 1) {
      this.#work.add(1);
      if (this.#work.isDue()) {
        yield;
      }
      const path = this.#paths.get(index);
      if (path && path.resources.size > 0) {
        const context = new Context();
        context.add(path.resources, path.tier);
        this.#assign(index, { context, isAddress: this.#isPlainAddress(index) });
      }
      const { kind, text } = tokens[index] as Token;
      if (kind === 'word') {
        this.#readWord(index, text);
      } else if (kind === 'text') {
        // The variables of an argument say what its names are about.
        for (let at = index + 1; this.#isShell && tokens[at]?.kind === 'word' && at - index < 8; at += 1) {
          this.#useVariable(at, tokens[at]?.text ?? '');
        }
        this.#readNamesOf(index, text);
      }
    }
  }

  #readWord(index: number, text: string): void {
    const tokens = this.#tokens;
    const next = tokens[index + 1]?.text ?? '';
    if (/^(?:for|foreach|of|in|range|as|await|return|const|let|var|val)$/.test(text)) {
      if (text === 'for' || text === 'foreach') {
        this.#readLoop(index);
      }
      return;
    }
    if ((next === '=' || next === ':=') && !this.#isShell && tokens[index - 1]?.text !== '.') {
      this.#variables.delete(text);
      const opener = tokens[index + 2]?.text;
      const built = opener === '{' || opener === '[' ? index + 2 : /^dict$/.test(opener ?? '') ? index + 3 : undefined;
      if (built !== undefined) {
        this.#literals.set(text, built);
      }
    } else {
      this.#useVariable(index, text);
    }
    for (const row of rowsOf(text)) {
      this.#readName(index, row, text);
    }
  }

  #useVariable(index: number, name: string): void {
    const tokens = this.#tokens;
    const isMember = /^(?:\.|->|\?\.|&\.)$/.test(tokens[index - 1]?.text ?? '');
    const literal = isMember ? undefined : this.#literals.get(name);
    const group = this.#structure.groupOf[index];
    if (literal !== undefined && group && (group.context || group.parent?.context)) {
      const context = this.#structure.contextOf(index, false);
      for (const { index: at, row } of this.#pending.get(literal) ?? []) {
        const tier = context.tierOf(row.resources);
        if (tier) {
          this.#addName(at, row, tier, 'key');
        }
      }
    }
    const variable =
      isMember && tokens[index - 2]?.text !== 'self' && tokens[index - 2]?.text !== 'this'
        ? undefined
        : this.#variables.get(name);
    const callback = this.#callbackOf(index);
    if (!variable) {
      const resource = callback === undefined ? undefined : resourceNamed(name);
      if (callback !== undefined && resource !== undefined) {
        const context = new Context();
        context.add([resource], 'likely');
        this.#variables.set(callback, { context, isAddress: false });
      } else if (callback !== undefined && !/^(?:then|map|filter)$/.test(name)) {
        this.#variables.delete(callback);
      }
      return;
    }
    if (callback !== undefined) {
      this.#variables.set(callback, { ...variable, isAddress: false });
    }
    if (variable.isAddress || this.#isShell) {
      for (const resource of [
        'applicationSettings',
        'group',
        'groupDetails',
        'mergeRequest',
        'project',
        'projectApprovals',
        'projectImportExport',
        'runner',
        'user',
      ] as const) {
        const tier = variable.context.tierOf([resource]);
        if (tier && (this.#structure.groupOf[index]?.bracket !== '' || this.#isShell)) {
          this.#structure.mark(index, [resource], tier);
        }
      }
    }
    this.#assign(index, { context: variable.context, isAddress: false }, true);
  }

  /** The parameter of a callback on a value: `runners.map((r) =>`, `runners.each do |r|`, `runners.filter { r ->`. */
  #callbackOf(index: number): string | undefined {
    const tokens = this.#tokens;
    if (!/^(?:\.|\?\.|&\.)$/.test(tokens[index + 1]?.text ?? '')) {
      return undefined;
    }
    let at = index + 2;
    // Calls between: `.json().map(`.
    for (
      let step = 0;
      step < 3 &&
      tokens[at]?.kind === 'word' &&
      tokens[at + 1]?.text === '(' &&
      tokens[at + 2]?.text === ')' &&
      tokens[at + 3]?.text === '.';
      step += 1
    ) {
      at += 4;
    }
    if (tokens[at]?.kind !== 'word') {
      return undefined;
    }
    at += 1;
    if (/^[([{]$/.test(tokens[at]?.text ?? '') || tokens[at]?.text === 'do') {
      at += 1;
    }
    const bar = tokens[at]?.text === '|' || tokens[at]?.text === '(' || tokens[at]?.text === 'async';
    at += bar ? 1 : 0;
    const name = tokens[at];
    const after = tokens[at + 1]?.text ?? '';
    return name?.kind === 'word' && (/^(?:=>|->|\||\))$/.test(after) || (bar && /^[,:]$/.test(after)))
      ? name.text
      : undefined;
  }

  #readLoop(index: number): void {
    const names: string[] = [];
    let source: Context | undefined;
    let hasSeparator = false;
    for (let at = index + 1; at < this.#tokens.length && at - index < 16; at += 1) {
      const { kind, text } = this.#tokens[at] as Token;
      const close =
        text === '{' && !hasSeparator && at - index < 4 ? (this.#structure.groupOf[at + 1]?.close ?? -1) : -1;
      const context = close > at ? this.#variables.get(this.#tokens[close + 2]?.text ?? '')?.context : undefined;
      if (context) {
        this.#readDestructured(close, { context, isAddress: false });
        return;
      }
      if (kind === 'mark' && /^[{;\n]$/.test(text)) {
        break;
      }
      if (/^(?:in|of|range|as)$/.test(text) || (text === ':' && names.length > 0 && !hasSeparator)) {
        hasSeparator = true;
      } else if (kind === 'word' && !/^(?:const|let|var|auto|final|await|foreach|mut)$/.test(text)) {
        const known = this.#variables.get(text)?.context;
        const named = this.#hasRunners || this.#clients ? resourceNamed(text) : undefined;
        if (hasSeparator || known) {
          source ??= known ?? (named === undefined ? undefined : contextOf(named));
        }
        if (!known || !hasSeparator) {
          names.push(text);
        }
      } else if (text === ':' && hasSeparator) {
        break;
      } else if (kind === 'text' || this.#paths.has(at)) {
        const path = this.#paths.get(at);
        if (path) {
          source ??= contextOf([...path.resources][0], path.tier);
        }
      }
    }
    for (const name of names.slice(0, 3)) {
      if (source && !source.isEmpty) {
        this.#variables.set(name, { context: source, isAddress: false });
      } else {
        this.#variables.delete(name);
      }
    }
  }

  /** Gives what a call or variable is about to the variable that the statement assigns. */
  #assign(index: number, variable: Variable, isRead = false): void {
    const tokens = this.#tokens;
    let at = index - 1;
    if (this.#isShell) {
      const group = this.#structure.groupOf[index];
      const outer = group?.parent?.bracket === '(' ? group.parent.opener : undefined;
      const argument = outer === undefined ? tokens[index] : tokens[outer - 1];
      const name = /^(\w+)=/.exec(argument?.text ?? '')?.[1];
      if (name !== undefined) {
        this.#variables.set(name, { ...variable, isAddress: outer === undefined });
      }
      return;
    }
    for (let step = 0; step < 24 && at >= 0; step += 1) {
      const { kind, text } = tokens[at] as Token;
      if (kind === 'mark' && (text === '=' || text === ':=')) {
        this.#assignTo(at - 1, variable);
        return;
      }
      if (kind === 'mark' && /^[;}]$/.test(text)) {
        return;
      }
      if (kind === 'mark' && text === '{' && this.#structure.groupOf[at + 1]?.isBlock !== false) {
        return;
      }
      if (kind === 'word' && /^(?:if|while|return|for|else|elif|unless|print|puts|echo)$/.test(text)) {
        return;
      }
      if (
        isRead &&
        kind === 'mark' &&
        text === '(' &&
        !variable.isAddress &&
        !unwrapping.test(tokens[at - 1]?.text ?? '(')
      ) {
        return;
      }
      at -= 1;
    }
  }

  #assignTo(index: number, variable: Variable): void {
    const tokens = this.#tokens;
    let at = index;
    for (let step = 0; step < 8 && at >= 0; step += 1) {
      const { kind, text } = tokens[at] as Token;
      if (kind === 'word' && !/^(?:const|let|var|val|auto|final|err|_)$/.test(text)) {
        // A type that stands before the name is none: `Runner runner =`, `let x: Runner =`.
        if (tokens[at - 1]?.text === ':') {
          at -= 2;
          continue;
        }
        this.#variables.set(text, variable);
        if (tokens[at - 1]?.text !== ',') {
          return;
        }
      } else if (text === '}') {
        this.#readDestructured(at, variable);
        return;
      } else if (!/^[,>[\]?]$/.test(text)) {
        return;
      }
      at -= 1;
    }
  }

  /** `const { merged_by: author } = await …`. */
  #readDestructured(end: number, { context }: Variable): void {
    for (let at = end - 1; at >= 0 && end - at < 40 && this.#tokens[at]?.text !== '{'; at -= 1) {
      const { kind, text } = this.#tokens[at] as Token;
      const before = this.#tokens[at - 1]?.text ?? '';
      for (const row of kind === 'word' && /^[{,]$/.test(before) ? rowsOf(text) : []) {
        const tier = context.tierOf(row.resources);
        if (tier && row.change.subject.kind === 'field') {
          this.#addName(at, row, tier, this.#tokens[at + 1]?.text === ':' ? 'member' : 'declared');
        }
      }
      if (kind === 'word' && /^[{,:]$/.test(before) && this.#tokens[at + 1]?.text !== ':') {
        this.#variables.set(text, { context, isAddress: false });
      }
    }
  }

  #isPlainAddress(index: number): boolean {
    const group = this.#structure.groupOf[index];
    const callee = group?.bracket === '(' ? this.#tokens[group.opener - 1]?.text : undefined;
    return (
      this.#tokens[index]?.kind === 'text' &&
      (callee === undefined || formatting.test(callee) || group?.isBlock === true)
    );
  }

  #readName(index: number, row: NameRow, text: string): void {
    const tokens = this.#tokens;
    const before = tokens[index - 1]?.text ?? '';
    const after = tokens[index + 1]?.text ?? '';
    const { kind } = tokens[index] as Token;
    if (this.#isShell && kind === 'word') {
      return;
    }
    if (kind === 'word' && /^(?:\.|->|\?\.|&\.)$/.test(before)) {
      this.#readMember(index, row, index - 1);
    } else if (kind === 'text' && before === '[' && after === ']') {
      if (this.#tokens[index - 2]?.kind === 'word' || /^[)\]]$/.test(this.#tokens[index - 2]?.text ?? '')) {
        this.#readMember(index, row, index - 1);
      } else {
        this.#readKey(index, row, false);
      }
    } else if (
      kind === 'text' &&
      before === '(' &&
      /^(?:get|fetch|dig|getString|getAsString|getBoolean|optString|downField|getJSONObject|getAsJsonObject|has|path|GetProperty|TryGetProperty|Value|get_str|at)$/.test(
        tokens[index - 2]?.text ?? '',
      )
    ) {
      this.#readMember(index, row, index - 3);
    } else if (
      kind === 'text' &&
      before === '(' &&
      after === ',' &&
      !/^(?:assert\w*|expect|describe|it|log|printf?)$/.test(tokens[index - 2]?.text ?? '')
    ) {
      this.#readKey(index, row, true);
    } else if (kind === 'text') {
      const isKey = /^(?::|=>|=)$/.test(after) && before !== '?';
      if (isKey) {
        this.#readKey(index, row, false);
      } else if (
        (this.#isNamedHere(index) || after === 'in') &&
        (row.isDistinctive || this.#structure.isField(index))
      ) {
        this.#readAnnotation(index, row);
      }
    } else if (before === ':' && after === ']' && tokens[index - 2]?.text === '[') {
      this.#readMember(index, row, index - 2);
    } else if (
      (before === ':' && tokens[index - 1]?.end === tokens[index]?.start && after === '=>') ||
      (after === '=>' && !this.#isShell)
    ) {
      this.#readKey(index, row, false);
    } else if (/^(?::|=)$/.test(after) && this.#isKeyPosition(index)) {
      this.#readKey(index, row, false);
    } else if (
      this.#structure.isField(index) &&
      after !== '(' &&
      /^(?:;|=|,|\)|\{|\}|:|\?|!|\n)$|^[\w*[?&]/.test(after) &&
      before !== '::'
    ) {
      this.#readDeclared(index, row, text);
    }
  }

  /** Whether a text alone names a field: in an annotation, a list, or a call that asks for it rather than one that prints it. */
  #isNamedHere(index: number): boolean {
    const before = this.#tokens[index - 1]?.text ?? '';
    const callee = this.#structure.groupOf[index]?.opener ?? -1;
    return (
      /^[[(,{=:]$/.test(before) &&
      !/^(?:log\w*|info|warn\w*|error|debug|trace|print\w*|puts|echo|describe|it|test|set|write\w*)$/i.test(
        this.#tokens[callee - 1]?.text ?? '',
      )
    );
  }

  #isKeyPosition(index: number): boolean {
    const group = this.#structure.groupOf[index];
    const before = this.#tokens[index - 1]?.text ?? '';
    return group !== undefined &&
      !group.isBlock &&
      group.bracket !== '' &&
      /^[{(,]$/.test(before) &&
      !(group.isDeclaration && this.#tokens[index + 1]?.text === '=')
      ? true
      : group?.bracket === '{' && !group.isBlock && !group.isDeclaration;
  }

  /** A name in an annotation or a list of names. */
  #readAnnotation(index: number, row: NameRow): void {
    const context = this.#structure.contextOf(index, false);
    const tier = context.tierOf(row.resources);
    if (row.change.subject.kind === 'value') {
      return;
    }
    const isListed =
      /^[[{,]$/.test(this.#tokens[index - 1]?.text ?? '') &&
      /^[,\]}]$/.test(this.#tokens[index + 1]?.text ?? '') &&
      this.#structure.groupOf[index]?.bracket !== '(';
    if (row.isDistinctive) {
      this.#addDistinctive(index, row, isListed ? 'possible' : tier, 'declared');
    } else if (tier && this.#isTypedField(index, row)) {
      this.#addName(index, row, tier, 'declared');
    }
  }

  #readDeclared(index: number, row: NameRow, text: string): void {
    const tier = this.#structure.contextOf(index, false).tierOf(row.resources);
    if (row.change.subject.kind === 'value') {
      return;
    }
    if (row.isDistinctive) {
      this.#addDistinctive(index, row, tier, 'declared');
    } else if (tier && this.#isTypedField(index, row) && text.length > 5) {
      this.#addName(index, row, tier, 'declared');
    }
  }

  /** Whether the type around a field is the record of a resource, by its name and by the names beside the field. */
  #isTypedField(index: number, row: NameRow): boolean {
    const record = this.#structure.recordOf(index);
    const own = (record.names?.size ?? 0) >= (row.name === 'tag_list' ? 1 : 2);
    return (
      this.#tierOfFile === 'likely' &&
      !this.#isElsewhere &&
      record.typed !== undefined &&
      row.resources.includes(record.typed) &&
      own &&
      !record.names?.has('systemid')
    );
  }

  #readKey(index: number, row: NameRow, isArgument: boolean): void {
    const context = this.#structure.contextOf(index, isArgument);
    const byNames = context.tierOf(row.resources);
    const isShapeOnly =
      byNames === 'likely' && !this.#hasCall && !this.#clients && this.#structure.recordOf(index).typed === undefined;
    const tier = isShapeOnly ? 'possible' : byNames;
    const value = this.#valueAfter(index);
    const { subject } = row.change;
    if (row.change.id === 'runnerActive' && value?.kind === 'text' && /^(?!true$|false$)\w+$/i.test(value.text)) {
      return;
    }
    if (subject.kind === 'value') {
      const isValue = subject.values.some((wanted) =>
        wanted === null ? /^(?:null|None|nil|NULL|undefined)$/.test(value?.text ?? '') : bare(value?.text) === wanted,
      );
      const isKnown = tier ?? (row.isDistinctive ? this.#tierOfFile : undefined);
      if (isValue && isKnown && (tier || row.name !== 'status')) {
        this.#addName(index, row, isKnown, 'key');
      } else if (isValue) {
        this.#await(index, row);
      }
      return;
    }
    if (row.isDistinctive) {
      this.#addDistinctive(index, row, tier, 'key');
      return;
    }
    if (
      tier &&
      (subject.kind !== 'field' ||
        subject.sent ||
        row.name !== 'version' ||
        this.#structure.recordOf(index).typed === 'runner')
    ) {
      const isRead = subject.kind === 'field' && !subject.sent;
      if (!isRead || this.#isRecord(index)) {
        this.#addName(index, row, tier, 'key');
        return;
      }
    }
    this.#await(index, row);
  }

  /** Keeps a key until it is known what the literal around it is given to. */
  #await(index: number, row: NameRow): void {
    const [dot, receiver] = [this.#tokens[index - 3], this.#tokens[index - 4]];
    if (
      this.#tokens[index - 1]?.text === '(' &&
      dot?.text === '.' &&
      receiver?.kind === 'word' &&
      this.#tokens[index + 1]?.text === ','
    ) {
      // `form.append('active', 'false')`: what the form is given to comes later.
      const form = this.#literals.get(receiver.text) ?? -index;
      this.#literals.set(receiver.text, form);
      this.#pending.set(form, [...(this.#pending.get(form) ?? []).slice(-20), { index, row }]);
      return;
    }
    const opener = this.#structure.groupOf[index]?.opener;
    if (opener !== undefined && opener >= 0) {
      this.#pending.set(opener, [...(this.#pending.get(opener) ?? []).slice(-20), { index, row }]);
    }
  }

  /** Whether a key stands in a record that the names beside it tell. */
  #isRecord(index: number): boolean {
    return (this.#structure.recordOf(index).names?.size ?? 0) >= 3;
  }

  #readMember(index: number, row: NameRow, dot: number): void {
    const [next, second] = [this.#tokens[index + 1]?.text, this.#tokens[index + 2]?.text];
    const isAccessor = /^(?:get|is|set|with)[A-Z]/.test(this.#tokens[index]?.text ?? '');
    if (this.#tokens[index]?.kind === 'word' && next === '(' && second !== ')' && !isAccessor) {
      return;
    }
    const { context, isNamed } = this.#receiverOf(dot);
    let tier = context.tierOf(row.resources);
    if (
      isNamed &&
      tier &&
      !row.isDistinctive &&
      !this.#hasRunners &&
      !this.#clients &&
      !(row.name === 'tag_list' && this.#tierOfFile === 'likely')
    ) {
      tier = undefined;
    }
    const { subject } = row.change;
    if (subject.kind === 'value') {
      if (tier && subject.received) {
        this.#readComparison(index, row, tier);
      }
      return;
    }
    if (subject.kind === 'parameter') {
      const isAssigned =
        this.#tokens[index + 1]?.text === '=' ||
        (this.#tokens[index + 1]?.text === ']' && this.#tokens[index + 2]?.text === '=');
      if (tier && isAssigned) {
        this.#addName(index, row, tier, 'key');
      }
      return;
    }
    if (row.isDistinctive) {
      this.#addDistinctive(index, row, tier, 'member');
    } else if (row.name === 'projects') {
      if (tier === 'certain' && !isNamed && this.#tokens[index + 1]?.text !== '(' && !this.#clients) {
        this.#addName(index, row, tier, 'member');
      }
    } else if (
      tier &&
      tier !== 'possible' &&
      (this.#tokens[index + 1]?.text !== '(' || /^(?:get|is|set|with)[A-Z]/.test(this.#tokens[index]?.text ?? ''))
    ) {
      this.#addName(index, row, isNamed ? 'likely' : tier, 'member');
    } else if (
      this.#clients &&
      row.name === 'tag_list' &&
      context.isEmpty &&
      /^TagList$/.test(this.#tokens[index]?.text ?? '') &&
      this.#structure.contextOf(index, false).tierOf(['project'])
    ) {
      this.#addName(index, row, 'likely', 'member');
    }
  }

  /** `runner.status == "active"`, `runner["status"] in ("paused", …)`. */
  #readComparison(index: number, row: NameRow, tier: Tier): void {
    const { subject } = row.change;
    let isCompared = false;
    for (let at = index + 1; at < this.#tokens.length && at - index < 12; at += 1) {
      const { kind, text } = this.#tokens[at] as Token;
      if (/^(?:==|===|!=|!==|in|includes|equals|eq)$/.test(text)) {
        isCompared = true;
      } else if (kind === 'text' && isCompared && subject.kind === 'value' && subject.values.includes(text)) {
        const token = this.#tokens[at] as Token;
        this.#add(row.change.id, { start: token.from, end: token.from + text.length }, tier, undefined);
      } else if (kind === 'mark' && /^(?:&&|\|\||;|\{|:)$/.test(text)) {
        return;
      }
    }
  }

  /** What stands before a member is about: by the call that it ends, by the variable that it begins with, or by its name. */
  #receiverOf(dot: number): { readonly context: Context; readonly isNamed: boolean } {
    const context = new Context();
    let isNamed = false;
    let at = dot - 1;
    for (let step = 0; step < 6 && at >= 0; step += 1) {
      const { kind, text } = this.#tokens[at] as Token;
      if (kind === 'mark' && (text === ')' || text === ']')) {
        const opener = this.#openerOf(at);
        if (opener === undefined) {
          break;
        }
        context.include(this.#structure.groupOf[opener + 1]?.context);
        at = opener - 1;
        continue;
      }
      if (kind !== 'word') {
        if (!/^(?:\.|->|\?\.|&\.|!|\?)$/.test(text)) {
          break;
        }
        at -= 1;
        continue;
      }
      const variable = this.#variables.get(text);
      const isFirst = !/^(?:\.|->|\?\.|&\.)$/.test(this.#tokens[at - 1]?.text ?? '');
      if (variable && (isFirst || step === 0)) {
        context.include(variable.context);
        break;
      }
      const resource = resourceNamed(text);
      if (resource !== undefined && step < 3) {
        context.add([resource], 'likely');
        isNamed = true;
        break;
      }
      if (isFirst) {
        break;
      }
      at -= 1;
    }
    return { context, isNamed };
  }

  /** Names within a text: a name alone, forms, JSON, tags, filters. */
  #readNamesOf(index: number, text: string): void {
    if (text.length < 4) {
      return;
    }
    if (text.length < 50 && !text.includes(nothing)) {
      for (const row of rowsOf(text)) {
        this.#readName(index, row, text);
      }
    }
    if ((text.length < 8 && !this.#isShell) || text.length > longestText) {
      return;
    }
    this.#work.add(text.length);
    const token = this.#tokens[index] as Token;
    const context = this.#structure.contextOf(index, true);
    const isFilter = /(?:^|[\s|([\uE001])\.(?:\w|\[)/.test(text);
    inText.lastIndex = 0;
    for (const found of text.matchAll(inText)) {
      const [all, before = '', name = '', after = ''] = found;
      const start = token.from + found.index + before.length;
      const range = { start, end: start + name.length };
      const value =
        /^[^&\s"'\uE001,}\]]*/.exec(text.slice(found.index + all.length).replace(/^[\s\\]*["'\uE001]?/, ''))?.[0] ?? '';
      const isAssignment =
        this.#isShell &&
        found.index === 0 &&
        /=/.test(after) &&
        /^(?:\n|;|\(|\$\(|)$/.test(this.#tokens[index - 1]?.text ?? '') &&
        this.#tokens[index]?.kind === 'text' &&
        !/^\s*$/.test(name) &&
        this.#source[token.start - 1] !== '-';
      for (const row of isAssignment ? [] : rowsOf(name)) {
        this.#readNameInText({
          row,
          range,
          context,
          value,
          isFilter: before.endsWith('.') && isFilter,
          isForm: /[=:]/.test(after),
          isTag: /^\w+:\\?"/.test(text) && !/[=:]/.test(after),
          index,
          text,
          at: found.index + all.length,
        });
      }
    }
  }

  #readNameInText({
    row,
    range,
    context,
    value,
    isFilter,
    isForm,
    isTag,
    index,
    text,
    at,
  }: {
    readonly row: NameRow;
    readonly range: Range;
    readonly context: Context;
    readonly value: string;
    readonly isFilter: boolean;
    readonly isForm: boolean;
    readonly isTag: boolean;
    readonly index: number;
    readonly text: string;
    readonly at: number;
  }): void {
    const { subject, id } = row.change;
    const tier = context.tierOf(row.resources);
    if (subject.kind === 'value') {
      if (isForm && tier && subject.values.some((wanted) => (wanted === null ? value === 'null' : value === wanted))) {
        this.#add(id, range, tier, this.#fixInText(row, range, value, text));
      } else if (isFilter && tier) {
        const compared = /^\s*[!=]=\s*\\?"(active|paused)/.exec(text.slice(at));
        if (compared) {
          this.#add(id, range, tier, undefined);
        }
      }
      return;
    }
    if (isFilter && subject.kind === 'field') {
      if (tier) {
        this.#add(id, range, tier, id === 'runnerActive' ? filterFix(range, text, at) : fixOfReceived(id, range));
      } else if (row.isDistinctive && this.#tierOfFile) {
        this.#add(id, range, this.#isShell ? this.#tierOfFile : 'possible', fixOfReceived(id, range));
      }
      return;
    }
    if (!isForm) {
      const isKnown = this.#isElsewhere
        ? false
        : row.isDistinctive
          ? this.#tierOfFile && !this.#isForeign(index)
          : tier && this.#isTypedField(index, row);
      if (isTag && isKnown && this.#tierOfFile) {
        this.#add(id, range, tier ?? this.#tierOfFile, undefined);
      }
      return;
    }
    const isSent = subject.kind === 'parameter' || (subject.kind === 'field' && subject.sent);
    if (tier && (isSent || row.isDistinctive)) {
      this.#add(id, range, tier, this.#fixInText(row, range, value, text));
    } else if (row.isDistinctive && this.#tierOfFile && this.#isShell && isSent) {
      this.#add(id, range, this.#tierOfFile, this.#fixInText(row, range, value, text));
    }
  }

  #fixInText(row: NameRow, range: Range, value: string, text: string): Fix | undefined {
    if (row.change.id === 'passwordToApprove' && text.includes('require_reauthentication_to_approve')) {
      return undefined;
    }
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

  /** Whether a name stands in a type, or after a receiver, of another platform: `pull.merged_by`. */
  #isForeign(index: number): boolean {
    const record = this.#structure.recordOf(index);
    const names = [record.typeName, this.#tokens[index - 2]?.text, this.#tokens[index - 4]?.text];
    return names.some(
      (name) =>
        name !== undefined &&
        /^pulls?$|pull_?requests?|^prs?$|webhook|object_attributes|github|gitea|bitbucket/i.test(name),
    );
  }

  #addDistinctive(index: number, row: NameRow, tier: Tier | undefined, use: Use): void {
    const own = this.#isElsewhere && tier !== 'certain' ? undefined : (tier ?? this.#tierOfFile);
    if (own === undefined || (tier === undefined && this.#isForeign(index))) {
      return;
    }
    const { text } = this.#tokens[index] as Token;
    const isExact = text.includes('_') && text === row.name;
    // The API's own spelling, or a declared field of a file that is about the platform; others may be names of the program.
    const isSure = isExact || this.#clients !== undefined || use === 'declared' || tier !== undefined;
    this.#addName(index, row, isSure ? own : own === 'certain' ? own : 'possible', use);
  }

  #addName(index: number, row: NameRow, tier: Tier, use: Use): void {
    if (tier === 'possible' && !row.isDistinctive) {
      return;
    }
    const token = this.#tokens[index] as Token;
    const range = { start: token.from, end: token.kind === 'text' ? token.from + token.text.length : token.end };
    const { id } = row.change;
    const isSpelled = this.#source.slice(range.start, range.end) === row.name;
    let fix: Fix | undefined;
    if (isSpelled && this.#isDynamic && use === 'key') {
      const value = this.#valueAfter(index);
      const isReplaced = id === 'passwordToApprove' && this.#hasSibling(index, 'require_reauthentication_to_approve');
      const isLiteral =
        value &&
        (value.kind === 'text' ? !value.text.includes(unknown) : /^(?:true|false|True|False|\d+)$/.test(value.text));
      const after = value ? this.#tokens[this.#tokens.indexOf(value, index) + 1]?.text : '';
      const isWhole = /^(?:,|\}|\)|\n|;)?$/.test(after ?? '') || this.#isPython;
      fix = isReplaced
        ? undefined
        : fixOfSent({
            change: id,
            name: range,
            quote: '"',
            value:
              isLiteral && isWhole
                ? { start: value.start, end: value.end, text: this.#source.slice(value.start, value.end) }
                : undefined,
          });
    } else if (isSpelled && this.#isDynamic && use === 'member') {
      fix = id === 'runnerActive' ? this.#fixOfActive(index) : fixOfReceived(id, range);
    }
    this.#add(id, range, tier, fix);
  }

  /** `runner.active` is `!runner.paused`. */
  #fixOfActive(index: number): Fix | undefined {
    const tokens = this.#tokens;
    const token = tokens[index] as Token;
    const name = { start: token.from, end: token.from + token.text.length, text: 'paused' };
    const isIndex = tokens[index + 1]?.text === ']';
    const last = isIndex ? index + 1 : index;
    const after = tokens[last + 1]?.text ?? '';
    if (/^(?:=|\+=|\(|\.|\[)$/.test(after) || token.text !== 'active') {
      return undefined;
    }
    if (/^(?:===|==|!==|!=|is)$/.test(after)) {
      const literal = tokens[last + 2];
      return literal && /^(?:true|false)$/i.test(literal.text)
        ? { to: 'paused', edits: [name, { start: literal.start, end: literal.end, text: negated(literal.text) }] }
        : undefined;
    }
    let first = isIndex ? index - 2 : index - 2;
    for (let step = 0; step < 12 && first > 0; step += 1) {
      if (/^[)\]]$/.test(tokens[first]?.text ?? '')) {
        first = (this.#openerOf(first) ?? first) - 1;
      } else if (/^(?:\.|\?\.|->)$/.test(tokens[first - 1]?.text ?? '')) {
        first -= 2;
      } else {
        break;
      }
    }
    const before = tokens[first - 1];
    const start = tokens[first]?.start ?? token.start;
    const end = tokens[last]?.end ?? token.end;
    if (before?.text === '!' && before.end === start) {
      return { to: 'paused', edits: [{ start: before.start, end: before.end, text: '' }, name] };
    }
    if (before?.text === 'not') {
      return { to: 'paused', edits: [{ start: before.start, end: start, text: '' }, name] };
    }
    return this.#isPython
      ? { to: 'paused', edits: [{ start, end: start, text: '(not ' }, name, { start: end, end, text: ')' }] }
      : { to: 'paused', edits: [{ start, end: start, text: '!' }, name] };
  }

  #valueAfter(index: number): Token | undefined {
    const mark = this.#tokens[index + 1]?.text ?? '';
    return /^(?::|=|=>|,)$/.test(mark) ? this.#tokens[index + 2] : undefined;
  }

  #hasSibling(index: number, name: string): boolean {
    const group = this.#structure.groupOf[index];
    for (let at = Math.max(0, index - 40); at < index + 40; at += 1) {
      if (this.#structure.groupOf[at] === group && this.#tokens[at]?.text === name) {
        return true;
      }
    }
    return false;
  }

  #add(change: ChangeId, range: Range, tier: Tier, fix: Fix | undefined): void {
    const key = `${range.start} ${change}`;
    const known = this.#findings.get(key);
    if (this.#findings.size > mostFindings) {
      throw new OverBudgetError();
    }
    if (!known || rank(tier) > rank(known.tier)) {
      this.#findings.set(key, {
        change,
        start: range.start,
        end: range.end,
        tier,
        fix: tier === 'possible' ? undefined : fix,
      });
    }
  }

  #textAt({ start, end }: Range): string {
    return this.#source.slice(start, end);
  }

  #isTag(finding: Finding | undefined): boolean {
    return finding !== undefined && this.#textAt(finding).includes('_');
  }
}

/** Calls that give what they get, in another form. */
const unwrapping =
  /^(?:\(|=|await|\w*parse\w*|loads|json|read(?:Tree|Value)|unmarshal|decode|list|sorted|filter|from\w*|json_decode|values|ok|unwrap|deserialize\w*|enumerate|reversed|\w*[rR]equest\w*|get|put|post|patch|delete|send|fetch|execute|open|urlopen|Get|Put|Post|Do|curl_\w+|exec|call)$/i;

type Use = 'key' | 'member' | 'declared';

const inText = new RegExp(
  `((?:^|[?&{,\\s"'\\uE001.\\[(=:\\\\]))(${anyName})(?=\\W|$)(\\\\?["']?\\]?\\s*(?:==?|:(?!:)))?`,
  'g',
);

/** The functions of a script whose bodies have the path of the API. */
function wrappersIn(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const found of text.matchAll(/^[ \t]{0,20}(?:function[ \t]+)?([\w-]{1,60})[ \t]*\(\)/gm)) {
    const body = text.slice(found.index, found.index + 2000);
    const end = body.search(/\n[ \t]{0,20}\}/);
    if (/api[/_]?v4/i.test(end === -1 ? body : body.slice(0, end)) && names.size < 100) {
      names.add(found[1] ?? '');
    }
  }
  return names;
}

function rank(tier: Tier): number {
  return tier === 'certain' ? 2 : tier === 'likely' ? 1 : 0;
}

function squash(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}

function bare(text: string | undefined): string {
  return (text ?? '').replaceAll(/["'`]/g, '');
}

function contextOf(resource: Resource | undefined, tier: Tier = 'likely'): Context {
  const context = new Context();
  context.add(resource === undefined ? [] : [resource], tier);
  return context;
}

/** `select(.active)` of jq is `select((.paused | not))`. */
function filterFix(range: Range, text: string, at: number): Fix | undefined {
  const after = text.slice(at);
  if (!/^\s*(?:[|)\],}]|$|'|")/.test(after)) {
    return undefined;
  }
  return { to: 'paused', edits: [{ start: range.start - 1, end: range.end, text: '(.paused | not)' }] };
}

function moved(finding: Finding, by: number): Finding {
  const shifted = <T extends Range>(range: T): T => ({ ...range, start: range.start + by, end: range.end + by });
  return { ...shifted(finding), fix: finding.fix && { ...finding.fix, edits: finding.fix.edits.map(shifted) } };
}
