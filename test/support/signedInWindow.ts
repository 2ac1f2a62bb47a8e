import type { Connection } from '../../src/accounts/connections.ts';
import { createClient } from '../../src/api/client.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from './sandbox/sandbox.ts';

/** A connection to a sandbox of its own, by the token of the owner and without retries. Needs no editor. */
export class SignedInWindow {
  readonly sandbox: Sandbox;
  readonly connection: Connection;

  private constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
    const client = createClient({ instanceUrl: sandbox.url, token: sandbox.tokens.owner, retries: 0 });
    this.connection = { account: { kind: 'sandbox', id: 'sandbox' }, instanceUrl: sandbox.url, client };
  }

  static async open(options: SandboxOptions = {}): Promise<SignedInWindow> {
    return new SignedInWindow(await startSandbox(options));
  }

  async close(): Promise<void> {
    await this.connection.client.close();
    await this.sandbox.close();
  }
}
