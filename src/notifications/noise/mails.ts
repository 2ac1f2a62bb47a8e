import type { L10n } from '../../common/l10n.ts';
import type { Flag, Settings } from '../settings/settings.ts';

/** How many e-mails a week there are, as far as that is known: both ends are one number where it is, and zero to anything where nothing is. */
export interface Mails {
  readonly least: number;
  /** Undefined if there may be any number. */
  readonly most?: number | undefined;
}

/** The e-mails of an event, and how many of them the level `participating` sends as well. */
export interface EventMails extends Mails {
  readonly participating: number;
}

/** The e-mails of one scope, by its level and, for the level `custom`, by the names of its events. */
export interface ScopeMails {
  readonly levels: Readonly<Record<'watch' | 'participating' | 'mention', Mails>>;
  readonly events: Readonly<Record<string, EventMails>>;
}

/** What pages show of the reading of the feeds. */
export interface NoiseState {
  readonly isReading: boolean;
  /** How many events were read by now. */
  readonly events: number;
  /** Whether more could be read than was. */
  readonly canRead: boolean;
  /** Why it could not be read. */
  readonly problem?: string | undefined;
  /** The label of the button that fixes it. */
  readonly remedy?: string | undefined;
  /** What the estimate was made of, and what it assumes; empty if nothing was read. */
  readonly notes: readonly string[];
}

/** What is not known at all. */
export const unknownMails: Mails = { least: 0 };

export function isUnknown({ least, most }: Mails): boolean {
  return least === 0 && most === undefined;
}

/** The sum of several counts. */
export function sumOfMails(all: readonly Mails[]): Mails {
  return all.reduce(
    (sum, { least, most }) => ({
      least: sum.least + least,
      most: sum.most === undefined || most === undefined ? undefined : sum.most + most,
    }),
    { least: 0, most: 0 },
  );
}

/**
 * The e-mails of a level. With the level `custom` those of the level `participating`, and of each event that is switched on those that
 * are not among them.
 *
 * @param flags the states of the events that can be switched in the scope.
 * @returns what is unknown for the level `global`, which sends what another scope does, and for levels that came later.
 * @see https://docs.gitlab.com/user/profile/notifications/#notification-levels
 */
export function mailsOfLevel(
  { level, flags }: Pick<Settings, 'level' | 'flags'>,
  { levels, events }: ScopeMails,
): Mails {
  switch (level) {
    case 'watch':
    case 'participating':
    case 'mention':
      return levels[level];
    case 'disabled':
      return { least: 0, most: 0 };
    case 'custom':
      return sumOfMails([
        levels.participating,
        ...Object.entries(flags).map(([event, flag]) => switched(flag, mailsOfEvent(event, events))),
      ]);
    default:
      return unknownMails;
  }
}

/** The e-mails of an event; unknown for those that came later. */
export function mailsOfEvent(event: string, events: ScopeMails['events']): EventMails {
  return (Object.hasOwn(events, event) ? events[event] : undefined) ?? { ...unknownMails, participating: 0 };
}

/** What an event adds to those that the level `participating` sends anyway. */
function switched(flag: Flag, { least, most, participating }: EventMails): Mails {
  if (flag === 'off') {
    return { least: 0, most: 0 };
  }
  return {
    // The default of an event differs between instances, and what is not shown may be on or off.
    least: flag === 'on' ? Math.max(0, least - participating) : 0,
    most: most === undefined ? undefined : Math.max(0, most - participating),
  };
}

/** A count in words, such as `about 12 a week`. */
export function mailsLabel(mails: Mails, l10n: L10n, language: string): string {
  const { least, most } = mails;
  if (isUnknown(mails)) {
    return l10n.t('unknown');
  }
  if (most === 0) {
    return l10n.t('none');
  }
  const number = (value: number): string =>
    new Intl.NumberFormat(language, { maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
  if (most === undefined) {
    return l10n.t('at least {0} a week', number(least));
  }
  if (least === 0) {
    return l10n.t('at most {0} a week', number(most));
  }
  return least === most
    ? l10n.t('about {0} a week', number(least))
    : l10n.t('{0} to {1} a week', number(least), number(most));
}

/** The largest count that is known of a scope. */
export function loudestOf({ levels, events }: ScopeMails): number {
  return Math.max(0, ...[...Object.values(levels), ...Object.values(events)].map((mails) => loudness(mails) ?? 0));
}

/** What to order by, the loudest last: what is known at most, or else at least. Undefined for what is not known. */
export function loudness(mails: Mails | undefined): number | undefined {
  return mails === undefined || isUnknown(mails) ? undefined : (mails.most ?? mails.least);
}
