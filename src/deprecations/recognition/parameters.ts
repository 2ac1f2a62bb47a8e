import { type CallRegion, callRegionsOf } from './callRegions.ts';
import { type Finding, type NamedChange, sentNames } from './findings.ts';
import { fixOfSent, type Sent } from './fixes.ts';
import type { Flow } from './flow.ts';
import { offsetIn, type Token } from './tokens.ts';
import { reading } from './words.ts';

const nothing = /^(?:null|None|nil|undefined|NULL)$/;

const capitalized = new Map(
  [...sentNames.keys()].map((name) => [
    name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    name,
  ]),
);

/** Finds names in what programs send to API v4: parameters of calls, and values of them. */
export function sentIn(flow: Flow): Finding[] {
  const { program } = flow;
  const findings: Finding[] = [];
  for (const region of callRegionsOf(flow)) {
    const hasReplacement = [...region.tokens].some((index) =>
      /require_reauthentication_to_approve|\bpaused\s*["']?\s*[:=]|ci_pipeline_variables_minimum_override_role|namespace_(?:id|path)/.test(
        program.isText(index) ? program.at(index) : `${program.at(index)}${program.at(index + 1)}`,
      ),
    );
    for (const index of region.tokens) {
      findings.push(...inToken(index, region, hasReplacement));
    }
  }
  return findings;

  function inToken(index: number, region: CallRegion, hasReplacement: boolean): Finding[] {
    const token = program.tokens[index];
    if (!token) {
      return [];
    }
    const exact = changeFor(token.text, region);
    if (exact && token.kind !== 'number' && token.kind !== 'mark') {
      const found = atName(index, token, exact, region, hasReplacement);
      if (found) {
        return [found];
      }
    }
    if (token.kind === 'text') {
      return inText(token, region, hasReplacement);
    }
    const library =
      region.fromLibrary && token.kind === 'word' ? changeFor(capitalized.get(token.text) ?? '', region) : undefined;
    return library && library.values === undefined && program.isMark(index + 1, ':')
      ? [{ change: library.id, start: token.start, end: token.end, confidence: 'likely', fix: undefined }]
      : [];
  }

  function changeFor(name: string, region: CallRegion): NamedChange | undefined {
    const change = sentNames.get(name);
    return change?.of.includes(region.of) === true ? change : undefined;
  }

  /** A name that is a token of its own. */
  function atName(
    index: number,
    token: Token,
    change: NamedChange,
    region: CallRegion,
    hasReplacement: boolean,
  ): Finding | undefined {
    const isText = token.kind === 'text';
    const next = isText ? token.after : index + 1;
    const parent = program.parent[index] ?? -1;
    const inBraces = program.isMark(parent, '{');
    const before = program.at(index - 1);
    const isMember = program.isDot(index - 1);
    let value: number | undefined;
    let isShorthand = false;
    if ((isPattern(parent) && !(isText && before === '[')) || before === '?' || isDeclared(parent)) {
      return undefined;
    }
    if (/^(?::|=>)$/.test(program.at(next)) && !(program.isMark(next, ':') && program.isMark(next + 1, ':'))) {
      value = next + 1;
    } else if (program.isMark(next, '=') && !isText && !isMember && (program.isMark(parent, '(') || inBraces)) {
      value = next + 1;
    } else if (isText && program.isMark(next, ',') && isPair(index, parent)) {
      value = next + 1;
    } else if (program.isMark(next, ']') && program.isMark(next + 1, '=') && before === '[') {
      value = next + 2;
    } else if (!isText && isMember && program.isMark(next, '=')) {
      value = next + 1;
    } else if (!isText && inBraces && /^[,}]$/.test(program.at(next)) && /^[{,]$/.test(before)) {
      isShorthand = true;
    } else {
      return undefined;
    }
    const literal = value === undefined ? undefined : literalAt(value);
    if (change.values && !change.values.some((wanted) => matches(wanted, literal))) {
      return undefined;
    }
    const name = { start: token.parts[0]?.start ?? token.start, end: token.parts.at(-1)?.end ?? token.end };
    const quote = program.syntax?.texts.some(({ open }) => open.source === "(')") === true ? "'" : '"';
    const sent: Sent = {
      change: change.id,
      name,
      value: literal && { start: literal.start, end: literal.end, text: flow.sourceOf(literal) },
      quote,
      hasReplacement,
    };
    return {
      change: change.id,
      ...name,
      confidence: region.certain ? 'certain' : 'likely',
      fix: isShorthand || isMember ? undefined : fixOfSent(sent),
    };
  }

  /** Whether a brace or bracket takes a value apart instead of making one. */
  function isPattern(open: number): boolean {
    const close = program.partner[open] ?? -1;
    return (
      close > open && !program.isMark(open, '(') && program.isMark(close + 1, '=') && !program.isMark(open - 1, '(')
    );
  }

  /** Whether a bracket holds the parameters of a function. */
  function isDeclared(open: number): boolean {
    return open >= 0 && program.functions.some(({ start }) => start === open);
  }

  /** Whether a text is the first of a pair: `set("name", value)`, `[("name", value)]`, `Map.of("name", value)`. */
  function isPair(index: number, parent: number): boolean {
    const callee = program.at(parent - 1);
    if (
      program.isMark(parent, '(') &&
      (reading.test(callee) || /^(?:includes|remove|delete|unset|assert\w*|log|print\w*|debug|info)$/.test(callee))
    ) {
      return false;
    }
    if (index === parent + 1) {
      return (
        program.isMark(parent, '(') ||
        program.isMark(parent, '{') ||
        program.isMark(parent - 1, '[') ||
        program.isMark(parent - 1, ',')
      );
    }
    let position = 0;
    for (let at = parent + 1; at < index; at += 1) {
      position += program.isMark(at, ',') && program.parent[at] === parent ? 1 : 0;
    }
    return callee === 'of' && position % 2 === 0;
  }

  function literalAt(index: number): Token | undefined {
    const token = program.tokens[index];
    const end = token?.kind === 'text' ? token.after : index + 1;
    const isAlone =
      end >= program.tokens.length ||
      /^[,;)}\]]$/.test(program.at(end)) ||
      program.statement[end] !== program.statement[index];
    const isLiteral =
      token?.kind === 'text' ||
      token?.kind === 'number' ||
      /^(?:true|false|null|None|nil|undefined)$/i.test(token?.text ?? '');
    return isAlone && isLiteral && token?.parts.every(({ isHole }) => !isHole) === true ? token : undefined;
  }

  function matches(wanted: string | null, literal: Token | undefined): boolean {
    return wanted === null
      ? literal?.kind === 'word' && nothing.test(literal.text)
      : literal?.kind === 'text' && literal.text === wanted;
  }

  /** Names inside a text: a query, a form, JSON. */
  function inText(token: Token, region: CallRegion, hasReplacement: boolean): Finding[] {
    const found: Finding[] = [];
    for (const match of token.text.matchAll(
      /(^|[?&\s"'({,\\;])(\w+)(\[\w*\])?(\\?["']?)(\s*[=:]\s*)(\\?["']?)([^"'\\&\s,}\0]*)/g,
    )) {
      const [whole, lead = '', name = '', , quoted = '', sign = '', , value = ''] = match;
      const change = changeFor(name, region);
      const isForm = sign === '=';
      const isJson = sign.trim() === ':' && quoted !== '';
      if (!change || (!isForm && !isJson)) {
        continue;
      }
      const wanted = change.values;
      if (
        wanted &&
        !wanted.some((candidate) => (candidate === null ? isJson && value === 'null' : candidate === value))
      ) {
        continue;
      }
      const nameIndex = match.index + lead.length;
      const valueIndex = match.index + whole.length - value.length;
      const start = offsetIn(token, nameIndex);
      const place = { start, end: start + name.length };
      const valueStart = offsetIn(token, valueIndex);
      const literal = value === '' ? undefined : { start: valueStart, end: valueStart + value.length, text: value };
      // A file or the rest of a longer value may follow: `namespace=@file`, `namespace=a b`.
      const isWhole = /^[\w./%-]+$/.test(value) && token.text[valueIndex + value.length] !== '\0';
      const bare = quoted.startsWith('\\') ? '\\"' : '"';
      const sent: Sent = {
        change: change.id,
        name: place,
        value: isWhole ? literal : undefined,
        quote: isJson ? bare : '',
        hasReplacement,
      };
      found.push({
        change: change.id,
        ...place,
        confidence: region.certain ? 'certain' : 'likely',
        fix: fixOfSent(sent),
      });
    }
    return found;
  }
}
