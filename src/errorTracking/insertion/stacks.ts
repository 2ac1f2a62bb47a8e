/** A kind of program that there is an SDK for. */
export type Stack = 'node' | 'browser' | 'python' | 'ruby' | 'go' | 'java' | 'php' | 'dotnet' | 'rust';

export const allStacks: readonly Stack[] = ['node', 'browser', 'python', 'ruby', 'go', 'java', 'php', 'dotnet', 'rust'];

/** What a folder holds, as far as it tells of the program in it. */
export interface FolderFacts {
  /** The names of the files and folders right in it. */
  readonly names: readonly string[];
  /** The text of its package.json, if it has one. */
  readonly packageJson?: string;
}

/** How a program in the browser gets at the environment, which differs by the tool that builds it. */
export type Bundler = 'vite' | 'next' | 'react-scripts' | 'other';

/** What a folder says about how its program is made. */
export interface ProjectShape {
  readonly stacks: readonly Stack[];
  readonly bundler: Bundler;
  readonly typescript: boolean;
  readonly react: boolean;
  readonly rails: boolean;
}

const manifests: readonly [RegExp, Stack][] = [
  [/^(?:requirements.*\.txt|pyproject\.toml|setup\.py|setup\.cfg|Pipfile|manage\.py)$/, 'python'],
  [/^(?:Gemfile|.+\.gemspec|config\.ru)$/, 'ruby'],
  [/^go\.mod$/, 'go'],
  [/^(?:pom\.xml|build\.gradle(?:\.kts)?)$/, 'java'],
  [/^composer\.json$/, 'php'],
  [/\.(?:csproj|sln|slnx)$/, 'dotnet'],
  [/^Cargo\.toml$/, 'rust'],
];

/** Packages that tell that a program runs in a browser. */
const browserPackages = /^(?:react-dom|vue|svelte|preact|solid-js|@angular\/core|vite|react-scripts|next|parcel)$/;
/** Packages that tell that a program runs on a server, too. */
const serverPackages = /^(?:express|fastify|koa|@nestjs\/core|hono|next|@hapi\/hapi)$/;

/** Recognizes the stacks of a folder by its manifests, the likeliest first. */
export function recognize({ names, packageJson }: FolderFacts): ProjectShape {
  const packages = packagesOf(packageJson);
  const has = (name: string): boolean => packages.includes(name);
  const inBrowser = packages.some((name) => browserPackages.test(name)) || names.includes('index.html');
  const onServer = !inBrowser || packages.some((name) => serverPackages.test(name));
  const script: Stack[] =
    packageJson === undefined
      ? []
      : [...(inBrowser ? ['browser' as const] : []), ...(onServer ? ['node' as const] : [])];
  const others = manifests
    .filter(([name]) => names.some((candidate) => name.test(candidate)))
    .map(([, stack]) => stack);
  return {
    stacks: [...script, ...others],
    bundler: has('next') ? 'next' : has('vite') ? 'vite' : has('react-scripts') ? 'react-scripts' : 'other',
    typescript: names.includes('tsconfig.json'),
    react: has('react'),
    rails: names.includes('config') && names.includes('config.ru'),
  };
}

/** The names of the packages that a package.json asks for; none if it cannot be read. */
function packagesOf(packageJson: string | undefined): string[] {
  try {
    const manifest = JSON.parse(packageJson ?? '{}') as Record<string, unknown> | null;
    return [manifest?.['dependencies'], manifest?.['devDependencies']].flatMap((list) =>
      typeof list === 'object' && list !== null ? Object.keys(list) : [],
    );
  } catch {
    return [];
  }
}
