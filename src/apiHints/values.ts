/** What the expressions of a program hold: addresses of the API, and records that it answers with. */
import { clientCall, endpointOf, ofRecord, usesClient } from './calls.ts';
import { type ChangeId, type Resource, resourceNamed } from './catalogue.ts';
import { type Code, hole, inside, lastBefore, longestStatement, type Range, type Scope } from './code.ts';

/** What an expression holds; of no resource: something else than the API has. */
export interface Value {
  readonly of: readonly Resource[];
  /** Whether it is the address or the body of a call, rather than what that answers. */
  readonly isAddress?: boolean;
}

/** Other forges, whose records have fields of the same names. */
export const otherForge =
  /\bgithub(?!\.com\/|\.io\b|usercontent)|api\.github\.com|octokit|gitea|forgejo|bitbucket|gerrit|azure|codeberg/i;
const aboutApi =
  /api[/_]?v4|gitlab_?(?:base_?)?(?:url|token|api|client)|PRIVATE-TOKEN|\b(?:package|namespace|module|import|class|mod|use|require_relative)\s[^\n;]{0,80}gitlab/i;
/** Paths that no other forge has, and where paths begin. */
export const ownPath = /\b(?:merge_requests|epics|geo_nodes|managed_licenses)\b/;
export const pathWord =
  /(?:projects|groups|runners|users?|merge_requests|geo_nodes|settings|epics|managed_licenses)(?:["']|[/?\uE000\s]|$)/;
/** Members that are what a value is, or one of its records. */
const unwrapping =
  /^(?:data|body|json\w*|contents?|text|values?|results?|items|response|parsed_response|read\w*|to_[ah]|first\w*|last|next|single\w*|find|filter|select|reject|where|sort\w*|reversed?|slice|take|skip|to(?:List|Array)|stream|(?:into_)?iter|unwrap|expect|auto_paginate|lazy_paginate|compact|flat|concat|get(?:Body|Contents)?|RootElement|EnumerateArray|then|catch|send|error_for_status|decode\w*|parse\w*|await|clone|as_\w+|pop|shift|at|attributes|asdict)[?!]?$/i;
/** Functions that call another one with what a value holds. */
const iterating =
  /^(?:then|map|flatMap|for_?each\w*|each\w*|auto_paginate|find\w*|filter|some|every|select|reject|detect|any|all|(?:any|all|none)Match|sort\w*|group_?by|partition|where|first\w*|single\w*|orderby\w*|collect|tap|let|also|subscribe|reduce)$/i;
/** Functions that make an address or a request, which another one sends. */
const addressing =
  /^(?:new|\w*(?:ur[il]|format|printf|path|newrequest|builder|encode)\w*|create|join|concat|build|header\w*|timeout|method)$/i;
/** Functions that read what their first argument is the text of. */
const decoding = /^(?:json_?decode|decode_?json|loads?|parse|deserialize\w*|from_?json)$/i;
const [mostSteps, mostCallbacks, longestArguments] = [40, 16, 400];
const other: Value = { of: [] };
/** What a variable holds that was assigned something of which nothing is known. */
export const unknown: Value = { of: [] };

/** The values of a program, followed through its variables, functions and record types. */
export class Values {
  readonly code: Code<Value>;
  /** Whether the source is about the platform's API, and whether it uses a known client. */
  readonly isAbout: boolean;
  readonly usesClient: boolean;
  readonly types = new Map<string, Value>();
  /** Where calls stand that change themselves. */
  readonly changes: (Range & { readonly change: ChangeId })[] = [];
  /** The resources that the source requests or has record types of. */
  readonly known = new Set<Resource>();
  /** Literals with paths of the API. */
  readonly #addresses: (Range & { readonly value: Value })[] = [];
  /** How much of an expression is still read. */
  #steps = 0;
  readonly #hasOthers: boolean;
  readonly #foreign = new Map<Scope<Value>, boolean>();

  constructor(code: Code<Value>, source: string, path: string) {
    this.code = code;
    this.usesClient = usesClient(source);
    this.isAbout = /gitlab/i.test(path) || this.usesClient || aboutApi.test(source);
    this.#hasOthers = otherForge.test(code.text);
  }

  /** Whether the function around a place talks to another forge. */
  isForeign(at: number): boolean {
    const scope = this.code.scopeAt(at);
    const { start, end, parent } = scope;
    const isForeign =
      this.#foreign.get(scope) ??
      (this.#hasOthers &&
        parent !== undefined &&
        otherForge.test(this.code.text.slice(start, Math.min(end, start + 10_000))));
    this.#foreign.set(scope, isForeign);
    return isForeign;
  }

  /** Finds the paths of the API in literals, also in several that are joined. */
  *findAddresses(): Generator<void> {
    const { literals, around, bare } = this.code;
    for (let index = 0; index < literals.length;) {
      if (index % 20 === 0) {
        yield;
      }
      const first = literals[index] as Range;
      const pieces = [{ at: 0, start: first.start }];
      let path = this.literalText(first);
      let last = first;
      index += 1;
      for (let next = literals[index]; next && path.length < longestStatement; next = literals[index]) {
        const between = next.start - last.end < 200 ? bare.slice(last.end + 1, next.start - 1) : ';';
        const operand = /^\s*(?:\+|\.\.?|<>)([^;={]*?)(?:\+|\.\.?|<>)?\s*[fr$]?$|^\s*[fr]?$/.exec(between);
        if (around[next.start] !== around[first.start] || !operand) {
          break;
        }
        path += (operand[1] ?? '').trim() === '' ? '' : hole;
        pieces.push({ at: path.length, start: next.start });
        path += this.literalText(next);
        last = next;
        index += 1;
      }
      if (path.length < longestStatement && pathWord.test(path)) {
        this.#readPath(path, { start: first.start, end: last.end }, (at) => {
          const piece = pieces.findLast((candidate) => candidate.at <= at) ?? { at: 0, start: first.start };
          return piece.start + at - piece.at;
        });
      }
    }
  }

  #readPath(path: string, range: Range, placeOf: (at: number) => number): void {
    for (const { 0: word, index } of path.matchAll(/[^\s"'`<>\\|]+/g)) {
      const endpoint = endpointOf(word);
      if (!endpoint) {
        continue;
      }
      const isOwn = this.isAbout || (ownPath.test(word) && /\w\/[^/]+\/\w/.test(word));
      if (!endpoint.namesApi && (!isOwn || endpoint.isElsewhere || endpoint.isBare)) {
        continue;
      }
      endpoint.of.forEach((one) => this.known.add(one));
      this.#addresses.push({ ...range, value: { of: endpoint.of, isAddress: true } });
      if (endpoint.change) {
        const [start, end] = [placeOf(index + endpoint.start), placeOf(index + endpoint.end - 1) + 1];
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
      const call = this.code.bare[after] === '(' ? this.#clientCall(index, method) : undefined;
      call?.of.forEach((one) => this.known.add(one));
      if (call?.change) {
        this.changes.push({ change: call.change, start: after - method.length, end: after });
      }
      count += 1;
      if (count % 2000 === 0) {
        yield;
      }
    }
  }

  /** The name that ends at a place, and where the dot before it stands, if any. */
  #nameBefore(end: number): { readonly name: string; readonly start: number; readonly dot: number } {
    const word = /([\w$@]+)[?!]?(?:(?:::)?<[^()]{0,60}>)?\s*$/.exec(this.code.before(end, 100));
    const start = end - (word?.[0].length ?? 0);
    const dot = /(?:\?\.|&\.|\.|::)\s*$|->$/.exec(this.code.before(start, 60))?.[0].length ?? 0;
    return { name: word?.[1] ?? '', start, dot: dot === 0 ? -1 : start - dot };
  }

  /** Where a call begins that ends at a place, else that place. */
  #openerBefore(end: number): number {
    const to = end - (/\s*$/.exec(this.code.before(end, 80))?.[0].length ?? 0);
    return this.code.bare[to - 1] === ')' ? Math.max(0, this.code.match[to - 1] as number) : end;
  }

  #clientCall(dot: number, method: string): ReturnType<typeof clientCall> {
    return this.usesClient && !this.isForeign(dot)
      ? clientCall(this.#nameBefore(this.#openerBefore(dot)).name.replace(/^[$@]/, ''), method)
      : undefined;
  }

  /** What a variable holds in the functions around a place. */
  #variable(name: string, at: number): Value | undefined {
    for (let scope: Scope<Value> | undefined = this.code.scopeAt(at); scope; scope = scope.parent) {
      const value = scope.variables.get(name);
      if (value) {
        return value;
      }
    }
    return undefined;
  }

  /** The call whose brackets are around a place, or which the same statement has. */
  callAround(at: number, { start, end }: Range): Value | undefined {
    const { around, match, bare } = this.code;
    for (let opener = around[at] as number; opener >= start; opener = around[opener] as number) {
      const closer = match[opener] === -1 ? end : (match[opener] as number);
      const call = bare[opener] === '(' ? this.#callAt(opener, closer) : this.#typeBefore(opener);
      if (call && call.of.length > 0) {
        return call;
      }
    }
    const from = start + bare.slice(start, at).lastIndexOf(';') + 1;
    const length = bare.slice(at, end).indexOf(';');
    return this.#addressIn(from, length === -1 ? end : at + length);
  }

  /** The type of a client that a literal of a record names: `&gitlab.EditProjectOptions{`. */
  #typeBefore(opener: number): Value | undefined {
    const { name } = this.#nameBefore(opener);
    return this.code.bare[opener] === '{' && /^[A-Z]/.test(name) ? this.typeValue(name) : undefined;
  }

  /** A call by its brackets: of a method of a client, or of an address in them. */
  #callAt(opener: number, closer: number): Value | undefined {
    const { name, dot } = this.#nameBefore(opener);
    const client = dot === -1 ? undefined : this.#clientCall(dot, name);
    return client ? { of: client.of } : this.#addressIn(opener, closer);
  }

  /** The last address between two places, else the first variable there that holds one. */
  #addressIn(start: number, end: number): Value | undefined {
    const address = lastBefore(this.#addresses, end - 1);
    return address && address.start > start
      ? address.value
      : this.#variableIn(start, end, (value) => value.isAddress === true);
  }

  /** What the last call between two places is about. */
  requestedIn({ start, end }: Range): Resource | undefined {
    const address = lastBefore(this.#addresses, end - 1);
    return address && address.start >= start ? address.value.of[0] : undefined;
  }

  #variableIn(start: number, end: number, isWanted: (value: Value) => boolean): Value | undefined {
    const code = this.code.bare.slice(start, Math.min(end, start + longestArguments));
    for (const { 0: name } of code.matchAll(/(?<![\w.])[A-Za-z_]\w{0,60}/g)) {
      const value = this.#variable(name, start);
      if (value && isWanted(value)) {
        return value;
      }
    }
    return undefined;
  }

  /** What the expression holds that ends at a place; undefined if that is not known. */
  at(end: number): Value | undefined {
    this.#steps = mostSteps;
    return this.#at(end);
  }

  #at(end: number): Value | undefined {
    const { bare, match, text } = this.code;
    const to = end - (/[\s;!?,]*$/.exec(this.code.before(end, 60))?.[0].length ?? 0);
    const mark = bare[to - 1] ?? '';
    const opener = match[to - 1] as number;
    this.#steps -= 1;
    if (this.#steps < 0 || (/[)\]}]/.test(mark) && opener === -1)) {
      return undefined;
    }
    if (/["'`]/.test(mark)) {
      const address = lastBefore(this.#addresses, to);
      return address?.end === to - 1 ? address.value : undefined;
    }
    if (mark === ')') {
      return this.#atCall(opener, to - 1);
    }
    if (mark === ']') {
      const key = /^["':](\w+)["']?$/.exec(text.slice(opener + 1, to - 1))?.[1];
      const isMember = /[\w)\]?!]/.test(bare[opener - 1] ?? '');
      return isMember ? this.#member(this.#at(opener), key ?? 'data') : undefined;
    }
    const { name, dot } = this.#nameBefore(mark === '}' ? opener : to);
    const plain = name.replaceAll(/[$@]/g, '');
    if (mark === '}' && dot === -1) {
      return this.code.isBlock(opener) ? undefined : (this.types.get(plain) ?? this.#addressIn(opener, to));
    }
    if (dot !== -1) {
      return this.#member(this.#at(dot), name);
    }
    return this.#variable(plain, to);
  }

  /** What a member of a value is: the value itself, or something else. */
  #member(value: Value | undefined, name: string): Value | undefined {
    return value === undefined || value === unknown || value.isAddress || unwrapping.test(name) ? value : other;
  }

  #atCall(opener: number, closer: number): Value | undefined {
    const { name, dot } = this.#nameBefore(opener);
    const isMade = addressing.test(name) || /\bnew\s+[\w.]+$/.test(this.code.before(opener, 60));
    const call = this.#callAt(opener, closer) ?? (dot === -1 ? undefined : this.#at(dot));
    if (call?.isAddress) {
      return isMade ? call : answer(call);
    }
    const key = /^\(["'](\w+)["']/.exec(this.code.text.slice(opener, opener + 60))?.[1];
    if (call) {
      return dot === -1 || this.#clientCall(dot, name) ? call : this.#member(call, key ?? name);
    }
    if (name !== '' && !decoding.test(name)) {
      return undefined;
    }
    const comma = opener + this.code.bare.slice(opener, Math.min(closer, opener + longestArguments)).indexOf(',');
    return this.#at(this.code.around[comma] === opener ? comma : closer);
  }

  #bind(name: string, at: number, value: Value | undefined): void {
    this.code.scopeAt(at).variables.set(name.replace('$', ''), value ?? unknown);
  }

  /** Gives the values of a statement to the variables that it assigns, goes through or calls functions with. */
  bindAll({ start, end }: Range): void {
    const { bare, around, match } = this.code;
    const code = bare.slice(start, end);
    const assigned = [...code.matchAll(/(?<![=!<>+\-*/%&|^~?])(?::=|=(?![=>~]))/g)].slice(0, 8);
    const assignment = assigned.find(({ index }) => around[start + index] === around[start]);
    if (assignment) {
      const at = assignment.index + assignment[0].length;
      this.#assign(code.slice(Math.max(0, assignment.index - 200), assignment.index), start + at, end);
    }
    for (const { 0: all, 1: target = '', index } of code.matchAll(
      /\bfor(?:each|Each)?\b\s*(?:await\s*)?\(?\s*(?:(?:const|let|var)\s+)?((?:[\w$@<>.?]+[\s,]+){1,5}|\{[^{}]{1,200}\}\s*)(?:in|of|:= range|:)\s/g,
    )) {
      const from = start + index + all.length;
      const closer = match[around[from] as number] ?? -1;
      const rest = bare.slice(from, Math.min(end, from + 300));
      const stop = from + rest.search(/\s+if\s|:\s*(?:\n|$)|\s*\{\s*(?:\n|$)|\n\s*(?![\s.])|$/);
      this.#bind(/(\w+)[\s,]*$/.exec(target)?.[1] ?? '', start, this.at(closer > from ? Math.min(closer, stop) : stop));
    }
    const callbacks = code.matchAll(
      /(?:\.|\?\.|&\.|->)\s*(\w{2,30})[!?]?\s*(?:\(\s*)?(?:async\s+|function\s*\w{0,40}\s*|\{\s*|do\s*)?[(|{]{0,2}\s*(\{[^{}]{1,200}\}|[\w$]+)[^=>|{}()]{0,40}\)?\s*(?:=>|->|\||\{|\bin\b)/g,
    );
    for (const { 1: method = '', 2: parameter = '', index } of [...callbacks].slice(0, mostCallbacks)) {
      if (iterating.test(method)) {
        this.#bind(parameter, start + index + 1, this.at(start + index));
      }
    }
    // Of PowerShell.
    if (code.includes('$_')) {
      this.#bind('_', start, this.#knownIn(start, end));
    }
  }

  #assign(before: string, from: number, end: number): void {
    const left = before.replace(/(?<=\w\s*):\s*[\w.<>[\]| ]{1,60}\s*$/, '').trimEnd();
    const to = this.endOf(from, end);
    const code = this.code.bare.slice(from, from + 60);
    // `Invoke-RestMethod -Uri $url`, `get "/runners"`
    const isCommand = /^\s*[A-Za-z][\w-]*\s+[-"'$]/.test(code);
    const value = isCommand ? this.#knownIn(from, to) : this.at(to);
    const target = /(?:[\w$@.>-]+\s*,\s*){0,3}[\w$@.>-]+$/.exec(left)?.[0].split(',')[0] ?? '';
    // `const { data: mr, headers } = await axios.get(…)`
    const taken = /\{\s*(data|body)\b(?:\s*:\s*(\w+))?[^{}]*\}$/.exec(left);
    const name = taken ? (taken[2] ?? taken[1]) : /^\s*[$@]?(\w+)\s*$/.exec(target)?.[1];
    if (name !== undefined) {
      this.#bind(name, from, value);
    }
  }

  /** What is known of what is named between two places: what a call there answers, or what a variable holds. */
  #knownIn(start: number, end: number): Value | undefined {
    const value = this.#addressIn(start, end) ?? this.#variableIn(start, end, ({ of }) => of.length > 0);
    return value && answer(value);
  }

  /** Where a statement ends that begins at a place. */
  endOf(from: number, end: number): number {
    const { bare, around } = this.code;
    let to = from;
    while (to < end && (bare[to] !== ';' || around[to] !== around[from])) {
      to += 1;
    }
    return to;
  }

  /** What a type that a place names is a record of: one of the source, or one of a client. */
  typeValue(type: string): Value | undefined {
    const own = this.types.get(type);
    const resource = !own && this.usesClient && /^[A-Z]/.test(type) ? resourceNamed(type) : undefined;
    return own ?? (resource && { of: ofRecord(resource) });
  }

  /** Knows variables by a type of the source or of a client. */
  bindTyped({ start, end }: Range): void {
    if (!this.usesClient && this.types.size === 0) {
      return;
    }
    const { bare } = this.code;
    for (const { 0: type, index } of bare.slice(start, end).matchAll(/(?<!\w)[A-Za-z]\w{1,60}/g)) {
      const from = start + index;
      const value = this.typeValue(type);
      if (value) {
        const before =
          /([\w$]{1,60})\s*\??:\s*(?:[\w.]{1,40}[<[])?[[*&?\w.]{0,20}$|([a-z]\w{0,60})\s+[[\]*]{0,4}(?:\w+\.)?$/.exec(
            this.code.before(from, 100),
          );
        const name = before?.[1] ?? before?.[2] ?? '';
        if (!/^(?:new|return|class|interface|struct|extends|implements|type|case|else|)$/.test(name)) {
          this.#bind(name, start, value);
        }
      }
    }
  }
}

/** What a call of an address answers. */
function answer({ of }: Value): Value {
  return { of };
}
