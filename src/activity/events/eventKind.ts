import type { EventRecord } from '../../api/events.ts';

/** Names a kind of event: all pushes are one kind, all comments are; else the action and the class of the target make one. */
export function eventKind({ push_data, note, action_name, target_type }: EventRecord): string {
  if (push_data) {
    return 'push';
  }
  return note ? 'comment' : [action_name, target_type].filter(Boolean).join(' ');
}
