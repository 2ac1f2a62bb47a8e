/** What the expressions of a program hold: addresses of the API, and records that it answers with. */
import { clientCall, endpointOf, usesClient } from './calls.ts';
import { type ChangeId, type Resource, resourceNamed } from './catalogue.ts';
import { type Code, hole, inside, lastBefore, longestStatement, type Range, type Scope } from './code.ts';

/** Sure: a call, or what the function itself ties to one or to a record of the API. Possible: what is named like one. */
export type Tier = 'sure' | 'possible';

/** What an expression holds; of no resource: something else than the API has. */
export interface Value {
  readonly of: readonly Resource[];
  readonly tier: Tier;
  /** Whether it is the address or the body of a call, rather than what that answers. */
  readonly isAddress?: boolean;
  /** Whether a record type of the source says so, whose fields are to change first. */
  readonly isDeclared?: boolean;
}

/** A path of the API in a literal. */
interface Address extends Range {
  readonly value: Value;
}

/** A change of a call itself. */
export interface CallChange extends Range {
  readonly change: ChangeId;
}

/** Other forges, whose records have fields of the same names. */
export const otherForge =
  /\bgithub(?!\.com\/|\.io\b|usercontent)|api\.github\.com|octokit|gitea|forgejo|bitbucket|gerrit|azure|codeberg|pull_?request/i;
const aboutApi =
  /api[/_]?v4|gitlab_?(?:url|token|api|client)|PRIVATE-TOKEN|\b(?:package|namespace|module|import|class|mod|use)\s[^\n;]{0,80}gitlab/i;
