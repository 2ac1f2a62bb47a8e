import type { EventRecord } from '../../api/events.ts';

/** Names a kind of event: all pushes are one kind, all comments are; else the action and the class of the target make one. */
export function eventKind({ push_data, note, action_name, target_type, project_id }: EventRecord): string {
  if (push_data) {
    return 'push';
  }
  if (note) {
    return 'comment';
  }
  // A work item of a group is an epic.
  const type = target_type === 'WorkItem' && typeof project_id !== 'number' ? 'Epic' : target_type;
  return canonicalKind([action_name, type].filter(Boolean).join(' '));
}

/**
 * The name of a kind where instances have several for one: issues are work items to newer ones, and who joins or leaves has a
 * target or none. Names that were kept may be those of another version.
 */
export function canonicalKind(kind: string): string {
  return /^(?:joined|left|removed due to membership expiration from)(?: \S+)?$/.test(kind)
    ? kind.replace(/ [A-Z]\S*$/, '')
    : kind.replace(/ WorkItem$/, ' Issue');
}

/** The scheme of the addresses of events as documents. */
export const eventScheme = 'beacon-event';
