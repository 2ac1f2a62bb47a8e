import type { EventRecord } from '../../../src/api/events.ts';
import type { SandboxApp } from '../../../src/sandbox/app.ts';
import { existing } from '../../../src/sandbox/authentication.ts';
import type { Received } from '../../../src/sandbox/state/errorTracking.ts';
import type { AccessToken, Project } from '../../../src/sandbox/state/model.ts';
import type { OAuthStore } from './oauth.ts';
import type { Rule, Transforms } from './transforms.ts';

/** What is chosen of a token. */
export interface TokenChoice {
  /** `api` if not given. */
  readonly scopes?: readonly string[];
  /** Makes it a fine-grained token: the names of its permissions, such as `Event: Read`. */
  readonly permissions?: readonly string[];
  /** Whether an application got it. */
  readonly oauth?: boolean;
  readonly expired?: boolean;
}

const day = 86_400_000;

/** What happens to an instance from elsewhere. Projects are named by id or full path, all else as the API names it. */
export class Control {
  readonly #app: SandboxApp;
  readonly #transforms: Transforms;
  readonly #oauth: OAuthStore;

  constructor(app: SandboxApp, transforms: Transforms, oauth: OAuthStore) {
    this.#app = app;
    this.#transforms = transforms;
    this.#oauth = oauth;
  }

  /** Changes answers from now on, by these rules in place of those before; by none, the sandbox is itself. */
  transform(...rules: readonly Rule[]): void {
    this.#transforms.set(rules);
  }

  /**
   * Lets events happen now.
   *
   * @param choice.project anywhere if not given.
   * @param choice.rare whether they are of kinds that are seldom seen, or that no client knows.
   */
  addEvents({ count = 1, project = undefined as string | undefined, rare = false } = {}): EventRecord[] {
    const where = project === undefined ? undefined : this.#project(project);
    return Array.from({ length: count }, () => this.#app.records.event(this.#app.addEvent(where, rare), true));
  }

  /** Moves a project to another path in its group. */
  moveProject(project: string, path: string): void {
    this.#app.world.moveProject(this.#project(project), path);
  }

  /** Deletes a project with its events. */
  deleteProject(project: string): void {
    this.#app.world.deleteProject(this.#project(project));
  }

  /** All tokens: the fourth has expired, the fifth is revoked. */
  tokens(): readonly AccessToken[] {
    return this.#app.world.tokens();
  }

  /** Makes a token for a user: `femi` is a Maintainer, `lucia` a Reporter, `ines` a Guest. */
  makeToken(username: string, { scopes = ['api'], permissions, oauth = false, expired = false }: TokenChoice = {}) {
    const { world, now } = this.#app;
    const token: AccessToken = {
      id: world.nextTokenId(),
      value: oauth ? crypto.randomUUID().replaceAll('-', '') : `glpat-${crypto.randomUUID()}`,
      name: 'Sandbox',
      user: existing(world.user(username), 'User'),
      ...(permissions ? { scopes: ['granular'], permissions } : { scopes }),
      isOAuth: oauth,
      createdAt: now(),
      expiresAt: expired ? new Date(now().getTime() - day) : undefined,
      revoked: false,
    };
    world.addToken(token);
    return token.value;
  }

  revokeToken(value: string): void {
    existing(this.#app.world.token(value), 'Token').revoked = true;
  }

  /** Whether a top-level group and all in it refuse classic personal access tokens. */
  requireFineGrainedTokens(group: string, isRequired: boolean): void {
    existing(this.#app.world.group(group), 'Group').requiresFineGrainedTokens = isRequired;
  }

  /** What programs sent to the addresses of DSNs, the newest first. */
  received(): readonly Received[] {
    return this.#app.received;
  }

  /** Registers a public OAuth application; answers with its id, drawn by chance if not given. */
  registerApplication(redirectUris: readonly string[], id?: string): string {
    return this.#oauth.register(redirectUris, id);
  }

  #project(idOrPath: string): Project {
    return existing(this.#app.world.project(idOrPath), 'Project');
  }
}
