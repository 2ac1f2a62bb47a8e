import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Control } from '../../support/sandbox/control.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox/sandbox.ts';
import type { Answer, Rule } from '../../support/sandbox/transforms.ts';
import type { Write } from '../invariants/activeKeys.ts';
import { waiting } from '../time/timersPromises.ts';

/** A project or group of the sandbox's sample data. */
interface Name {
  readonly id: number;
  readonly path: string;
}

/** Projects that the users of the day maintain. */
export const projects: readonly Name[] = [
  { id: 501, path: 'harbor/tide-table' },
  { id: 502, path: 'harbor/berth-planner' },
  { id: 503, path: 'harbor/tools/winch' },
  { id: 504, path: 'harbor/tools/logbook' },
  { id: 505, path: 'website/landing-page' },
];

/** Groups that they are members of. */
export const groups: readonly Name[] = [
  { id: 11, path: 'harbor' },
  { id: 12, path: 'harbor/tools' },
];

/** Who is told of each token, of each write, and of each request of the product. */
interface Observer {
  token(token: string): void;
  write(write: Write): void;
  request(): void;
}

/** The instance of the day: the sandbox, what it is asked, and the tokens that its users have at the moment. */
export class Instance {
  readonly #sandbox: Sandbox;
  readonly #tokens = new Map<string, string>();
  readonly #direct = new Map<string, string>();
  readonly #on: Observer;
  readonly deleted = new Set<number>();
  /** The tokens with which settings are changed without the product. */
  elsewhere = new Set<string>();
  #inFlight = 0;

  private constructor(sandbox: Sandbox, on: Observer) {
    [this.#sandbox, this.#on] = [sandbox, on];
    this.transform();
  }

  static async start(port: number, seed: number, now: () => number, on: Observer): Promise<Instance> {
    const sandbox = await startSandbox({ port, seed, now: () => new Date(now()) });
    const instance = new Instance(sandbox, on);
    const { owner, developer, readUser } = sandbox.tokens;
    [owner, developer, readUser].forEach((token) => on.token(token));
    subscribe('http.server.request.start', (message) => {
      const { request, response } = message as { request: IncomingMessage; response: ServerResponse; server: Server };
      if (request.socket.localPort !== port) {
        return;
      }
      instance.#inFlight += 1;
      response.once('close', () => (instance.#inFlight -= 1));
      if (request.headers['user-agent']?.startsWith('beacon-gitlab') === true) {
        on.request();
      }
    });
    return instance;
  }

  get url(): string {
    return this.#sandbox.url;
  }

  /** Whether it is at work, other than waiting for time to pass. */
  get isBusy(): boolean {
    return this.#inFlight > waiting.count;
  }

  get control(): Control {
    return this.#sandbox.control;
  }

  /** Changes answers by these rules in place of those before. Each write is reported before its answer is sent, which may get lost. */
  transform(...rules: readonly Rule[]): void {
    this.control.transform(...rules, { answer: this.#reportWrites });
  }

  /** The token that a user has for the product, which may be revoked by now. */
  tokenOf(username: string): string {
    return this.#tokens.get(username) ?? '';
  }

  /** Makes a token for a user and the product. */
  makeToken(username: string): void {
    const token = this.control.makeToken(username);
    this.#tokens.set(username, token);
    this.#on.token(token);
  }

  revokeToken(username: string): void {
    this.control.revokeToken(this.tokenOf(username));
  }

  /** Calls the API for a user, without the product. */
  async call(username: string, path: string, method = 'GET', body?: unknown): Promise<Response> {
    return await fetch(path.startsWith('http') ? path : `${this.url}/api/v4${path}`, {
      method,
      headers: { 'private-token': this.#directToken(username), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** All records of a list, as a user gets them without the product; undefined if the instance has no such list. */
  async list(username: string, path: string): Promise<readonly { readonly id: number }[] | undefined> {
    const records: { readonly id: number }[] = [];
    for (let next: string | undefined = path; next !== undefined;) {
      const response: Response = await this.call(username, next);
      if (!response.ok) {
        return undefined;
      }
      records.push(...((await response.json()) as { id: number }[]));
      next = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    }
    return records;
  }

  async close(): Promise<void> {
    await this.#sandbox.close();
  }

  readonly #reportWrites: Answer = async (own, { req }) => {
    const { method, path } = req;
    if (method === 'GET' || method === 'HEAD') {
      return await own();
    }
    const body = await req.raw.clone().text();
    const response = await own();
    const given = req.header('private-token') ?? req.header('authorization')?.replace(/^Bearer /i, '') ?? '';
    const { value: token, user } = this.#sandbox.app.world.token(given) ?? {};
    const answer = await response.clone().text();
    const { status } = response;
    this.#on.write({
      method,
      path: path.slice('/api/v4'.length),
      token,
      username: user?.username,
      body,
      status,
      answer,
    });
    return response;
  };

  #directToken(username: string): string {
    const known = this.#direct.get(username);
    if (known !== undefined) {
      return known;
    }
    const token = this.control.makeToken(username);
    this.#direct.set(username, token);
    this.elsewhere.add(token);
    return token;
  }
}
