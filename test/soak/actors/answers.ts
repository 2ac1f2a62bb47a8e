import type * as vscode from 'vscode';
import { Random } from '../../../src/sandbox/state/random.ts';
import type { Message } from '../../support/editor/inputs.ts';
import type { Plan } from '../../support/notificationPage.ts';
import type { SimulatedTime } from '../time/simulatedTime.ts';
import { currentAction } from './action.ts';
import { permitButton, permitPlans } from './permissions.ts';

/** Buttons of messages that users press now and then; the others lead out of the product, or to questions asked elsewhere. */
const pressed = /^(Undo|Try Again|Check Again|Keep Current Settings|Copy DSN…|Replace Token…)/;

/** Answers the questions of the product as users do: after a while, mostly to the point, and sometimes not at all. */
export class Answers {
  readonly #time: SimulatedTime;
  readonly #background: Random;
  readonly #tokenOf: (username: string) => string;
  readonly #instanceUrl: () => string;

  constructor(
    time: SimulatedTime,
    seed: number,
    instance: { readonly tokenOf: (username: string) => string; readonly url: () => string },
  ) {
    this.#time = time;
    this.#background = new Random(seed + 17);
    this.#tokenOf = instance.tokenOf;
    this.#instanceUrl = instance.url;
  }

  async message({ buttons, isModal }: Message): Promise<string | undefined> {
    const [first] = buttons;
    const { random } = this;
    if (first === undefined || (!isModal && random.next() < 0.6)) {
      return undefined;
    }
    await this.#think(isModal ? 20 : 90);
    if (isModal) {
      // The user means what they began, not what is safe or can be done in its place.
      const verb = buttons.findLast((button) => !/^(Keep|Replace Instead)/.test(button));
      return random.next() < 0.85 ? verb : undefined;
    }
    const likely = buttons.filter((button) => pressed.test(button));
    const button = likely.length === 0 ? undefined : random.pick(likely);
    if (button !== undefined) {
      permitButton(currentAction(), button);
    }
    return button;
  }

  async pick<T extends vscode.QuickPickItem>(items: readonly T[]): Promise<T | undefined> {
    await this.#think(15);
    const choices = items.filter(
      ({ kind, label }) => kind === undefined && !/^(Sign In to Another|Another Project)/.test(label),
    );
    return choices.length === 0 || this.random.next() < 0.2 ? undefined : this.random.pick(choices);
  }

  async pickMany<T extends vscode.QuickPickItem>(items: readonly T[]): Promise<readonly T[] | undefined> {
    await this.#think(30);
    const { random } = this;
    return random.next() < 0.1 ? undefined : items.filter(() => random.next() < 0.6);
  }

  /** @param title of the input; @param value what it holds at first. */
  async text(title: string, value: string): Promise<string | undefined> {
    await this.#think(20);
    const { random } = this;
    if (random.next() < 0.1) {
      return undefined;
    }
    if (/^(Filter|Summarize) Activity/.test(title)) {
      return random.pick(['yesterday', 'last week', '3 days ago to today', 'monday', 'no such day']);
    }
    if (/Profile/.test(title)) {
      return random.pick(['Focus', 'On call', 'Quiet']);
    }
    return value;
  }

  /** What is typed where an instance or a token is asked for. */
  async credential(title: string, isToken: boolean): Promise<string | undefined> {
    await this.#think(20);
    if (!isToken) {
      return this.#instanceUrl();
    }
    const username = /Token of (\w+)@/.exec(title)?.[1] ?? currentAction()?.name.split(' ').at(-1) ?? 'marta';
    return this.#tokenOf(username);
  }

  /** Reports what was accepted in a review of plans: it may be carried out now, and restored later. */
  accepted(items: readonly vscode.QuickPickItem[]): void {
    const plans = items.flatMap((item) => ('plan' in item && isPlan(item.plan) ? [item.plan] : []));
    const action = currentAction();
    if (action && plans.length > 0) {
      permitPlans(action, plans);
    }
  }

  /** The random numbers of the user who is asked. */
  get random(): Random {
    return currentAction()?.random ?? this.#background;
  }

  async #think(seconds: number): Promise<void> {
    await this.#time.wait(this.random.integer(1, seconds) * 1000);
  }
}

function isPlan(value: unknown): value is Plan {
  return typeof value === 'object' && value !== null && 'scope' in value && 'change' in value;
}
