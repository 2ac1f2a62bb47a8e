/** What commands of a shell read from answers by the programs that answers are piped through. */

import type { Resource } from '../catalogue.ts';
import type { Origin } from './bindings.ts';
import { type Finding, type Fix, receivedNames } from './findings.ts';
import { fixOfReceived } from './fixes.ts';
import type { Flow } from './flow.ts';
import { offsetIn, type Token } from './tokens.ts';
import { neutral } from './words.ts';

const filters = /^(?:jq|gojq|jaq|yq|fx|dasel|gron)$/;
const readers = /^(?:python[\d.]*|ruby|node|perl|grep|egrep|sed|awk|rg)$/;

/** Finds fields and values in the filters of a pipe that begins with a call, or with a variable or file that holds an answer. */
export function filteredIn(flow: Flow): Finding[] {
  const { program } = flow;
  const findings: Finding[] = [];
  let filter: 'jq' | 'other' | undefined;
  program.tokens.forEach((token, index) => {
    if (token.kind !== 'text') {
      filter = program.statement[index] === index || token.text === '|' ? undefined : filter;
      return;
    }
    if (program.statement[index] === index) {
      filter = undefined;
    }
    if (filters.test(token.text)) {
      filter = 'jq';
    } else if (readers.test(token.text)) {
      filter = 'other';
    } else if (filter && /\w/.test(token.text)) {
      const origin = originOf(index);
      if (origin && origin.of !== 'runnerStatus') {
        findings.push(...inFilter(token, origin.of, filter, origin.certain));
      }
    }
    const compared = comparedAt(index, token);
    if (compared) {
      findings.push(compared);
    }
  });
  return findings;

  /** Where what a statement's filter reads comes from. */
  function originOf(index: number): Origin | undefined {
    const statement = program.statement[index] ?? 0;
    const end = program.endOfStatement(statement);
    for (let at = statement; at < end; at += 1) {
      const anchor = flow.anchors.get(at);
      if (anchor?.resource !== undefined) {
        return { of: anchor.resource, kind: 'value', certain: anchor.isCertain, fromLibrary: false };
      }
      const name = program.isWord(at) ? program.at(at) : `file:${program.at(at)}`;
      const origin = program.isMark(at, '|') ? undefined : flow.lookUp(name, at)?.origin;
      if (origin && !program.isMark(at + 1, '=')) {
        return origin;
      }
    }
    return undefined;
  }

  function inFilter(token: Token, of: Resource, kind: 'jq' | 'other', certain: boolean): Finding[] {
    const confidence = certain ? 'certain' : 'likely';
    const found: Finding[] = [];
    const pattern =
      kind === 'jq'
        ? /\.(\w+)\b(?!\s*\()|\["(\w+)"\]|[{,]\s*(\w+)\s*(?=[,}])/g
        : /\\?["'](\w+)\\?["'](?=\]|\)|\\?\s*:|,)/g;
    for (const match of token.text.matchAll(pattern)) {
      const [, member, index, short] = match;
      const name = member ?? index ?? short ?? '';
      const path = /(?:\.\w*(?:\[[^\]]*\])?\??)*$/.exec(token.text.slice(0, match.index))?.[0] ?? '';
      const isOfPart =
        kind === 'jq' && path.split('.').some((step) => /^\w/.test(step) && !neutral.test(step.replace(/\W.*$/, '')));
      const change = receivedNames.get(name);
      if (isOfPart) {
        continue;
      }
      const nameIndex = match.index + match[0].lastIndexOf(name);
      const start = offsetIn(token, nameIndex);
      const range = { start, end: start + name.length };
      if (change?.of.includes(of) === true) {
        // A name between braces is the name in the result, too.
        const fix = short === undefined && kind === 'jq' ? fixOf(change.id, range, index !== undefined) : undefined;
        found.push({ change: change.id, ...range, confidence, fix });
      } else if (name === 'status' && of === 'runner') {
        const value = /^[)\s]*(?:==|!=)\s*\\?"(active|paused)\\?"/.exec(token.text.slice(nameIndex + name.length));
        if (value?.[1] !== undefined) {
          const valueStart = offsetIn(token, nameIndex + name.length + value[0].lastIndexOf(value[1]));
          found.push({
            change: 'runnerStatus',
            start: valueStart,
            end: valueStart + value[1].length,
            confidence,
            fix: undefined,
          });
        }
      }
    }
    return found;
  }

  function fixOf(change: Finding['change'], range: { start: number; end: number }, isQuoted: boolean): Fix | undefined {
    if (change !== 'runnerActive') {
      return fixOfReceived(change, range);
    }
    // `.active` means `(.paused | not)`; a longer path would have to go into the parentheses whole.
    const dot = range.start - 1;
    const isPlain = !isQuoted && flow.isLooseAt(dot - 1);
    return isPlain
      ? { to: '(.paused | not)', edits: [{ start: dot, end: range.end, text: '(.paused | not)' }] }
      : undefined;
  }

  /** `[ "$STATUS" = "paused" ]`, where the variable holds what a filter read. */
  function comparedAt(index: number, token: Token): Finding | undefined {
    if (!/^(?:active|paused)$/.test(token.text)) {
      return undefined;
    }
    const statement = program.statement[index] ?? 0;
    const end = program.endOfStatement(statement);
    let isCompared = false;
    let origin: Origin | undefined;
    for (let at = statement; at < end; at += 1) {
      isCompared ||= /^(?:=|==|!=)$/.test(program.at(at));
      const binding = program.isWord(at) ? flow.lookUp(program.at(at), at) : undefined;
      const readsStatus = Array.from(
        { length: (binding?.end ?? 0) - (binding?.start ?? 0) },
        (_, step) => (binding?.start ?? 0) + step,
      );
      if (binding?.origin?.of === 'runner' && readsStatus.some((step) => /\.status\b/.test(program.at(step)))) {
        origin = binding.origin;
      }
      if (
        program.isText(at) &&
        at < index &&
        /^["'(. \w[\]|]*\.status\b/.test(program.at(at)) &&
        originOf(at)?.of === 'runner'
      ) {
        origin = originOf(at);
      }
    }
    return isCompared && origin
      ? {
          change: 'runnerStatus',
          start: token.parts[0]?.start ?? token.start,
          end: token.parts.at(-1)?.end ?? token.end,
          confidence: origin.certain ? 'certain' : 'likely',
          fix: undefined,
        }
      : undefined;
  }
}
