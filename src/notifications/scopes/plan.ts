import { type Change, changeOf, isEmpty, overwrittenDefaults } from '../model/change.ts';
import type { NotificationScope } from '../model/scope.ts';
import type { Settings } from '../model/settings.ts';
import { draftOf, type Snapshot } from './snapshot.ts';

/** What a plan cannot do, or does for good; to be told before anything is sent. */
export interface PlanNote {
  readonly kind:
    | 'overwritesDefault' // the default cannot be put back later
    | 'overwritesHidden' // the level hides how they stand, so that it cannot be put back later
    | 'defaultNotRestored' // it is to be at its default, which cannot be written
    | 'notOffered' // the scope has no such event
    | 'eventsUnreadable'; // nobody can tell how the events stand
  readonly events: readonly string[];
}

/** What is to be sent for one scope, by the settings that were read. */
export interface ScopePlan {
  readonly scope: NotificationScope;
  readonly before: Settings;
  /** The body of the one PUT: what differs, and nothing else. Empty if all is as it should be. */
  readonly change: Change;
  readonly notes: readonly PlanNote[];
}

/** Plans what brings a scope from the settings that were read to a snapshot (sections 2.4 and 2.9). */
export function planFor(scope: NotificationScope, before: Settings, wanted: Snapshot): ScopePlan {
  const change = changeOf(before, draftOf(wanted));
  const isCustom = wanted.level === 'custom';
  const { events = {}, defaults = [] } = wanted;
  const told: readonly PlanNote[] = [
    { kind: 'overwritesDefault', events: overwrittenDefaults(before, change) },
    { kind: 'overwritesHidden', events: Object.keys(change).filter((field) => before.flags[field] === 'unknown') },
    {
      kind: 'defaultNotRestored',
      events: isCustom ? defaults.filter((event) => before.flags[event] !== 'default' && event in before.flags) : [],
    },
    { kind: 'notOffered', events: isCustom ? Object.keys(events).filter((event) => !(event in before.flags)) : [] },
  ];
  const isUnreadable = isCustom && Object.keys(events).length === 0 && defaults.length === 0;
  return {
    scope,
    before,
    change,
    notes: [
      ...told.filter((note) => note.events.length > 0),
      ...(isUnreadable ? [{ kind: 'eventsUnreadable', events: [] } as const] : []),
    ],
  };
}

/** Whether there is nothing to send. */
export function changesNothing({ change }: ScopePlan): boolean {
  return isEmpty(change);
}
