import type { Action } from '../../src/accounts/problem.ts';

/** A message that was shown, with its buttons. */
export interface ShownMessage {
  readonly sentence: string;
  readonly buttons: readonly string[];
  press(title: string): Promise<void>;
}

/** What a user sees of a message, and what its buttons do. */
export function shownMessage(sentence: string, actions: readonly Action[]): ShownMessage {
  return {
    sentence,
    buttons: actions.map(({ title }) => title),
    press: async (title) => {
      await actions.find((action) => action.title === title)?.run();
    },
  };
}
