import * as vscode from 'vscode';

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
