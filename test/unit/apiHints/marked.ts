import { type Edit, type Finding, recognizing, type Source } from '../../../src/apiHints/recognize.ts';

/** The findings of a source, in one go. */
export function recognize(source: Source): Finding[] {
  const steps = recognizing(source);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) {
      return step.value;
    }
  }
}

/** The findings of a program, in a file whose path says nothing. */
export function findingsOf(text: string, languageId: string): Finding[] {
  return recognize({ text, languageId, path: 'a' });
}

/** A place of a source that a test expects something at. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** Takes the marks `⟦` and `⟧` out of a source: what stands between them is a place. */
export function unmarked(marked: string): { readonly source: string; readonly places: readonly Place[] } {
  const places: Place[] = [];
  let source = '';
  for (const piece of marked.split('⟦')) {
    const [inside = '', ...rest] = piece.split('⟧');
    if (rest.length > 0) {
      places.push({ start: source.length, end: source.length + inside.length });
    }
    source += inside + rest.join('');
  }
  return { source, places };
}

/** A source with marks around its findings: the opposite. */
export function marked(source: string, findings: readonly Finding[]): string {
  let result = '';
  let at = 0;
  for (const { start, end } of findings) {
    result += `${source.slice(at, start)}⟦${source.slice(start, end)}⟧`;
    at = end;
  }
  return result + source.slice(at);
}

/** A source after edits. */
export function edited(source: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), source);
}
