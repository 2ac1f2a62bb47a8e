/** What is asked for on the command line. */
export interface ReleaseRequest {
  /** The tag that is released, such as `v0.2.0`. */
  readonly tag?: string | undefined;
  /** Whether the present commit is released as a pre-release. */
  readonly preRelease: boolean;
  /** Whether everything is made and nothing published. */
  readonly dryRun: boolean;
}

/** What a release is made of. */
export interface ReleaseFacts {
  /** The version of the manifest. */
  readonly version: string;
  readonly changelog: string;
  /** How many commits lead to the present one. */
  readonly commits: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The marketplaces, with the variable of the environment from which the program that publishes takes the token. */
export const tokenVariables = { 'Visual Studio Marketplace': 'VSCE_PAT', 'Open VSX': 'OVSX_PAT' } as const;
export type Marketplace = keyof typeof tokenVariables;

/** The section of the changelog for what no release has yet. */
const unreleased = 'Unreleased';

/**
 * What a release will be. A tag is released as the version of the manifest; a pre-release has the odd minor number after it and
 * the number of its commit, because marketplaces take nothing but three numbers and ask for odd minor numbers there:
 * https://code.visualstudio.com/api/working-with-extensions/publishing-extension#prerelease-extensions
 *
 * @returns the version, what is new as Markdown, and the marketplaces for which there is a token.
 * @throws Error that says what to put right, if the request and the facts do not fit.
 */
export function planRelease({ tag, preRelease, dryRun }: ReleaseRequest, facts: ReleaseFacts) {
  const { changelog, commits, environment } = facts;
  if (tag !== undefined && preRelease) {
    throw new Error('A tag is no pre-release: leave out --tag or --pre-release.');
  }
  if (tag === undefined && !preRelease && !dryRun) {
    throw new Error('Say what to release, --tag TAG or --pre-release, or try it with --dry-run.');
  }
  if (tag !== undefined && tag !== `v${facts.version}`) {
    throw new Error(`The tag ${tag} is not that of the version in package.json, v${facts.version}.`);
  }
  const version = preRelease ? preReleaseVersion(facts.version, commits) : facts.version;
  const notes = notesOf(changelog, preRelease ? unreleased : version);
  if (notes === undefined && !preRelease) {
    throw new Error(`CHANGELOG.md says nothing of ${version}: give its section "${unreleased}" that title.`);
  }
  const marketplaces = Object.keys(tokenVariables) as Marketplace[];
  return {
    version,
    notes: notes ?? `Nothing that you would notice has changed since ${facts.version}.`,
    publish: dryRun ? [] : marketplaces.filter((one) => Boolean(environment[tokenVariables[one]])),
  };
}

/**
 * Cuts the notes of a version out of the changelog.
 *
 * @param version the first word of the title of its section, in brackets or not; a date may follow.
 * @returns undefined if there is no such section, or nothing in it.
 */
export function notesOf(changelog: string, version: string): string | undefined {
  const sections = changelog.replaceAll('\r\n', '\n').split(/^## +/m).slice(1);
  const section = sections.find((one) => /^\[?([^\s\]]*)/.exec(one)?.[1] === version);
  const notes = section?.replace(/^.*\n?/, '').trim();
  return notes === '' ? undefined : notes;
}

function preReleaseVersion(version: string, commits: number): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return `${major}.${minor + ((minor + 1) % 2)}.${commits}`;
}
