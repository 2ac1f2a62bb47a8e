import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import type { Sandbox } from '../src/sandbox/server.ts';
import type { PushCommits } from '../src/sandbox/state/eventMaker.ts';
import { projectRoot } from './project.ts';

type Author = Parameters<PushCommits>[0];

/** The full path of the project whose repository it is, as the sandbox has it. */
export const demoProject = 'harbor/tide-table';
const day = 86_400_000;
const owner: Author = { name: 'Marta Lindqvist', email: 'marta@harbor.example' };

/** The file that shows hints and a DSN problem. */
export const fileToOpen = 'nightly_report.py';

/** The titles of the commits that each push brings; after the last one they begin anew. */
const pushes = [
  ['Round heights to the centimetre'],
  ['Take the daily tide into account', 'Say which datum heights refer to'],
  ['Take the mean level from the berth'],
  ['Use the mean level that is given'],
  ['Test the switch to winter time'],
  ['Find the next high water', 'Refuse to look for high water in an empty list'],
];

/**
 * A repository in which every feature of Beacon has something to show: its remote is a project of the sandbox, its commits
 * are those of the project's feed, and its files have DSNs and calls of API v4. It begins with what `scripts/demo` holds, and is
 * made by git alone, whatever the machine's configuration of git is.
 */
export class DemoRepository {
  readonly folder: string;
  #pushes = 0;

  /** Makes it in a folder, which must not be there. */
  constructor(folder: string) {
    this.folder = folder;
    cpSync(join(projectRoot, 'scripts', 'demo'), folder, { recursive: true });
    this.#git(['init', '--quiet', '--template=', '--initial-branch=main']);
    this.#git(['add', '.']);
  }

  /** Makes the commits of the next push to the default branch, for the data of the sandbox. */
  readonly push: PushCommits = (author, at) => {
    if (this.#pushes === 0) {
      this.#commit('Predict the tide at a berth', author, new Date(at.getTime() - 3 * day));
    }
    const titles = pushes[this.#pushes % pushes.length] ?? [];
    this.#pushes += 1;
    const from = this.#head();
    titles.forEach((title, index) => {
      appendFileSync(join(this.folder, 'CHANGES.md'), `- ${title}\n`);
      // Commits are a while older than their push.
      this.#commit(title, author, new Date(at.getTime() - (titles.length - index) * 60_000));
    });
    return { from, to: this.#head(), title: titles.at(-1) ?? '', count: titles.length };
  };

  /** Adds what is not pushed: the remote, a program with the DSN of an inactive key, and an env file with that of an active one. */
  async finish({ url, tokens }: Sandbox): Promise<void> {
    this.#git(['remote', 'add', 'origin', `${url}/${demoProject}.git`]);
    this.#git(['update-ref', 'refs/remotes/origin/main', 'HEAD']);
    this.#git(['branch', '--quiet', '--set-upstream-to=origin/main']);
    this.#git(['config', 'user.name', owner.name]);
    this.#git(['config', 'user.email', owner.email]);
    const address = `${url}/api/v4/projects/${encodeURIComponent(demoProject)}/error_tracking/client_keys`;
    const response = await fetch(address, { headers: { 'PRIVATE-TOKEN': tokens.owner } });
    const keys = (await response.json()) as { readonly active: boolean; readonly tracker_dsn: string }[];
    const dsnOf = (active: boolean): string => keys.find((key) => key.active === active)?.tracker_dsn ?? '';
    const sample = readFileSync(join(projectRoot, 'media', 'sample.py'), 'utf8');
    writeFileSync(join(this.folder, fileToOpen), sample.replace('{dsn}', dsnOf(false)));
    writeFileSync(join(this.folder, '.env'), `# Where the program sends its errors.\nSENTRY_DSN=${dsnOf(true)}\n`);
    this.#git(['add', fileToOpen]);
    this.#commit('Report the errors of the nightly job', owner, new Date());
  }

  #commit(title: string, { name, email }: Author, at: Date): void {
    const time = `${Math.floor(at.getTime() / 1000)} +0000`;
    this.#git(['commit', '--quiet', '--all', '--message', title], {
      ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: time },
      ...{ GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email, GIT_COMMITTER_DATE: time },
    });
  }

  #head(): string {
    return this.#git(['rev-parse', 'HEAD']).trim();
  }

  /** @throws Error if there is no git, or if it fails, with what it says. */
  #git(args: readonly string[], variables: Readonly<Record<string, string>> = {}): string {
    // Variables such as GIT_DIR, which hooks of git set, would lead to another repository.
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
    const own = { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1', ...variables };
    const env = { ...Object.fromEntries(inherited), ...own };
    return execFileSync('git', args, { cwd: this.folder, env, encoding: 'utf8', stdio: 'pipe' });
  }
}
