import { defaultVariable as variable } from './envFile.ts';

/** A kind of program that there is an SDK for. */
export interface Stack {
  readonly id: string;
  /** As editors name its languages. */
  readonly languages: readonly string[];
  /** Whether a folder has a program of the kind. */
  readonly isIn: (folder: Folder) => boolean;
  readonly setup: (folder: Folder) => Setup;
}

/** The set-up of an SDK that reads the DSN from the environment. */
export interface Setup {
  /** The stack's own name. */
  readonly name: string;
  /** The environment variable, and how code reads it. */
  readonly variable: string;
  readonly expression: string;
  /** What loads an env file where the program starts; undefined where the build does. */
  readonly loader?: string;
  /** The path of the file that holds it, below the folder of the program. */
  readonly file: string;
  readonly content: string;
  /** The command that brings the SDK, or the name of its package. */
  readonly install: string;
  /** How the program takes the set-up up: a line of its code, or the command that starts it. */
  readonly use: string;
  readonly isCommand?: boolean;
  /** Whether the set-up itself reads the env file; otherwise the user has to load it when starting the program. */
  readonly readsEnvFile?: boolean;
}

/** What a folder says about how its program is made. */
export interface Folder {
  /** The names of the files and folders right in it. */
  readonly names: readonly string[];
  /** The packages that its package.json asks for; undefined if it has none. */
  readonly packages?: readonly string[] | undefined;
}

/** The names of the packages that a package.json asks for; none if it cannot be read. */
export function packagesOf(packageJson: string): readonly string[] {
  try {
    const manifest = JSON.parse(packageJson) as Record<string, unknown> | null;
    return [manifest?.['dependencies'], manifest?.['devDependencies']].flatMap((list) =>
      typeof list === 'object' && list !== null ? Object.keys(list) : [],
    );
  } catch {
    return [];
  }
}

/** Packages of programs that run in a browser, and of those that (also) run on a server. */
const browserPackages = /^(?:react-dom|vue|svelte|preact|solid-js|@angular\/core|vite|react-scripts|next|parcel)$/;
const serverPackages = /^(?:express|fastify|koa|@nestjs\/core|hono|next|@hapi\/hapi)$/;

function runsInBrowser({ names, packages }: Folder): boolean {
  return (
    packages !== undefined && (names.includes('index.html') || packages.some((name) => browserPackages.test(name)))
  );
}

function runsOnServer(folder: Folder): boolean {
  const { packages } = folder;
  return packages !== undefined && (!runsInBrowser(folder) || packages.some((name) => serverPackages.test(name)));
}

/** How a program in the browser gets at the environment, which differs by the tool that builds it. */
const bundlers: readonly (readonly [name: string, prefix: string, environment: string])[] = [
  ['next', 'NEXT_PUBLIC_', 'process.env'],
  ['vite', 'VITE_', 'import.meta.env'],
  ['react-scripts', 'REACT_APP_', 'process.env'],
];

function browserSetup({ names, packages = [] }: Folder): Setup {
  const isReact = packages.includes('react');
  const sdk = isReact ? '@sentry/react' : '@sentry/browser';
  const [, prefix = '', environment = 'process.env'] = bundlers.find(([name]) => packages.includes(name)) ?? [];
  const name = `${prefix}${variable}`;
  const expression = `${environment}.${name}`;
  return {
    name: isReact ? 'React' : 'Browser',
    variable: name,
    expression,
    ...(prefix === '' ? { loader: 'node --env-file' } : {}),
    file: `src/instrument.${names.includes('tsconfig.json') ? 'ts' : 'js'}`,
    content: `import * as Sentry from '${sdk}';\n\n// The build puts the value of ${name} here.\nSentry.init({ dsn: ${expression} });\n`,
    install: `npm install ${sdk}`,
    use: "import './instrument';",
  };
}

function rubySetup({ names }: Folder): Setup {
  const isRails = names.includes('config') && names.includes('config.ru');
  const load = isRails ? 'bundle add dotenv' : 'bundle add dotenv, and here: require "dotenv/load"';
  return {
    name: isRails ? 'Ruby on Rails' : 'Ruby',
    variable,
    expression: `ENV["${variable}"]`,
    loader: 'dotenv',
    file: isRails ? 'config/initializers/sentry.rb' : 'sentry_setup.rb',
    content: `${isRails ? '' : 'require "sentry-ruby"\n\n'}# To load .env on this computer: ${load}
Sentry.init do |config|
  config.dsn = ENV["SENTRY_DSN"]
end
`,
    install: isRails ? 'bundle add sentry-ruby sentry-rails' : 'bundle add sentry-ruby',
    use: isRails ? 'bin/rails server' : 'require_relative "sentry_setup"',
    isCommand: isRails,
  };
}

/** A stack that has one set-up, and is known by the name of a file. */
function stack(id: string, languages: string, manifest: RegExp, setup: Omit<Setup, 'variable'>): Stack {
  return {
    id,
    languages: languages.split(' '),
    isIn: ({ names }) => names.some((name) => manifest.test(name)),
    setup: () => ({ variable, ...setup }),
  };
}

