import { defaultVariable, type TextChange } from './envFile.ts';

/** A kind of program that there is an SDK for. */
export type Stack = 'node' | 'browser' | 'python' | 'ruby' | 'go' | 'java' | 'php' | 'dotnet' | 'rust';

export const allStacks: readonly Stack[] = ['node', 'browser', 'python', 'ruby', 'go', 'java', 'php', 'dotnet', 'rust'];

/** The files of a folder that reveal the stack of its program. */
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

/** Packages of programs that run in a browser. */
const browserPackages = /^(?:react-dom|vue|svelte|preact|solid-js|@angular\/core|vite|react-scripts|next|parcel)$/;
/** Packages of programs that (also) run on a server. */
const serverPackages = /^(?:express|fastify|koa|@nestjs\/core|hono|next|@hapi\/hapi)$/;

/** Recognizes the stacks of a folder by its manifests, the likeliest first. */
export function detectProjectShape({ names, packageJson }: FolderFacts): ProjectShape {
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

/**
 * The stacks of a folder, that of the file that is edited first.
 *
 * @param languageId of that file.
 */
export function stacksFor(languageId: string | undefined, { stacks }: Pick<ProjectShape, 'stacks'>): readonly Stack[] {
  const stack = stackOfLanguage(languageId, stacks);
  return stack === undefined ? stacks : [stack, ...stacks.filter((one) => one !== stack)];
}

function stackOfLanguage(languageId: string | undefined, stacks: readonly Stack[]): Stack | undefined {
  switch (languageId) {
    case 'python':
    case 'ruby':
    case 'go':
    case 'java':
    case 'php':
    case 'rust':
      return languageId;
    case 'csharp':
    case 'fsharp':
      return 'dotnet';
    case 'kotlin':
    case 'scala':
    case 'groovy':
      return 'java';
    case 'javascript':
    case 'typescript':
      // Where the folder says what its scripts run in, that counts.
      return stacks.find((stack) => stack === 'browser' || stack === 'node') ?? 'node';
    case 'javascriptreact':
    case 'typescriptreact':
    case 'vue':
    case 'svelte':
      return 'browser';
    default:
      return undefined;
  }
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

/** The set-up of an SDK that reads the DSN from the environment. */
export interface SdkSetup {
  readonly stack: Stack;
  /** The stack's own name. */
  readonly name: string;
  /** The environment variable. */
  readonly variable: string;
  /** The path of the file that holds it, below the folder of the program. */
  readonly file: string;
  readonly content: string;
  /** The command that brings the SDK. */
  readonly install: string;
  /** How the program takes the set-up up: a line of its code, or the command that starts it. */
  readonly use: string;
  readonly isCommand: boolean;
  /** Whether the set-up itself reads the env file; otherwise the user has to load it when starting the program. */
  readonly readsEnvFile: boolean;
}

/** The set-up for a stack in a folder of a certain shape; its file says in its first lines how it is used. */
export function sdkSetup(stack: Stack, shape: Omit<ProjectShape, 'stacks'>): SdkSetup {
  const setup = setupOf(stack, shape);
  const mark = stack === 'python' || stack === 'ruby' ? '#' : '//';
  return {
    ...setup,
    content: setup.content.replace(/^(?:<\?php\n)?/, (start) => `${start}${mark} Start with: ${setup.use}\n`),
  };
}

function setupOf(stack: Stack, shape: Omit<ProjectShape, 'stacks'>): SdkSetup {
  const rest = { stack, variable: defaultVariable, isCommand: false, readsEnvFile: false };
  switch (stack) {
    case 'node':
      return {
        ...rest,
        name: 'Node.js',
        file: 'instrument.mjs',
        content: nodeContent,
        install: 'npm install @sentry/node',
        use: 'node --import ./instrument.mjs app.js',
        isCommand: true,
        readsEnvFile: true,
      };
    case 'browser':
      return { ...rest, ...browserSetup(shape) };
    case 'python':
      return {
        ...rest,
        name: 'Python',
        file: 'sentry_setup.py',
        content: pythonContent,
        install: 'pip install sentry-sdk python-dotenv',
        use: 'import sentry_setup',
        readsEnvFile: true,
      };
    case 'ruby':
      return {
        ...rest,
        name: shape.rails ? 'Ruby on Rails' : 'Ruby',
        file: shape.rails ? 'config/initializers/sentry.rb' : 'sentry_setup.rb',
        content: rubyContent(shape.rails),
        install: shape.rails ? 'bundle add sentry-ruby sentry-rails' : 'bundle add sentry-ruby',
        use: shape.rails ? 'bin/rails server' : 'require_relative "sentry_setup"',
        isCommand: shape.rails,
      };
    case 'go':
      return {
        ...rest,
        name: 'Go',
        file: 'sentry_setup.go',
        content: goContent,
        install: 'go get github.com/getsentry/sentry-go',
        use: 'defer sentry.Flush(2 * time.Second)',
      };
    case 'java':
      return {
        ...rest,
        name: 'Java',
        file: 'src/main/java/SentrySetup.java',
        content: javaContent,
        install: 'io.sentry:sentry',
        use: 'SentrySetup.start();',
      };
    case 'php':
      return {
        ...rest,
        name: 'PHP',
        file: 'sentry.php',
        content: phpContent,
        install: 'composer require sentry/sentry',
        use: "require __DIR__ . '/sentry.php';",
      };
    case 'dotnet':
      return {
        ...rest,
        name: '.NET',
        file: 'SentrySetup.cs',
        content: dotnetContent,
        install: 'dotnet add package Sentry',
        use: 'using var sentry = SentrySetup.Start();',
      };
    case 'rust':
      return {
        ...rest,
        name: 'Rust',
        file: 'src/sentry_setup.rs',
        content: rustContent,
        install: 'cargo add sentry',
        use: 'mod sentry_setup; let _sentry = sentry_setup::start();',
      };
  }
}

/** How code of a language reads the DSN from the environment. */
export interface VariableReading {
  /** Where a language has one that needs no import, it is that one; see `missingImport` for the others. */
  readonly expression: string;
  readonly variable: string;
  /** What loads an env file where the program starts; undefined where the build does. */
  readonly loader?: string;
}

/** How code of a language reads the DSN from the environment; undefined for a language that cannot. */
export function readVariable(languageId: string, bundler: Bundler): VariableReading | undefined {
  const variable = defaultVariable;
  switch (languageId) {
    case 'javascript':
    case 'javascriptreact':
    case 'typescript':
    case 'typescriptreact':
    case 'vue':
    case 'svelte':
      return browserVariable(bundler);
    case 'python':
      return { variable, expression: `os.environ["${variable}"]`, loader: 'python-dotenv' };
    case 'ruby':
      return { variable, expression: `ENV["${variable}"]`, loader: 'dotenv' };
    case 'go':
      return { variable, expression: `os.Getenv("${variable}")`, loader: 'godotenv' };
    case 'java':
    case 'kotlin':
    case 'scala':
    case 'groovy':
      return { variable, expression: `System.getenv("${variable}")`, loader: 'dotenv-java' };
    case 'php':
      return { variable, expression: `getenv('${variable}')`, loader: 'phpdotenv' };
    case 'csharp':
    case 'fsharp':
      return { variable, expression: `System.Environment.GetEnvironmentVariable("${variable}")`, loader: 'dotenv.net' };
    case 'rust':
      return { variable, expression: `std::env::var("${variable}").unwrap_or_default()`, loader: 'dotenvy' };
    default:
      return undefined;
  }
}

/** What code of a language has to import before it reads the environment. */
interface Import {
  readonly line: string;
  /** Matches a file that has it. */
  readonly present: RegExp;
  /** What has to stay before it at the beginning of a file, in this order: each matches up to its last line. */
  readonly head: readonly RegExp[];
  /** Matches what is between that and the first of other imports, beside which it goes as `listed`. */
  readonly beforeList: RegExp;
  readonly listed: string;
}

const imports: Readonly<Record<string, Import>> = {
  python: {
    line: 'import os\n',
    present: /^import[ \t]+(?![ \t])(?:[^#\n]*,[ \t]*)?os(?:\.\w+)*[ \t]*(?:[,;#]|$)/m,
    // Comments, a docstring, and imports from __future__.
    head: [
      /#/y,
      /(?:\s|#[^\n]*\n)*[rRuU]?("""|'''|"(?!"")|'(?!''))[^]*?\1/y,
      /(?:\s|#[^\n]*\n)*from[ \t]+__future__[ \t]+import(?:[ \t]*\([^()]*\))?/y,
    ],
    beforeList: /^(?:\s|#[^\n]*\n)*(?=(?:import|from)\s)/,
    listed: 'import os\n',
  },
  go: {
    line: 'import "os"\n',
    present: /^[ \t]*(?:import[ \t]*(?:\([ \t]*)?)?"os"[ \t]*(?:[;)]|\/\/|$)/m,
    head: [/^(?:[^]*?\n)?package[ \t]+\w/y, /^(?:\/\/[^\n]*\n)*\/\//y],
    beforeList: /^(?:[^]*?\n)?import[ \t]*\([ \t]*\r?\n/,
    listed: '\t"os"\n',
  },
};

/**
 * The change by which code of a language can read the environment as `readVariable` does; undefined where it can already.
 *
 * @param before the offset of that code: the import goes before it.
 */
export function missingImport(languageId: string, text: string, before: number): TextChange | undefined {
  const missing = Object.hasOwn(imports, languageId) ? imports[languageId] : undefined;
  if (!missing || missing.present.test(text)) {
    return undefined;
  }
  const above = text.slice(0, before);
  let head = 0;
  for (const part of missing.head) {
    for (part.lastIndex = head; part.test(above); part.lastIndex = head) {
      head = above.indexOf('\n', part.lastIndex) + 1 || above.length;
    }
  }
  const rest = above.slice(head);
  const list = missing.beforeList.exec(rest)?.[0].length;
  if (list !== undefined) {
    return { offset: head + list, length: 0, newText: missing.listed };
  }
  // Empty lines separate it from what is around it.
  const start = head === 0 ? '' : '\n';
  const end = /^\r?\n/.test(rest) ? '' : '\n';
  return { offset: head, length: 0, newText: `${start}${missing.line}${end}` };
}

function browserVariable(bundler: Bundler): VariableReading {
  switch (bundler) {
    case 'vite':
      return { variable: `VITE_${defaultVariable}`, expression: `import.meta.env.VITE_${defaultVariable}` };
    case 'next':
      return { variable: `NEXT_PUBLIC_${defaultVariable}`, expression: `process.env.NEXT_PUBLIC_${defaultVariable}` };
    case 'react-scripts':
      return { variable: `REACT_APP_${defaultVariable}`, expression: `process.env.REACT_APP_${defaultVariable}` };
    case 'other':
      return { variable: defaultVariable, expression: `process.env.${defaultVariable}`, loader: 'node --env-file' };
  }
}

function browserSetup({ bundler, react, typescript }: Omit<ProjectShape, 'stacks'>) {
  const { variable, expression } = browserVariable(bundler);
  const sdk = react ? '@sentry/react' : '@sentry/browser';
  const file = `src/instrument.${typescript ? 'ts' : 'js'}`;
  return {
    name: react ? 'React' : 'Browser',
    variable,
    file,
    content: `import * as Sentry from '${sdk}';\n\n// The build puts the value of ${variable} here.\nSentry.init({ dsn: ${expression} });\n`,
    install: `npm install ${sdk}`,
    use: "import './instrument';",
  };
}

const nodeContent = `import { existsSync } from 'node:fs';
import * as Sentry from '@sentry/node';

// On this computer .env holds SENTRY_DSN.
if (existsSync('.env')) {
  process.loadEnvFile?.('.env');
}

Sentry.init({ dsn: process.env.SENTRY_DSN });
`;

const pythonContent = `import os

import sentry_sdk
from dotenv import load_dotenv

# On this computer .env holds SENTRY_DSN.
load_dotenv()
sentry_sdk.init(dsn=os.environ.get("SENTRY_DSN"))
`;

const rubyContent = (rails: boolean): string => `${rails ? '' : 'require "sentry-ruby"\n\n'}\
# To load .env on this computer: bundle add dotenv${rails ? '' : ', and here: require "dotenv/load"'}
Sentry.init do |config|
  config.dsn = ENV["SENTRY_DSN"]
end
`;

const phpContent = `<?php

require_once __DIR__ . '/vendor/autoload.php';

// To load .env on this computer: composer require vlucas/phpdotenv, and here:
// \\Dotenv\\Dotenv::createUnsafeImmutable(__DIR__)->safeLoad();
\\Sentry\\init(['dsn' => getenv('SENTRY_DSN') ?: null]);
`;

const goContent = `package main

// To load .env on this computer: go get github.com/joho/godotenv, and import _ "github.com/joho/godotenv/autoload"
import (
	"log"
	"os"

	"github.com/getsentry/sentry-go"
)

func init() {
	if err := sentry.Init(sentry.ClientOptions{Dsn: os.Getenv("SENTRY_DSN")}); err != nil {
		log.Printf("Errors are not reported: %v", err)
	}
}
`;

const javaContent = `import io.sentry.Sentry;

public final class SentrySetup {
  private SentrySetup() {}

  public static void start() {
    Sentry.init(options -> options.setDsn(System.getenv().getOrDefault("SENTRY_DSN", "")));
  }
}
`;

const dotnetContent = `using System;
using Sentry;

/// <summary>Reports errors until the result of Start is disposed of.</summary>
public static class SentrySetup
{
    public static IDisposable Start() =>
        SentrySdk.Init(options => options.Dsn = Environment.GetEnvironmentVariable("SENTRY_DSN") ?? "");
}
`;

const rustContent = `/// Reports errors as long as the guard lives.
pub fn start() -> sentry::ClientInitGuard {
    sentry::init((
        std::env::var("SENTRY_DSN").unwrap_or_default(),
        sentry::ClientOptions {
            release: sentry::release_name!(),
            ..Default::default()
        },
    ))
}
`;
