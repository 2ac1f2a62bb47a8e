import { startSandbox } from '#platform/routes.ts';
import type { AppOptions } from './app.ts';

type Running = Awaited<ReturnType<typeof startSandbox>>;

/** The sandbox instance inside this process: starts when it is first needed and ends with its owner. */
export class EmbeddedSandbox {
  readonly #options: () => Promise<AppOptions>;
  #sandbox: Promise<Running> | undefined;

  /** @param options asked for when it starts. */
  constructor(options: () => Promise<AppOptions>) {
    this.#options = options;
  }

  /** Makes sure that the sandbox runs; answers with its URL and the token of its owner. */
  async start(): Promise<{ instanceUrl: string; token: string }> {
    this.#sandbox ??= this.#options()
      .then(startSandbox)
      .catch((error: unknown) => {
        this.#sandbox = undefined;
        throw error;
      });
    const { url, tokens } = await this.#sandbox;
    return { instanceUrl: url, token: tokens.owner };
  }

  async dispose(): Promise<void> {
    const sandbox = await this.#sandbox?.catch(() => undefined);
    await sandbox?.close();
  }
}
