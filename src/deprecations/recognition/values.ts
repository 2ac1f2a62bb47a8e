import type { Anchor } from './anchors.ts';
import { Bindings, type Origin } from './bindings.ts';
import { Origins } from './origins.ts';
import { type JoinedText, joinedText } from './placedTexts.ts';
import type { Program } from './program.ts';
import { hole } from './tokens.ts';

/** The values of a program's names, as far as it has been read: from its first token to its last. */
export class Values {
  readonly program: Program;
  readonly bindings = new Bindings();
  readonly origins: Origins;
  /** What has to be looked at when a token is reached, because it is complete then. */
  readonly #pending = new Map<number, (() => void)[]>();

  constructor(program: Program, anchors: ReadonlyMap<number, Anchor>) {
    this.program = program;
    this.origins = new Origins(program, this.bindings, anchors);
  }

  /** Forgets the values, before the program is read again. */
  clear(): void {
    this.bindings.clear();
    this.#pending.clear();
  }

  /** Has something looked at when a token is reached. */
  later(index: number, look: () => void): void {
    const pending = this.#pending.get(index);
    if (pending) {
      pending.push(look);
    } else {
      this.#pending.set(index, [look]);
    }
  }

  /** Looks at what waits for a token. */
  reach(index: number): void {
    this.#pending.get(index)?.forEach((look) => look());
  }

  /** The text that begins with a literal; undefined if the literal goes on a text that began before. */
  textAt(index: number): JoinedText | undefined {
    return joinedText(this.program, index, (name, at) => this.bindings.lookUp(name, at)?.text);
  }

  /** Gives a name a value: that of the expression from start to end, from a token on, in its function or widely. */
  bind(name: string, at: number, start: number, end: number, origin: Origin | undefined, widely = false): void {
    const range = widely ? undefined : this.program.functionAt(at);
    const joined =
      this.program.isText(start) || this.program.isWord(start)
        ? (this.#textOf(start, end) ?? this.#fromEnvironment(start, end))
        : undefined;
    const [from, to] = [range?.start ?? 0, range?.end ?? this.program.tokens.length + 1];
    this.bindings.add({ name, at, from, to, origin, text: joined, isParameter: false, start, end });
  }

  #textOf(start: number, end: number): string | undefined {
    const first = this.program.isText(start) ? start : start + 2;
    if (!this.program.isText(first) || first >= end) {
      return this.program.isWord(start) && end === start + 1
        ? this.bindings.lookUp(this.program.at(start), start)?.text
        : undefined;
    }
    const joined = this.textAt(first);
    return joined && joined.start <= start && joined.end >= end ? joined.text.trim().replace(/\/$/, '') : undefined;
  }

  /** What a variable of CI holds: `os.Getenv("CI_API_V4_URL")`, `process.env.CI_API_V4_URL`. */
  #fromEnvironment(start: number, end: number): string | undefined {
    for (let at = start; at < Math.min(end, start + 10); at += 1) {
      if (/^\w*API_V4(?:_URL)?$/.test(this.program.at(at))) {
        return `${hole}/api/v4`;
      }
    }
    return undefined;
  }
}
