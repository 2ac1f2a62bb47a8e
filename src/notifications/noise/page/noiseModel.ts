import { Host } from '../../../webviews/page/page.ts';
import { type Mails, sumOfMails, unknownMails } from '../mails.ts';
import type { FromNoise, ProjectState, ToNoise } from '../messages.ts';

/** What is kept when the page is built again: nothing that was tried is lost. */
interface Kept {
  /** Levels by the keys of their projects. */
  readonly tried: Readonly<Record<string, string>>;
  readonly project?: string | undefined;
}

/** The state of the page: what the host has sent, and the levels that the user tries. */
export class NoiseModel {
  readonly #host = new Host<ToNoise, FromNoise, Kept>(1);
  readonly l10n = this.#host.l10n;
  readonly #onChange: () => void;
  state: ToNoise | undefined;
  /** Levels by the keys of their projects. */
  readonly #tried = new Map<string, string>();
  #project: string | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
    const { kept } = this.#host;
    if (kept) {
      Object.entries(kept.tried).forEach(([key, level]) => this.#tried.set(key, level));
      this.#project = kept.project;
    }
    this.#host.listen((state) => this.#take(state));
    this.send({ type: 'ready' });
  }

  get projects(): readonly ProjectState[] {
    return this.state?.projects ?? [];
  }

  /** The project whose levels are drawn: the chosen one, or else the loudest. */
  get project(): ProjectState | undefined {
    return this.projects.find(({ key }) => key === this.#project) ?? this.projects[0];
  }

  /** The level that is tried, or else the one that holds; undefined if neither is known. */
  levelOf({ key, level }: ProjectState): string | undefined {
    return level === undefined ? undefined : (this.#tried.get(key) ?? level);
  }

  /** What a project sends with a level. */
  mailsOf({ choices }: ProjectState, level: string | undefined): Mails {
    return choices.find((choice) => choice.level === level)?.mails ?? unknownMails;
  }

  /** What all projects send, as it is and with the levels that are tried. */
  get totals(): { readonly now: Mails; readonly tried: Mails } {
    return {
      now: sumOfMails(this.projects.map((project) => this.mailsOf(project, project.level))),
      tried: sumOfMails(this.projects.map((project) => this.mailsOf(project, this.levelOf(project)))),
    };
  }

  /** The levels that differ from those that hold. */
  get changes(): readonly { readonly key: string; readonly level: string }[] {
    return this.projects.flatMap((project) => {
      const level = this.levelOf(project);
      return level === undefined || level === project.level ? [] : { key: project.key, level };
    });
  }

  try({ key }: ProjectState, level: string): void {
    this.#tried.set(key, level);
    this.#project = key;
    this.#changed();
  }

  choose(key: string): void {
    this.#project = key;
    this.#changed();
  }

  discard(): void {
    this.#tried.clear();
    this.#changed();
  }

  send(message: FromNoise): void {
    this.#host.send(message);
  }

  #take(state: ToNoise): void {
    this.state = state;
    for (const { key, level } of state.projects) {
      if (this.#tried.get(key) === level) {
        this.#tried.delete(key);
      }
    }
    this.#changed();
  }

  #changed(): void {
    this.#host.keep({ tried: Object.fromEntries(this.#tried), project: this.#project });
    this.#onChange();
  }
}
