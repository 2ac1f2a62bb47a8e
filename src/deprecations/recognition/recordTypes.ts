import type { Resource } from '../catalogue.ts';
import { resourceNamed } from './evidence.ts';
import { type Finding, receivedNames, sentNames } from './findings.ts';
import type { Flow } from './flow.ts';

const declares = /^(?:interface|struct|class|record|type)$/;

/**
 * Finds fields in the declarations of types whose name says which resource they are of: what a language with types reads
 * from an answer is there. Only in programs that call that resource.
 */
export function recordFieldsIn({ program, allAnchors }: Flow): Finding[] {
  const called = new Set(allAnchors.map(({ resource }) => resource));
  const findings: Finding[] = [];
  program.tokens.forEach((token, index) => {
    if (token.kind !== 'word' || !declares.test(token.text) || !program.isWord(index + 1)) {
      return;
    }
    const resource = resourceNamed(program.at(index + 1));
    const body = resource !== undefined && called.has(resource) ? bodyOf(index) : undefined;
    if (resource && body) {
      for (let at = body.start; at < body.end; at += 1) {
        const found = fieldAt(at, resource, body.level);
        if (found) {
          findings.push(found);
        }
      }
    }
  });
  return findings;

  /** The tokens that declare the fields, and the bracket that they are in. */
  function bodyOf(index: number): { start: number; end: number; level: number } | undefined {
    for (let at = index + 2; at < index + 16; at += 1) {
      const partner = program.partner[at] ?? -1;
      const isRecord =
        program.isMark(at, '(') && /^(?:record|class)$/.test(program.at(index)) && program.syntax?.blocks === 'braces';
      if ((program.isMark(at, '{') || isRecord) && partner > at) {
        return { start: at + 1, end: partner, level: at };
      }
      if (program.isMark(at, ';')) {
        return undefined;
      }
    }
    if (program.syntax?.blocks !== 'indent') {
      return undefined;
    }
    const [line, indent] = [program.tokens[index]?.line ?? 0, program.tokens[index]?.indent ?? 0];
    let end = index + 1;
    while (
      end < program.tokens.length &&
      ((program.tokens[end]?.line ?? 0) === line || (program.tokens[end]?.indent ?? 0) > indent)
    ) {
      end += 1;
    }
    return { start: index + 2, end, level: program.parent[index] ?? -1 };
  }

  function fieldAt(index: number, resource: Resource, level: number): Finding | undefined {
    const token = program.tokens[index];
    if (!token) {
      return undefined;
    }
    if (token.kind === 'text') {
      // An annotation: `json:"merged_by"`, `@JsonProperty("merged_by")`
      const name = /^(?:.*\b(?:json|yaml):")?(\w+)(?:[",].*)?$/.exec(token.text)?.[1];
      const place = name === undefined ? -1 : token.text.indexOf(name, token.text.indexOf(':') + 1);
      const start = (token.parts[0]?.start ?? token.start) + Math.max(place, 0);
      return name === undefined || !isInBody(index, level)
        ? undefined
        : finding(name, start, start + name.length, resource);
    }
    const next = program.at(index + 1) === '?' ? program.at(index + 2) : program.at(index + 1);
    const isField = token.kind === 'word' && program.parent[index] === level && /^[:;]$/.test(next);
    const isFirst =
      program.statement[index] === index ||
      /^(?:[{,;(]|pub|readonly|val|var)$/.test(program.at(index - 1)) ||
      next === ';';
    return isField && isFirst ? finding(token.text, token.start, token.end, resource) : undefined;
  }

  function isInBody(index: number, level: number): boolean {
    const parent = program.parent[index] ?? -1;
    return (
      parent === level ||
      (program.isMark(parent, '(') && program.parent[parent] === level) ||
      isAnnotation(parent, level)
    );
  }

  function isAnnotation(parent: number, level: number): boolean {
    const outer = program.parent[parent] ?? -1;
    return program.isMark(parent, '(') && program.isMark(outer, '[') && program.parent[outer] === level;
  }

  function finding(name: string, start: number, end: number, resource: Resource): Finding | undefined {
    const change = receivedNames.get(name) ?? sentNames.get(name);
    return change && change.values === undefined && change.of.includes(resource)
      ? { change: change.id, start, end, confidence: 'likely', fix: undefined }
      : undefined;
  }
}
