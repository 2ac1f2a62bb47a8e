import type { Change } from './change.ts';
import type { Flag, Settings } from './settings.ts';

/** A field by its name in the API, with what it was and what it is: a level, an address, a `Flag`. */
export interface Difference {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Where settings differ. A flag that is unknown on either side differs from nothing: levels other than `custom` hide all of
 * them.
 */
export function differences(before: Settings, after: Settings): readonly Difference[] {
  const found: Difference[] = [];
  if (before.level !== after.level) {
    found.push({ field: 'level', before: before.level, after: after.level });
  }
  if (before.email !== after.email) {
    found.push({ field: 'notification_email', before: before.email ?? '', after: after.email ?? '' });
  }
  for (const [field, flag] of Object.entries(after.flags)) {
    const known = before.flags[field] ?? 'unknown';
    if (known !== flag && known !== 'unknown' && flag !== 'unknown') {
      found.push({ field, before: known, after: flag });
    }
  }
  return found;
}

/** Where settings were changed since they were read, other than to what a change asks for anyway. */
export function conflicts(read: Settings, now: Settings, change: Change): readonly Difference[] {
  return differences(read, now).filter(({ field, after }) => {
    const wanted = change[field];
    return after !== (typeof wanted === 'boolean' ? (wanted ? 'on' : 'off') : wanted);
  });
}

/** What became of the fields of a change, by their names in the API. */
export interface Verification {
  readonly holding: readonly string[];
  readonly missing: readonly string[];
  /** The platform does not show them, so that nobody can tell. */
  readonly unseen: readonly string[];
}

/** Compares a change with the settings as they are now. */
export function verify(change: Change, now: Settings): Verification {
  const result = { holding: [] as string[], missing: [] as string[], unseen: [] as string[] };
  for (const [field, wanted] of Object.entries(change)) {
    result[stateOf(field, wanted, now)].push(field);
  }
  return result;
}

function stateOf(field: string, wanted: string | boolean, now: Settings): keyof Verification {
  if (field === 'level') {
    return now.level === wanted ? 'holding' : 'missing';
  }
  if (field === 'notification_email') {
    // Without an address of its own the platform shows that of the account.
    return wanted === '' || now.email === wanted ? 'holding' : 'missing';
  }
  const flag: Flag = now.flags[field] ?? 'unknown';
  if (flag === 'unknown') {
    return 'unseen';
  }
  return flag === (wanted === true ? 'on' : 'off') ? 'holding' : 'missing';
}

/** How a change is taken back. */
export interface Undo {
  readonly change: Change;
  /** The events that cannot be put back: they stood at the default, or it is not known how they stood. */
  readonly lost: readonly string[];
}

/** What takes a change back to the settings before it. */
export function undoOf(before: Settings, change: Change): Undo {
  const back: Record<string, string | boolean> = {};
  const lost: string[] = [];
  for (const field of Object.keys(change)) {
    const flag = before.flags[field];
    if (field === 'level') {
      back[field] = before.level;
    } else if (field === 'notification_email') {
      back[field] = before.email ?? '';
    } else if (flag === 'on' || flag === 'off') {
      back[field] = flag === 'on';
    } else {
      lost.push(field);
    }
  }
  return { change: back, lost };
}