export const stacks: readonly Stack[] = [
  {
    id: 'browser',
    languages: ['javascript', 'typescript', 'javascriptreact', 'typescriptreact', 'vue', 'svelte'],
    isIn: runsInBrowser,
    setup: browserSetup,
  },
  {
    ...stack('node', 'javascript typescript', /^package\.json$/, {
      name: 'Node.js',
      expression: `process.env.${variable}`,
      loader: 'node --env-file',
      file: 'instrument.mjs',
      content: `import { existsSync } from 'node:fs';
import * as Sentry from '@sentry/node';

// On this computer .env holds SENTRY_DSN.
if (existsSync('.env')) {
  process.loadEnvFile?.('.env');
}

Sentry.init({ dsn: process.env.SENTRY_DSN });
`,
      install: 'npm install @sentry/node',
      use: 'node --import ./instrument.mjs app.js',
      isCommand: true,
      readsEnvFile: true,
    }),
    isIn: runsOnServer,
  },
  stack('python', 'python', /^(?:requirements.*\.txt|pyproject\.toml|setup\.py|setup\.cfg|Pipfile|manage\.py)$/, {
    name: 'Python',
    expression: `os.environ["${variable}"]`,
    loader: 'python-dotenv',
    file: 'sentry_setup.py',
    content: `import os

import sentry_sdk
from dotenv import load_dotenv

# On this computer .env holds SENTRY_DSN.
load_dotenv()
sentry_sdk.init(dsn=os.environ.get("SENTRY_DSN"))
`,
    install: 'pip install sentry-sdk python-dotenv',
    use: 'import sentry_setup',
    readsEnvFile: true,
  }),
  {
    id: 'ruby',
    languages: ['ruby'],
    isIn: ({ names }) => names.some((name) => /^(?:Gemfile|.+\.gemspec|config\.ru)$/.test(name)),
    setup: rubySetup,
  },
  stack('go', 'go', /^go\.mod$/, {
    name: 'Go',
    expression: `os.Getenv("${variable}")`,
    loader: 'godotenv',
    file: 'sentry_setup.go',
    content: `package main

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
`,
    install: 'go get github.com/getsentry/sentry-go',
    use: 'defer sentry.Flush(2 * time.Second)',
  }),
  stack('java', 'java kotlin scala groovy', /^(?:pom\.xml|build\.gradle(?:\.kts)?)$/, {
    name: 'Java',
    expression: `System.getenv("${variable}")`,
    loader: 'dotenv-java',
    file: 'src/main/java/SentrySetup.java',
    content: `import io.sentry.Sentry;

public final class SentrySetup {
  private SentrySetup() {}

  public static void start() {
    Sentry.init(options -> options.setDsn(System.getenv().getOrDefault("SENTRY_DSN", "")));
  }
}
`,
    install: 'io.sentry:sentry',
    use: 'SentrySetup.start();',
  }),
  stack('php', 'php', /^composer\.json$/, {
    name: 'PHP',
    expression: `getenv('${variable}')`,
    loader: 'phpdotenv',
    file: 'sentry.php',
    content: `<?php

require_once __DIR__ . '/vendor/autoload.php';

// To load .env on this computer: composer require vlucas/phpdotenv, and here:
// \\Dotenv\\Dotenv::createUnsafeImmutable(__DIR__)->safeLoad();
\\Sentry\\init(['dsn' => getenv('SENTRY_DSN') ?: null]);
`,
    install: 'composer require sentry/sentry',
    use: "require __DIR__ . '/sentry.php';",
  }),
  stack('dotnet', 'csharp fsharp', /\.(?:csproj|sln|slnx)$/, {
    name: '.NET',
    expression: `System.Environment.GetEnvironmentVariable("${variable}")`,
    loader: 'dotenv.net',
    file: 'SentrySetup.cs',
    content: `using System;
using Sentry;

/// <summary>Reports errors until the result of Start is disposed of.</summary>
public static class SentrySetup
{
    public static IDisposable Start() =>
        SentrySdk.Init(options => options.Dsn = Environment.GetEnvironmentVariable("SENTRY_DSN") ?? "");
}
`,
    install: 'dotnet add package Sentry',
    use: 'using var sentry = SentrySetup.Start();',
  }),
  stack('rust', 'rust', /^Cargo\.toml$/, {
    name: 'Rust',
    expression: `std::env::var("${variable}").unwrap_or_default()`,
    loader: 'dotenvy',
    file: 'src/sentry_setup.rs',
    content: `/// Reports errors as long as the guard lives.
pub fn start() -> sentry::ClientInitGuard {
    sentry::init((
        std::env::var("SENTRY_DSN").unwrap_or_default(),
        sentry::ClientOptions {
            release: sentry::release_name!(),
            ..Default::default()
        },
    ))
}
`,
    install: 'cargo add sentry',
    use: 'mod sentry_setup; let _sentry = sentry_setup::start();',
  }),
];

/** The stacks of a folder, that of the file that is edited first. @param languageId of that file. */
export function stacksOf(folder: Folder, languageId?: string): readonly Stack[] {
  const inFolder = stacks.filter(({ isIn }) => isIn(folder));
  const fitting = (one: Stack): boolean => languageId !== undefined && one.languages.includes(languageId);
  // Where the folder says what its scripts run in, that counts; a script by itself runs on a server.
  const ofFile = inFolder.find(fitting) ?? stacks.findLast(fitting);
  return ofFile ? [ofFile, ...inFolder.filter((one) => one !== ofFile)] : inFolder;
}

/** How code of a language reads the DSN from the environment; undefined for a language that cannot. */
export function readingOf(languageId: string, folder: Folder): Setup | undefined {
  return stacks.find(({ languages }) => languages.includes(languageId))?.setup(folder);
}

/** The set-up for a stack in a folder; its file says in its first lines how it is used. */
export function setupOf({ id, setup }: Stack, folder: Folder): Setup {
  const { content, ...rest } = setup(folder);
  const mark = id === 'python' || id === 'ruby' ? '#' : '//';
  const note = `${mark} Start with: ${rest.use}\n`;
  return { ...rest, content: content.replace(/^(?:<\?php\n)?/, (start) => `${start}${note}`) };
}
