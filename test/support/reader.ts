import * as vscode from 'vscode';
import { problemOf } from '../../src/accounts/problem.ts';
import { AccountsApp } from './accountsApp.ts';

/** Signs in and reads the feed. */
export class Reader extends AccountsApp {
  /**
   * Signs in and reads the first page of the feed.
   *
   * @returns how many events it holds.
   */
  async read(instanceUrl: string, token: string): Promise<number> {
    await this.signIn.with({ instanceUrl, token });
    return this.readAgain();
  }

  /** Reads the first page of the feed of the user who is signed in. */
  async readAgain(): Promise<number> {
    const { client } = await this.connections.current();
    const { value } = await client.events.mine({}, { perPage: 5 }).next();
    return value?.items.length ?? 0;
  }

  /** The sentence that shows why the feed cannot be read. */
  async failure(instanceUrl: string, token: string): Promise<string> {
    return this.read(instanceUrl, token).then(
      (count) => `It did not fail but read ${count} events`,
      (error: unknown) => problemOf(error).sentence,
    );
  }
}

/** Sets settings for all workspaces, and takes them back. */
export class PersonalSettings {
  readonly #changed = new Set<string>();

  async set(settings: Readonly<Record<string, unknown>>): Promise<void> {
    for (const [name, value] of Object.entries(settings)) {
      this.#changed.add(name);
      await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
    }
  }

  /**
   * Sets settings, and takes back those that are not among them. Where each test begins with it, none is changed twice between two of
   * them: the whole window looks at each change.
   */
  async use(settings: Readonly<Record<string, unknown>>): Promise<void> {
    const others = [...this.#changed].filter((name) => !(name in settings));
    await this.set(Object.fromEntries(others.map((name) => [name, undefined])));
    others.forEach((name) => this.#changed.delete(name));
    await this.set(settings);
  }

  async takeBack(): Promise<void> {
    await this.use({});
  }
}
