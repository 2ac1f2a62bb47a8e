import { cpus } from 'node:os';

/** A ratio that was measured, and the bound that it is held to. */
export interface Result {
  /** What is compared with what. */
  readonly what: string;
  readonly ratio: number;
  readonly bound: { readonly atMost: number } | { readonly atLeast: number };
  /** The times behind it, to read along with the ratio. */
  readonly times: string;
  /** Whether it is counted and not timed, and so the same on every machine: the command fails where it does not hold. */
  readonly isCount?: boolean;
}

/** One part of the benchmarks. */
export interface Part {
  readonly title: string;
  readonly about: string;
  readonly results: readonly Result[];
}

/** A value that is held to a limit in the same unit. */
export function limited(what: string, value: number, limit: number, times: string): Result {
  return { what, ratio: value / limit, bound: { atMost: 1 }, times };
}

/** A count that is held to a limit. */
export function limitedCount(...[what, value, limit, times]: Parameters<typeof limited>): Result {
  return { ...limited(what, value, limit, times), isCount: true };
}

/** Whether a result keeps its bound. */
export function holds({ ratio, bound }: Result): boolean {
  return 'atMost' in bound ? ratio <= bound.atMost : ratio >= bound.atLeast;
}

/**
 * The report of parts, in Markdown.
 *
 * @param before an older report: what it has of other parts stays.
 */
export function reportOf(parts: readonly Part[], before = ''): string {
  const machine = `Node ${process.versions.node} on ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`;
  const sections = new Map<string, string>(
    before.split(/^(?=## )/m).flatMap((text) => {
      const title = /^## (.+)$/m.exec(text)?.[1];
      return title === undefined ? [] : [[title, `${text.trimEnd()}\n`] as const];
    }),
  );
  parts.forEach((part) => sections.set(part.title, sectionOf(part)));
  return `# Benchmarks

Written by \`npm run bench\`. Ratios are medians of paired rounds: all contestants run in turns, in one process, against one
server in a process of its own. Times are medians, on the machine of the last run (${machine}); they mean little elsewhere.
The command fails where a count, such as of bytes or requests, does not hold; times depend on what else the machine does.

${[...sections.values()].join('\n')}`;
}

/** One part as the report has it, in Markdown. */
export function sectionOf({ title, about, results }: Part): string {
  const rows = results.map((result) => {
    const bound = 'atMost' in result.bound ? `at most ${result.bound.atMost}` : `at least ${result.bound.atLeast}`;
    return `| ${result.what} | ${result.ratio.toFixed(2)} | ${bound} | ${holds(result) ? 'yes' : '**no**'} | ${result.times} |`;
  });
  return `## ${title}

${about}

| what | ratio | bound | holds | times |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}
