import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { sampleProgram } from '../src/help/sampleProgram.ts';
import type { Sandbox } from '../src/sandbox/server.ts';
import type { PushCommits } from '../src/sandbox/state/eventMaker.ts';

type Author = Parameters<PushCommits>[0];

/** The full path of the project whose repository it is, as the sandbox has it. */
export const demoProject = 'harbor/tide-table';
const day = 86_400_000;

/** The file that shows hints and a DSN problem. */
export const fileToOpen = 'tools/nightly_report.py';

/**
 * A repository in which every feature of Beacon has something to show: its remote is a project of the sandbox, its commits
 * are those of the project's feed, and its files have DSNs and calls of API v4. It is made by git alone, whatever the
 * machine's configuration of git is.
 */
export class DemoRepository {
  readonly folder: string;
  #pushes = 0;
  #files: ReadonlyMap<string, string> = new Map();

  /** Makes an empty one in a folder, which must not be there. */
  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder);
    this.#git(['init', '--quiet', '--template=']);
    this.#git(['symbolic-ref', 'HEAD', 'refs/heads/main']);
  }

  /** Makes the commits of the next push to the default branch, for the data of the sandbox. */
  readonly push: PushCommits = (author, at) => {
    if (this.#pushes === 0) {
      this.#commit('Predict the tide at a berth', author, new Date(at.getTime() - 3 * day), firstFiles);
    }
    const changes = laterChanges[this.#pushes % laterChanges.length] ?? [];
    this.#pushes += 1;
    const from = this.#head();
    changes.forEach(({ title, ...change }, index) => {
      // Commits are a while older than their push.
      this.#commit(title, author, new Date(at.getTime() - (changes.length - index) * 60_000), this.#changed(change));
    });
    return { from, to: this.#head(), title: changes.at(-1)?.title ?? '', count: changes.length };
  };

  /** Adds what is not pushed: the remote, a program with the DSN of an inactive key, and an env file with that of an active one. */
  async finish({ url, tokens }: Sandbox): Promise<void> {
    this.#git(['update-ref', 'refs/remotes/origin/main', 'HEAD']);
    const address = `${url}/api/v4/projects/${encodeURIComponent(demoProject)}/error_tracking/client_keys`;
    const response = await fetch(address, { headers: { 'PRIVATE-TOKEN': tokens.owner } });
    const keys = (await response.json()) as { readonly active: boolean; readonly tracker_dsn: string }[];
    const dsnOf = (active: boolean): string => keys.find((key) => key.active === active)?.tracker_dsn ?? '';
    this.#commit(
      'Report the errors of the nightly job',
      { name: 'Marta Lindqvist', email: 'marta@harbor.example' },
      new Date(),
      new Map([...this.#files, [fileToOpen, sampleProgram(dsnOf(false))], ['tools/pause_runners.sh', pauseRunners]]),
    );
    for (const [name, value] of [
      ['remote.origin.url', `${url}/${demoProject}.git`],
      ['remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*'],
      ['branch.main.remote', 'origin'],
      ['branch.main.merge', 'refs/heads/main'],
      ['user.name', 'Marta Lindqvist'],
      ['user.email', 'marta@harbor.example'],
      ['core.autocrlf', 'false'],
    ] as const) {
      this.#git(['config', name, value]);
    }
    this.#git(['reset', '--quiet', '--hard']);
    writeFileSync(join(this.folder, '.env'), `# Where tides.py sends its errors.\nSENTRY_DSN=${dsnOf(true)}\n`);
  }

  #changed({ path, from, to }: Omit<Change, 'title'>): ReadonlyMap<string, string> {
    const text = this.#files.get(path) ?? '';
    return new Map([...this.#files, [path, from === '' ? text + to : text.replace(from, to)]]);
  }

  /** Adds a commit to the default branch with these files in place of those before. */
  #commit(title: string, { name, email }: Author, at: Date, files: ReadonlyMap<string, string>): void {
    const who = `${name} <${email}> ${Math.floor(at.getTime() / 1000)} +0000`;
    const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
    this.#git(
      ['fast-import', '--quiet'],
      [
        `commit refs/heads/main\nauthor ${who}\ncommitter ${who}\n${data(title)}`,
        this.#files.size === 0 ? '' : 'from refs/heads/main^0\ndeleteall\n',
        ...[...files].map(
          ([path, text]) => `M ${path.endsWith('.sh') ? 100755 : 100644} inline ${path}\n${data(text)}`,
        ),
      ].join(''),
    );
    this.#files = files;
  }

  #head(): string {
    return this.#git(['rev-parse', 'HEAD']).trim();
  }

  /** @throws Error if there is no git, or if it fails, with what it says. */
  #git(args: readonly string[], input = ''): string {
    // Variables such as GIT_DIR, which hooks of git set, would lead to another repository.
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
    const env = { ...Object.fromEntries(inherited), GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' };
    try {
      return execFileSync('git', args, { cwd: this.folder, env, input, encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? new Error('There is no "git" on your PATH. Install it, then try again.', { cause: error })
        : error;
    }
  }
}

/** A commit: in a file, a text takes the place of another one, or goes to its end. */
interface Change {
  readonly title: string;
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

const firstFiles: ReadonlyMap<string, string> = new Map([
  ['.gitignore', '.env\n__pycache__/\n'],
  [
    'README.md',
    `# Tide Table

Predicts the water level at every berth.

This repository was made for you to try Beacon in. Its remote is a project of the sandbox instance.

- **Activity** shows what happened in the project. Right-click a push and choose **Show Changes**: its commits are in this repository.
- **Error Tracking** has the project's client keys. \`.env\` holds the DSN of the active one, \`${fileToOpen}\` that of an inactive one.
- \`tools/\` has scripts with calls of API v4 that v5 will change: point at what is underlined.
- **Beacon: Open Global Notification Settings** in the command palette (\`F1\`) shows your own settings; **Change Scope…** leads to those of this project.
`,
  ],
  [
    'tides.py',
    `"""Predicts the water level at a berth."""

from datetime import datetime
from math import cos, radians

# Amplitude in metres, speed in degrees per hour, phase in degrees.
CONSTITUENTS = {
    "M2": (1.21, 28.984, 112.0),
    "S2": (0.42, 30.0, 145.0),
}


def height(moment: datetime) -> float:
    """The water level in metres above chart datum."""
    hours = moment.timestamp() / 3600
    level = 2.4
    for amplitude, speed, phase in CONSTITUENTS.values():
        level += amplitude * cos(radians(speed * hours - phase))
    return level
`,
  ],
]);

/** What each push brings. */
const laterChanges: readonly (readonly Change[])[] = [
  [{ title: 'Round heights to the centimetre', path: 'tides.py', from: 'return level', to: 'return round(level, 2)' }],
  [
    {
      title: 'Take the daily tide into account',
      path: 'tides.py',
      from: '145.0),\n',
      to: '145.0),\n    "K1": (0.09, 15.041, 201.0),\n',
    },
    {
      title: 'Say which datum heights refer to',
      path: 'README.md',
      from: 'at every berth.',
      to: 'at every berth, in metres above chart datum.',
    },
  ],
  [
    {
      title: 'Take the mean level from the berth',
      path: 'tides.py',
      from: 'def height(moment: datetime) -> float:',
      to: 'def height(moment: datetime, mean: float = 2.4) -> float:',
    },
  ],
  [{ title: 'Use the mean level that is given', path: 'tides.py', from: 'level = 2.4', to: 'level = mean' }],
  [
    {
      title: 'Test the switch to winter time',
      path: 'test_tides.py',
      from: '',
      to: `from datetime import datetime
from zoneinfo import ZoneInfo

from tides import height


def test_the_hour_that_comes_twice():
    berlin = ZoneInfo("Europe/Berlin")
    first = datetime(2026, 10, 25, 2, 30, tzinfo=berlin, fold=0)
    second = datetime(2026, 10, 25, 2, 30, tzinfo=berlin, fold=1)
    assert height(first) != height(second)
`,
    },
  ],
  [
    {
      title: 'Find the next high water',
      path: 'tides.py',
      from: '',
      to: `

def high_water(moments: list[datetime]) -> datetime:
    """The moment at which the water is highest."""
    return max(moments, key=height)
`,
    },
  ],
  [
    {
      title: 'Refuse to look for high water in an empty list',
      path: 'tides.py',
      from: '    return max(moments',
      to: '    if not moments:\n        raise ValueError("There are no moments to choose from.")\n    return max(moments',
    },
  ],
];

const pauseRunners = `#!/bin/sh
# Pauses the runners of a group while the quay has no power.
set -eu

curl --header "PRIVATE-TOKEN: $GITLAB_TOKEN" "$GITLAB_URL/api/v4/groups/$1/runners?active=true" |
  jq '.[].id' |
  while read -r id; do
    curl --request PUT --header "PRIVATE-TOKEN: $GITLAB_TOKEN" --data "active=false" "$GITLAB_URL/api/v4/runners/$id"
  done
`;
