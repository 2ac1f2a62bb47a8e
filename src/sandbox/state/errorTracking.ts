import type { Project } from './model.ts';
import { Random } from './random.ts';

/** What a program sent to the DSN ingest. */
export interface Received {
  readonly received_at: string;
  readonly project_id: number;
  readonly public_key: string;
  readonly event_id: string;
  /** Such as `event`, `transaction` or `session`. */
  readonly types: readonly string[];
  /** Such as `error`; null for what is no event. */
  readonly level: string | null;
  /** Such as `RangeError: Out of berths`; null for what is no event. */
  readonly title: string | null;
}

/** The error tracking settings of a project. Those of an external tracker stay while the integrated one is in use. */
export interface ErrorTrackingSetting {
  active: boolean;
  integrated: boolean;
  readonly tracker?: { readonly projectName: string; readonly externalUrl: string; readonly apiUrl: string };
}

/** Lets programs send errors to the integrated error tracking of a project. */
export interface ClientKey {
  readonly id: number;
  readonly project: Project;
  readonly publicKey: string;
  active: boolean;
}

const hexDigits = '0123456789abcdef';

/** The error tracking of all projects: settings, which a project may lack, and client keys. */
export class ErrorTrackingStore {
  readonly #settings = new Map<Project, ErrorTrackingSetting>();
  readonly #keys = new Map<number, ClientKey>();
  readonly #random: Random;
  #lastKeyId = 300;
  /** Whether the instance offers integrated error tracking at all. */
  available = true;

  /** @param random where public keys come from. */
  constructor(random: Random) {
    this.#random = random;
  }

  setting(project: Project): ErrorTrackingSetting | undefined {
    return this.#settings.get(project);
  }

  /** Sets or changes the settings. Switching the integrated tracking on makes a client key if none is active. */
  configure(project: Project, setting: ErrorTrackingSetting): void {
    this.#settings.set(project, setting);
    if (setting.active && setting.integrated && !this.keys(project).some(({ active }) => active)) {
      this.addKey(project);
    }
  }

  /** The client keys of a project, the oldest first. */
  keys(project: Project): readonly ClientKey[] {
    return [...this.#keys.values()].filter((key) => key.project === project);
  }

  addKey(project: Project, active = true): ClientKey {
    this.#lastKeyId += 1;
    const publicKey = `glet_${this.#random.text(32, hexDigits)}`;
    const key = { id: this.#lastKeyId, project, publicKey, active };
    this.#keys.set(key.id, key);
    return key;
  }

  /** @returns the deleted key; undefined if the project has no key with the id. */
  deleteKey(project: Project, id: number): ClientKey | undefined {
    const key = this.#keys.get(id);
    if (key?.project !== project) {
      return undefined;
    }
    this.#keys.delete(id);
    return key;
  }
}

/** Error tracking in each of its states: integrated, none, an external tracker, disabled; the others have none. */
export function sampleErrorTracking(projects: readonly Project[], seed: number): ErrorTrackingStore {
  const store = new ErrorTrackingStore(new Random(seed + 1));
  const [integrated, , external, disabled] = projects;
  if (integrated && external && disabled) {
    store.configure(integrated, { active: true, integrated: true });
    store.addKey(integrated, false);
    const projectName = `Harbor / ${external.name}`;
    const externalUrl = `https://tracker.example/harbor/${external.path}`;
    const apiUrl = `https://tracker.example/api/0/projects/harbor/${external.path}/`;
    store.configure(external, { active: true, integrated: false, tracker: { projectName, externalUrl, apiUrl } });
    store.configure(disabled, { active: false, integrated: true });
  }
  return store;
}
