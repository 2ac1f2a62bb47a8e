import type { Action } from '../../src/accounts/problem.ts';

/** Something that was told, with its buttons. */
export interface Told {
  readonly sentence: string;
  readonly buttons: readonly string[];
  press(title: string): Promise<void>;
}

/** What a user sees of a message, and what its buttons do. */
export function told(sentence: string, actions: readonly Action[]): Told {
  return {
    sentence,
    buttons: actions.map(({ title }) => title),
    press: async (title) => {
      await actions.find((action) => action.title === title)?.run();
    },
  };
}
