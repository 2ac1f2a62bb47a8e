import { announcedChanges, type ChangeId, type Resource } from '../catalogue.ts';

/** A change of a source: what stands between the offsets is replaced. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A mechanical replacement that works in v4 today and means the same. */
export interface Fix {
  /** What stands there afterwards, for a person. */
  readonly to: string;
  readonly edits: readonly Edit[];
}

/** A place that relies on what is announced to change. */
export interface Finding {
  readonly change: ChangeId;
  /** Offsets in the source. */
  readonly start: number;
  readonly end: number;
  /**
   * `certain` where the place itself, or the values that lead to it, say that it is about API v4; `likely` where names or
   * the rest of the file do.
   */
  readonly confidence: 'certain' | 'likely';
  readonly fix: Fix | undefined;
}

/** A change that a name can stand for. */
export interface NamedChange {
  readonly id: ChangeId;
  readonly of: readonly Resource[];
  /** The values that matter; undefined if all do. */
  readonly values: readonly (string | null)[] | undefined;
}

function namesOf(isSent: boolean): ReadonlyMap<string, NamedChange> {
  const names = new Map<string, NamedChange>();
  for (const { id, subject } of announcedChanges) {
    if (subject.kind === 'endpoint') {
      continue;
    }
    if (subject.kind === 'value') {
      if (isSent) {
        names.set(subject.name, { id, of: subject.of, values: subject.values });
      }
    } else if (isSent ? subject.kind === 'parameter' || subject.sent : subject.kind === 'field') {
      for (const name of subject.names) {
        names.set(name, { id, of: subject.of, values: undefined });
      }
    }
  }
  return names;
}

/** The names that change where they are sent. */
export const sentNames = namesOf(true);
/** The names that change where they are received. */
export const receivedNames = namesOf(false);
