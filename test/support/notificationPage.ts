import type { FromPage, ToPage } from '../../src/notifications/pageState.ts';
import type { SeenRequest } from './sandbox/sandbox.ts';
import type { TestWindow } from './testWindow.ts';

export type { NotificationScope } from '../../src/notifications/scope.ts';
export type { Plan } from '../../src/notifications/settings.ts';
export type { ToPage };

const viewType = 'beacon.notificationSettings';

/** The bodies of the changes that reached the instance from a number of requests on. */
export function sentSince(requests: readonly SeenRequest[], start: number): readonly Record<string, unknown>[] {
  return requests
    .slice(start)
    .filter(({ method }) => method === 'PUT')
    .map(({ body }) => JSON.parse(body) as Record<string, unknown>);
}

/** The page of notification settings in a window, as its host and its user know it. */
export class NotificationPage {
  readonly window: TestWindow;

  constructor(window: TestWindow) {
    this.window = window;
  }

  /** Opens the page with a scope, as a row of a tree does, or with all. */
  static async open(window: TestWindow, scope?: object): Promise<NotificationPage> {
    await window.run('beacon.notifications.open', ...(scope ? [scope] : []));
    return new NotificationPage(window);
  }

  /** The panel, as far as it is open. */
  get panel() {
    const panel = this.window.panels.find((one) => one.viewType === viewType);
    if (!panel) {
      throw new Error('The page is not open');
    }
    return panel;
  }

  get state(): ToPage {
    return this.panel.posted.at(-1) as ToPage;
  }

  get keys(): readonly string[] {
    return this.state.form?.keys ?? [];
  }

  send(message: FromPage): void {
    this.panel.received.fire(message);
  }

  /** Waits until the page shows what a test asks for. */
  async until(test: (state: ToPage) => unknown): Promise<ToPage> {
    await this.window.until(() => test(this.state), String(test));
    return this.state;
  }

  /** Chooses in the form that is open. */
  async edit(edit: Readonly<Record<string, string | boolean | null>>): Promise<void> {
    const before = this.panel.posted.length;
    this.send({ type: 'edit', keys: [...this.keys], edit });
    await this.window.until(() => this.panel.posted.length > before, 'the answer to an edit');
  }

  /** Saves what is shown, and waits for what is said of it. */
  async save(): Promise<string> {
    const before = this.panel.posted.length;
    this.send({ type: 'save', seen: this.state.seen });
    const shown = (): ToPage | undefined =>
      (this.panel.posted.slice(before) as readonly ToPage[]).find(
        ({ message, phase }) => message && phase !== 'saving',
      );
    await this.window.until(() => shown() !== undefined, 'the result of a save');
    return this.state.message?.sentence ?? '';
  }

  event(name: string) {
    return this.state.form?.fields?.subjects.flatMap(({ events }) => events).find(({ event }) => event === name);
  }
}