/** Paths that no other forge has, and where paths begin. */
export const ownPath = /\b(?:merge_requests|epics|geo_nodes|managed_licenses)\b/;
export const pathWord =
  /(?:projects|groups|runners|users?|merge_requests|geo_nodes|settings|epics|managed_licenses)(?:["']|[/?\uE000\s]|$)/;
export const otherVersion = /\/api\/v[1235]\b/;
/** Functions that give back what they are given, or what is read from there. */
const carrying =
  /^(?:\w*(?:json|parse|load|read|decode|deserialize|unmarshal|send|execute|request|fetch|open|call|do|ur[il]|http|paginat|retry|unwrap)\w*|await|list|sorted|reversed|enumerate|get|put|post|patch|from|Ok|Some|array)$/i;
/** Members that are what a value is, or one of its records. */
const unwrapping =
  /^(?:data|body|json\w*|contents?|text|values?|results?|items|response|parsed_response|read\w*|to_[ah]|first\w*|last|next|single\w*|find|filter|select|reject|where|sort\w*|reversed?|slice|take|skip|to(?:List|Array)|stream|iter|unwrap|expect|auto_paginate|lazy_paginate|compact|flat|concat|get(?:Body|Contents)?|RootElement|EnumerateArray|then|catch|send|error_for_status|decode\w*|parse\w*|await|clone|as_\w+|pop|shift|at|attributes|asdict)[?!]?$/i;
/** Functions that call another one with what a value holds. */
const iterating =
  /^(?:then|map|flatMap|for_?each\w*|each\w*|auto_paginate|find\w*|filter|some|every|select|reject|detect|any|all|(?:any|all|none)Match|sort\w*|group_?by|partition|where|first\w*|single\w*|orderby\w*|collect|tap|let|also|subscribe|reduce)$/i;
/** Functions that make an address or a request, which another one sends. */
const addressing =
  /^(?:new|\w*(?:ur[il]|format|printf|path|newrequest|builder|encode)\w*|create|join|concat|build|header\w*|timeout|method)$/i;
const [longestChain, longestArguments] = [16, 400];
const other: Value = { of: [], tier: 'possible' };
/** What a variable holds that was assigned something of which nothing is known. */
export const unknown: Value = { of: [], tier: 'possible' };

/** The values of a program, followed through its variables, functions and record types. */
export class Values {
  readonly code: Code<Value>;
  /** Whether the source is about the platform's API, and whether it uses a known client. */
  readonly isAbout: boolean;
  readonly usesClient: boolean;
  readonly types = new Map<string, Value>();
  readonly changes: CallChange[] = [];
  /** The resources that the source requests or has record types of. */
  readonly known = new Set<Resource>();
  readonly #addresses: Address[] = [];
  /** What fields of objects hold, and what functions of the source answer. */
  readonly #members = new Map<string, Value>();
  readonly #functions = new Map<string, Value>();
  readonly #hasTypes: boolean;
  readonly #hasOthers: boolean;

  constructor(code: Code<Value>, source: string, path: string) {
    this.code = code;
    this.usesClient = usesClient(source);
    this.isAbout = /gitlab/i.test(path) || this.usesClient || aboutApi.test(source);
    this.#hasTypes = /org\.gitlab4j|\busing NGitLab|\busing GitLabApiClient|@gitbeaker/.test(source);
    this.#hasOthers = otherForge.test(code.text);
  }

  /** Whether the function around a place talks to another forge. */
  isForeign(at: number): boolean {
    const { start, end, parent } = this.code.scopeAt(at);
    const { text } = this.code;
    return this.#hasOthers && parent !== undefined && otherForge.test(text.slice(start, Math.min(end, start + 10_000)));
  }

  /** Finds the paths of the API in literals, also in several that are joined. */
  *findAddresses(): Generator<void> {
    const { literals, around, bare } = this.code;
    for (let index = 0; index < literals.length;) {
      const first = literals[index] as Range;
      const pieces = [{ at: 0, start: first.start }];
      let path = this.literalText(first);
      let last = first;
      index += 1;
      const isList = /^\/?(?:projects|groups|runners|merge_requests)\/?$/.test(path);
      for (let next = literals[index]; next && path.length < longestStatement; next = literals[index]) {
        const between = next.start - last.end < 200 ? bare.slice(last.end + 1, next.start - 1) : ';';
        const [, mark = '', operand = ''] =
          /^\s*(\+|\.\.?|<>|,)([^]*?)(?:\+|\.\.?|<>|,)?\s*[fr$]?$/.exec(between) ?? [];
        const isJoined = mark === ',' ? isList : mark !== '' || /^\s*[fr]?$/.test(between);
        if (around[next.start] !== around[first.start] || !isJoined || /[;={]/.test(operand)) {
          break;
        }
        path += mark === ',' ? (operand.trim() === '' ? '/' : `/${hole}/`) : operand.trim() === '' ? '' : hole;
        pieces.push({ at: path.length, start: next.start });
        path += this.literalText(next);
        last = next;
        index += 1;
      }
      const suffix = /^["'`]\s*(\+|\.(?!\w)|,)/.exec(bare.slice(last.end, last.end + 12))?.[1];
      path += suffix === undefined || (suffix === ',' && !isList) ? '' : suffix === ',' ? `/${hole}` : hole;
      if (path.length < longestStatement && pathWord.test(path)) {
        this.#readPath(path, { start: first.start, end: last.end }, (at) => {
          const piece = pieces.findLast((candidate) => candidate.at <= at) ?? { at: 0, start: first.start };
          return piece.start + at - piece.at;
        });
      }
      if (index % 100 === 0) {
        yield;
      }
    }
  }

  #readPath(path: string, range: Range, placeOf: (at: number) => number): void {
    const before = this.code.before(range.start, 60);
    const isJoined = /(?:\+|\.|<>)\s*[fr$]?["'`]$/.test(before);
    const callee = /([\w.:]*)\s*\(\s*[fr$]?["'`]$/.exec(before)?.[1] ?? '';
    const isRoute = /(?:^|\.)(?:app|router|server|routes?|mock\w*|nock)\.\w+$|^(?:Route::\w+|path|url|re_path)$/i.test(
      callee,
    );
    const isKey = /^["'`]\s*(?:=>|:(?!:))/.test(this.code.bare.slice(range.end, range.end + 8));
    for (const { 0: word, index } of path.matchAll(/[^\s"'`<>\\|]+/g)) {
      const by = isJoined && index === 0 ? 1 : 0;
      const endpoint = endpointOf(hole.repeat(by) + word);
      if (!endpoint || isKey || otherVersion.test(word)) {
        continue;
      }
      const isOther = /^https?:\/\/\w/.test(word) && !/^https?:\/\/[^/]*gitlab/i.test(word);
      const isOwn = this.isAbout || (ownPath.test(word) && /\w\/[^/]+\/\w/.test(word));
      const isForeign = !ownPath.test(word) && this.isForeign(range.start);
      if (!endpoint.namesApi && (!isOwn || isOther || endpoint.isBare || isRoute || isForeign)) {
        continue;
      }
      endpoint.of.forEach((one) => this.known.add(one));
      this.#addresses.push({ ...range, value: { of: endpoint.of, tier: 'sure', isAddress: true } });
      if (endpoint.change) {
        const [start, end] = [placeOf(index + endpoint.start - by), placeOf(index + endpoint.end - 1 - by) + 1];
        this.changes.push({ change: endpoint.change, start, end });
      }
    }
  }

  /** The text of a literal, with marks for code in it. */
  literalText({ start, end }: Range): string {
    const [text, bare] = [this.code.text.slice(start, end), this.code.bare.slice(start, end)];
    return /[^\uE001]/.test(bare)
      ? text.replaceAll(/[^]/g, (char, at: number) => (bare[at] === inside ? char : hole))
      : text;
  }

  /** Finds calls of clients that change themselves. */
  *findClientCalls(): Generator<void> {
    let count = 0;
    for (const { 0: all, 1: method = '', index } of this.usesClient
      ? this.code.bare.matchAll(/(?:\.|->|::)\s{0,40}([A-Za-z_]\w{0,60})(?=\(|\s|$)/g)
      : []) {
      const after = index + all.length;
      const { receiver, start } = this.#receiverOf(index);
      const call =
        this.code.bare[after] === '(' || receiver === 'Gitlab' ? this.#clientCall(index, receiver, method) : undefined;
      call?.of.forEach((one) => this.known.add(one));
      if (call?.change) {
        const isService = call.change !== 'mergeRequestChanges' && !/epic/i.test(method);
        const range = isService
          ? { start, end: start + receiver.length }
          : { start: after - method.length, end: after };
        this.changes.push({ change: call.change, ...range });
      }
      count += 1;
      if (count % 2000 === 0) {
        yield;
      }
    }
  }

  /** The name of what a member at a dot is of, and where it stands. */
  #receiverOf(dot: number): { readonly receiver: string; readonly start: number } {
    const { bare, match } = this.code;
    const end = bare[dot - 1] === ')' ? Math.max(0, match[dot - 1] as number) : dot;
    const receiver = /[A-Za-z_]\w*$/.exec(this.code.before(end, 60))?.[0] ?? '';
    return { receiver, start: end - receiver.length };
  }

  #clientCall(dot: number, receiver: string, method: string): ReturnType<typeof clientCall> {
    const call = this.usesClient ? clientCall(receiver, method) : undefined;
    const chain = /\S*$/.exec(this.code.before(dot, 120))?.[0] ?? '';
    const isSame = /^[A-Z]/.test(method) || /gitlab|\b_?gl\b|_gl\b|merge_?request|\bmrs?\b|epics?\b/i.test(chain);
    return this.#hasOthers && !isSame ? undefined : call;
  }

  /** What a variable holds in the functions around a place. */
  variable(name: string, at: number): Value | undefined {
    for (let scope: Scope<Value> | undefined = this.code.scopeAt(at); scope; scope = scope.parent) {
      const value = scope.variables.get(name);
      if (value) {
        return value;
      }
    }
    return undefined;
  }

  /** The address of a call whose brackets are around a place, or which the same statement has. */
  callAround(at: number, statement: Range): Value | undefined {
    const { around, match, bare } = this.code;
    for (let opener = around[at] as number; opener >= statement.start; opener = around[opener] as number) {
      if (this.code.isBlock(opener)) {
        return undefined;
      }
      const closer = match[opener] === -1 ? statement.end : (match[opener] as number);
      const named = bare[opener] === '{' ? this.#typeBefore(opener) : undefined;
      const call = bare[opener] === '(' ? this.#callAt(opener, closer) : named;
      if (call && call.of.length > 0) {
        return call;
      }
    }
    const text = bare.slice(statement.start, statement.end);
    const start = statement.start + text.lastIndexOf(';', at - statement.start) + 1;
    const length = text.slice(start - statement.start).indexOf(';');
    const stop = length === -1 ? statement.end : start + length;
    return this.#addressIn(start, stop) ?? this.#variableIn(start, stop, at);
  }

  /** The type of a client that a literal of a record names: `&gitlab.EditProjectOptions{`. */
  #typeBefore(opener: number): Value | undefined {
    const type = /(?:\b([\w.]+)\.)?([A-Z]\w*)\s*$/.exec(this.code.before(opener, 80));
    return type ? this.typeValue(type[2] ?? '', opener - type[0].length + (type[1]?.length ?? -1) + 1) : undefined;
  }

  /** A call by its brackets: of an address in them, of a method of a client. */
  #callAt(opener: number, closer: number): Value | undefined {
    const callee = /([\w$]+)[?!]?(?:<[^<>()]{0,60}>)?\s*$/.exec(this.code.before(opener, 90));
    const head = opener - (callee?.[0].length ?? 0);
    const dot = head - (/(?:\?\.|&\.|\.|->|::)\s*$/.exec(this.code.before(head, 40))?.[0].length ?? 0);
    const client = dot < head ? this.#clientCall(dot, this.#receiverOf(dot).receiver, callee?.[1] ?? '') : undefined;
    return client
      ? { of: client.of, tier: 'sure' }
      : (this.#addressIn(opener, closer) ?? this.#variableIn(opener, closer, opener));
  }

  /** The first address between two places, outside of blocks. */
  #addressIn(start: number, end: number): Value | undefined {
    const address = this.#addresses[firstFrom(this.#addresses, start)];
    if (!address || address.start >= end) {
      return undefined;
    }
    for (
      let opener = this.code.around[address.start] as number;
      opener > start;
      opener = this.code.around[opener] as number
    ) {
      if (this.code.isBlock(opener)) {
        return undefined;
      }
    }
    return address.value;
  }

  /** The first variable between two places that holds an address. */
  #variableIn(start: number, end: number, at: number): Value | undefined {
    for (const [name] of this.code.bare
      .slice(start, Math.min(end, start + longestArguments))
      .matchAll(/(?<![\w.])[A-Za-z_]\w{0,60}/g)) {
      const value = this.variable(name, at);
      if (value?.isAddress) {
        return value;
      }
    }
    return undefined;
  }

  /** What the expression holds that ends at a place; undefined if that is not known. */
  at(end: number, depth = longestChain): Value | undefined {
    const { bare, match } = this.code;
    const to = end - (/[\s;!?,]*$/.exec(this.code.before(end, 60))?.[0].length ?? 0);
    const mark = bare[to - 1] ?? '';
    const opener = match[to - 1] as number;
    if (depth === 0 || (/[)\]}]/.test(mark) && opener === -1)) {
      return undefined;
    }
    if (/["'`]/.test(mark)) {
      const address = lastBefore(this.#addresses, to);
      return address && address.end === to - 1 ? address.value : undefined;
    }
    if (mark === ')') {
      return this.#atCall(opener, to - 1, depth - 1);
    }
    if (mark === ']') {
      const isMember = /[\w)\]?!]$/.test(this.code.before(opener, 1));
      const key = /^["':]?(\w+)["']?$/.exec(this.code.text.slice(opener + 1, to - 1))?.[1] ?? '';
      const isName = bare[opener + 1] !== key[0] && key !== '';
      return !isMember ? undefined : isName ? this.#atMember(key, opener, depth) : this.at(opener, depth - 1);
    }
    if (mark === '}') {
      const method = /(?:\?\.|&\.|\.)(\w+[?!]?)\s*$/.exec(this.code.before(opener, 60));
      return method && unwrapping.test(method[1] ?? '') ? this.at(opener - method[0].length, depth - 1) : undefined;
    }
    const name = /[\w$@]+$/.exec(this.code.before(to, 80))?.[0] ?? '';
    const from = to - name.length;
    const accessor = /(?:\?\.|&\.|\.|->|::)\s*$/.exec(this.code.before(from, 60))?.[0].length ?? 0;
    const plain = name.replaceAll(/[$@]/g, '');
    if (accessor > 0) {
      return /(?:^|\W)(?:this|self|\$this)$/.test(this.code.before(from - accessor, 8))
        ? this.#members.get(plain)
        : this.#atMember(name, from - accessor, depth);
    }
    return name.startsWith('@') ? this.#members.get(plain) : (this.variable(plain, from) ?? this.types.get(plain));
  }

  #atMember(name: string, receiver: number, depth: number): Value | undefined {
    const value = unwrapping.test(name) || this.at(receiver, depth - 1) ? this.at(receiver, depth - 1) : undefined;
    return unwrapping.test(name) || !value ? value : value.isAddress ? value : other;
  }

  #atCall(opener: number, closer: number, depth: number): Value | undefined {
    const { bare, text } = this.code;
    const callee = /([\w$]+)[?!]?(?:(?:::)?<[^()]{0,60}>)?\s*$/.exec(this.code.before(opener, 100));
    const name = callee?.[1] ?? '';
    const head = opener - (callee?.[0].length ?? 0);
    const accessor = /(?:\?\.|&\.|\.|->|::)\s*$/.exec(this.code.before(head, 60))?.[0].length ?? 0;
    const client =
      accessor > 0 ? this.#clientCall(head - accessor, this.#receiverOf(head - accessor).receiver, name) : undefined;
    if (client) {
      return client.of.length > 0 ? { of: client.of, tier: 'sure' } : other;
    }
    const sent =
      closer - opener > 2 ? (this.#addressIn(opener, closer) ?? this.#variableIn(opener, closer, opener)) : undefined;
    if (sent) {
      return addressing.test(name) || /\bnew\s+[\w.]+$/.test(this.code.before(opener, 60))
        ? sent
        : { of: sent.of, tier: sent.tier };
    }
    const key = /^\(["'](\w+)["']/.exec(text.slice(opener, opener + 60))?.[1];
    if (accessor > 0 && (unwrapping.test(name) || key !== undefined)) {
      const value = this.at(head - accessor, depth);
      return value?.isAddress
        ? addressing.test(name)
          ? value
          : { of: value.of, tier: value.tier }
        : value && key !== undefined && !unwrapping.test(key)
          ? other
          : value;
    }
    const called = name === '' ? undefined : this.#functions.get(name);
    if (called) {
      return called;
    }
    if (name === '' || (carrying.test(name) && closer - opener < longestArguments)) {
      const comma = bare.slice(opener, Math.min(closer, opener + longestArguments)).indexOf(',');
      const value = this.at(closer, depth) ?? (comma === -1 ? undefined : this.at(opener + comma, depth));
      if (value) {
        return value;
      }
    }
    const receiver = accessor > 0 ? this.at(head - accessor, depth) : undefined;
    if (receiver) {
      return receiver.isAddress ? (addressing.test(name) ? receiver : { of: receiver.of, tier: receiver.tier }) : other;
    }
    // A function of another file, by its name.
    const named = this.isAbout
      ? clientCall('', name.replace(/^(?:fetch|find|load|retrieve|query|read)_?(?=[A-Z_a-z])/, 'get_'))
      : undefined;
    return named && named.of.length > 0 && /_|[a-z][A-Z]/.test(name) ? { of: named.of, tier: 'possible' } : undefined;
  }

  #bind(name: string, at: number, value: Value | undefined, isMember = false): void {
    if (!isMember) {
      this.code.scopeAt(at).variables.set(name, value ?? unknown);
    } else if (value) {
      this.#members.set(name, value);
    }
  }

  /** Gives the values of a statement to the variables that it assigns, goes through or calls functions with. */
  bindAll({ start, end }: Range, languageId: string): void {
    const { bare, around, match } = this.code;
    const code = bare.slice(start, end);
    const assigned = /(?<![=!<>+\-*/%&|^~?])(?::=|=(?![=>~]))/g;
    for (let count = 0, found = assigned.exec(code); found && count < 8; count += 1, found = assigned.exec(code)) {
      if (around[start + found.index] !== around[start]) {
        continue;
      }
      const left = code
        .slice(Math.max(0, found.index - 200), found.index)
        .replace(/(?<=\w\s*):\s*[\w.<>[\]| ]{1,60}\s*$/, '')
        .trimEnd();
      const from = start + found.index + found[0].length;
      const to = this.endOf(from, end);
      // `Invoke-RestMethod -Uri $url`, `get "/runners"`
      const isCommand = /^\s*[A-Za-z][\w-]*\s+[-"'$]/.test(bare.slice(from, from + 60));
      const value = this.at(to) ?? (isCommand ? this.#knownIn(from, to) : undefined);
      const targets = /(?:[\w$@.>-]+\s*,\s*){0,3}[\w$@.>-]+$/.exec(left)?.[0].split(',') ?? [];
      const isRange = /^\s*range\b/.test(code.slice(found.index + found[0].length, found.index + found[0].length + 12));
      const target = (isRange ? targets.at(-1) : targets[0])?.trim() ?? '';
      const name = /^(?:this\.|self\.|\$this->|@|\$)?(\w+)$/.exec(target)?.[1];
      if (name !== undefined) {
        this.#bind(name, start, value, /^(?:this|self|\$this|@)\W?/.test(target));
      }
      if (left.endsWith('}') || left.endsWith(']')) {
        this.#bindPattern(left, start, value);
      }
      break;
    }
    const returned = /(?:^|\n|;|\{)\s*(?:return|yield)\b/.exec(code);
    const scope = this.code.scopeAt(start);
    if (returned && scope.parent) {
      const from = start + returned.index + returned[0].length;
      const value = this.at(this.endOf(from, end));
      const name =
        /(?:def|function|func|fn|fun|sub)\s+(?:\([^()]*\)\s*)?(?:self\.)?(\w+)|(\w+)\s*(?:=\s*(?:async\s*)?)?(?:<[^<>()]*>)?\(/.exec(
          bare.slice(scope.start, scope.start + 200),
        );
      if (name && value && value.of.length > 0 && !value.isAddress) {
        this.#functions.set(name[1] ?? name[2] ?? '', value);
      }
    }
    for (const { 0: all, 1: target = '', index } of code.matchAll(
      /\bfor(?:each|Each)?\b\s*(?:await\s*)?\(?\s*(?:(?:const|let|var)\s+)?((?:[\w$@<>.?]+[\s,]+){1,5}|\{[^{}]{1,200}\}\s*)(?:in|of|:)\s/g,
    )) {
      const from = start + index + all.length;
      const closer = match[around[from] as number] ?? -1;
      const stop =
        /\s+if\s|:\s*(?:\n|$)|\s*\{\s*(?:\n|$)|\n\s*(?![\s.])|$/.exec(bare.slice(from, Math.min(end, from + 300)))
          ?.index ?? 0;
      const value = this.at(closer > from ? Math.min(closer, from + stop) : from + stop);
      this.#bind(/(\w+)[\s,]*$/.exec(target)?.[1] ?? '', start, value);
      this.#bindPattern(target, start, value);
    }
    for (const { 0: all, 1: name = '', index } of code.matchAll(
      /\bforeach\s*\([^()]{1,80}?\s+as\s+(?:\$\w+\s*=>\s*)?\$(\w+)|\bas\s+(\w+)\s*:/g,
    )) {
      this.#bind(
        /\w+(?=\s*:?$)/.exec(all)?.[0] ?? name,
        start,
        this.at(start + index + Math.max(0, all.search(/\bas\b/))),
      );
    }
    let count = 0;
    for (const { 1: method = '', 2: parameter = '', index } of code.matchAll(
      /(?:\.|\?\.|&\.|->)\s*(\w{2,30})[!?]?\s*(?:\(\s*)?(?:async\s+|function\s*\w{0,40}\s*|\{\s*|do\s*)?[(|{]{0,2}\s*(\{[^{}]{1,200}\}|[\w$]+)[^=>|{}()]{0,40}\)?\s*(?:=>|->|\||\{|\bin\b)/g,
    )) {
      count += 1;
      if (iterating.test(method) && count <= longestChain) {
        const value = this.at(start + index);
        this.#bind(parameter.replace('$', ''), start + index + 1, value);
        this.#bindPattern(parameter, start, value);
      }
    }
    for (const { 1: name = '', 2: pointer = '', index } of code.matchAll(
      /\blambda\s+(\w+)\s*:|[(,]\s*&\s*(\w+)\s*[,)]/g,
    )) {
      const closer = match[around[start + index + 1] as number] ?? -1;
      const call =
        name === ''
          ? (this.#knownIn(start, start + index) ?? this.callAround(start + index + 1, { start, end }))
          : this.at(closer);
      this.#bind(name === '' ? pointer : name, start, call && { of: call.of, tier: call.tier });
    }
    if (languageId === 'powershell' && /\$_\b/.test(code)) {
      this.#bind('_', start, this.#knownIn(start, end));
    }
  }

  /** The first value that is known of what is named between two places. */
  #knownIn(start: number, end: number): Value | undefined {
    const address = this.#addressIn(start, end);
    if (address) {
      return { of: address.of, tier: address.tier };
    }
    for (const { 0: name } of this.code.bare
      .slice(start, Math.min(end, start + longestArguments))
      .matchAll(/[A-Za-z]\w{0,60}/g)) {
      const value = this.variable(name, start);
      if (value && value.of.length > 0) {
        return { of: value.of, tier: value.tier };
      }
    }
    return undefined;
  }

  #bindPattern(pattern: string, at: number, value: Value | undefined): void {
    for (const [name] of pattern
      .slice(Math.max(pattern.lastIndexOf('{'), pattern.lastIndexOf('['), 0))
      .match(/[[{][^]*/)?.[0]
      .matchAll(/\b(?:data|body|json|result|items|response|\w*[rR]unners?|mr|mergeRequests?)\b(?!\s*:)/g) ?? []) {
      this.#bind(name, at, value);
    }
  }

  /** Where an expression ends: before what follows it, or what it has if it is nothing. */
  endOf(from: number, end: number): number {
    const { bare, around } = this.code;
    let to = from;
    while (to < end && (bare[to] !== ';' || around[to] !== around[from])) {
      to += 1;
    }
    const rest = bare.slice(Math.max(from, to - 120), to);
    const block = /(?<=[\w)\]"'`])\s*\{\s*$/.exec(rest)?.[0].length ?? 0;
    const [tail = ''] =
      /(?:\s*(?:\|\||\?\?|\bor\b)\s*(?:\[\]|\{\}|null|None|nil|\w+\.\w+\(\))|\s+as\s+(?:unknown\s+as\s+)?[\w<>[\].| ]+|\s+rescue\s+\w+|\s+if\s[^\n]*|\s+else\s+\w+)?\s*$/.exec(
        rest.slice(0, rest.length - block),
      ) ?? [];
    return to - block - tail.length;
  }

  /** What a type that a place names is a record of: one of the source, or one of a client. */
  typeValue(type: string, at: number): Value | undefined {
    const own = this.types.get(type);
    const resource = !own && this.usesClient && /^[A-Z]/.test(type) ? resourceNamed(type) : undefined;
    const isClients = this.#hasTypes || /\b(?:gitlab|gl|gogitlab|api|objects|models)\.$/.test(this.code.before(at, 24));
    return own ?? (resource && isClients ? { of: ofRecord(resource), tier: 'sure' } : undefined);
  }

  /** Knows variables by a type of the source or of a client. */
  bindTyped({ start, end }: Range): void {
    const { bare } = this.code;
    for (const { 0: type, index } of bare.slice(start, end).matchAll(/(?<!\w)[A-Za-z]\w{1,60}/g)) {
      const from = start + index;
      const value = this.typeValue(type, from);
      if (value) {
        const to = from + type.length;
        const after = /^[>[\]?*]{0,4}\s+([a-z_$]\w{0,60})\s*[,;=):{]/.exec(bare.slice(to, to + 80))?.[1];
        const before =
          /([\w$]{1,60})\s*\??:\s*(?:[\w.]{1,40}[<[])?[[*&?\w.]{0,20}$|([a-z]\w{0,60})\s+[[\]*]{0,4}(?:\w+\.)?$/.exec(
            this.code.before(from, 100),
          );
        const name = after ?? before?.[1] ?? before?.[2] ?? '';
        if (!/^(?:new|return|class|interface|struct|extends|implements|type|case|else|)$/.test(name)) {
          this.#bind(name, start, value);
        }
      }
    }
  }
}

/** The index of the first of ordered ranges that begins at a place or after it. */
function firstFrom(ranges: readonly Range[], at: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle] as Range).start < at) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** What a record of a resource has: that of a single group has more than those of lists. */
export function ofRecord(resource: Resource): readonly Resource[] {
  return resource === 'group' ? ['group', 'groupDetails'] : [resource];
}
