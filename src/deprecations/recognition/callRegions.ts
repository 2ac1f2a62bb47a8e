import { endpointsOf, type Resource } from '../catalogue.ts';
import type { Flow } from './flow.ts';

const resources = Object.keys(endpointsOf) as Resource[];

/** The tokens that say what a call sends. */
export interface CallRegion {
  readonly of: Resource;
  readonly certain: boolean;
  readonly fromLibrary: boolean;
  readonly tokens: ReadonlySet<number>;
}

/** The regions of a program's calls of API v4, one for each statement and resource. */
export function* callRegionsOf(flow: Flow): Generator<CallRegion> {
  const { program } = flow;
  const mutations = mutationsByName();
  const seen = new Set<string>();
  for (let index = 0; index < program.tokens.length; index += 1) {
    for (const source of sourcesAt(index)) {
      const key = `${program.statement[index] ?? 0}/${source.of}`;
      if (!seen.has(key)) {
        seen.add(key);
        yield { ...source, tokens: tokensOfCall(index) };
      }
    }
  }

  /** The statements that begin with a member of a name. */
  function mutationsByName(): Map<string, number[]> {
    const found = new Map<string, number[]>();
    program.tokens.forEach(({ kind, text }, index) => {
      const isMutation = kind === 'word' && program.statement[index] === index;
      if (isMutation && (program.isDot(index + 1) || program.isMark(index + 1, '['))) {
        found.set(text, [...(found.get(text) ?? []), index]);
      }
    });
    return found;
  }

  function sourcesAt(index: number): { of: Resource; certain: boolean; fromLibrary: boolean }[] {
    const anchor = flow.anchors.get(index);
    if (anchor?.resource !== undefined) {
      return [{ of: anchor.resource, certain: anchor.isCertain, fromLibrary: anchor.address === undefined }];
    }
    if (!program.isWord(index) || program.isDot(index - 1)) {
      return [];
    }
    const origin = flow.lookUp(program.at(index), index)?.origin;
    const resource = resources.find((candidate) => candidate === origin?.of);
    return origin?.kind === 'address' && resource ? [{ ...origin, of: resource }] : [];
  }

  /** The tokens of the statement of a call, and of the values that it names. */
  function tokensOfCall(index: number): Set<number> {
    const found = new Set<number>();
    const statement = program.statement[index] ?? 0;
    addStatement(statement, found);
    addTrailingBlock(index, found);
    for (const token of [...found]) {
      addValue(token, index, found, 2);
    }
    return found;
  }

  /** Adds the block behind a call: `client.put(url) { parameter("active", false) }`. */
  function addTrailingBlock(index: number, found: Set<number>): void {
    for (let open = program.parent[index] ?? -1; open >= 0; open = program.parent[open] ?? -1) {
      const block = (program.partner[open] ?? -2) + 1;
      if (program.syntax?.trailingBlocks === true && program.isMark(open, '(') && program.isMark(block, '{')) {
        for (let at = block; at < (program.partner[block] ?? block); at += 1) {
          found.add(at);
        }
      }
    }
  }

  function addStatement(statement: number, found: Set<number>): void {
    for (let at = statement; at < program.endOfStatement(statement); at += 1) {
      if (program.statement[at] === statement) {
        found.add(at);
      }
    }
  }

  /** Adds what a name stands for: the object that holds the parameters. */
  function addValue(index: number, call: number, found: Set<number>, depth: number): void {
    if (!program.isWord(index) || program.isDot(index - 1) || program.isMark(index + 1, '(')) {
      return;
    }
    const name = program.at(index);
    const binding = flow.lookUp(name, index);
    if (!binding || binding.origin?.kind === 'value' || binding.isParameter) {
      return;
    }
    for (let at = binding.start; at < binding.end; at += 1) {
      if (!found.has(at)) {
        found.add(at);
        if (depth > 0) {
          addValue(at, call, found, depth - 1);
        }
      }
    }
    // What is put into it later: `body.active = …`, `form.append("active", …)`
    const last = program.endOfStatement(program.statement[call] ?? 0);
    for (const at of mutations.get(name) ?? []) {
      if (at >= binding.end && at < last && flow.lookUp(name, at) === binding) {
        addStatement(at, found);
      }
    }
  }
}
