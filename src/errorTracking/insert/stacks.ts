import { defaultVariable as variable } from './envFile.ts';

/** A kind of program that there is an SDK for, with the set-up of the SDK that reads the DSN from the environment. */
export interface Stack {
  readonly name: string;
  /** As editors name its languages. */
  readonly languages: readonly string[];
  /** Whether the folder has a program of the kind. */
  readonly isInFolder: boolean;
  /** The environment variable, and how code reads it. */
  readonly variable: string;
  readonly expression: string;
  /** What loads an env file where the program starts; undefined where the build does. */
  readonly loader?: string | undefined;
  /** The path of the file that holds the set-up, below the folder of the program. Its first lines say how it is used. */
  readonly file: string;
  readonly content: string;
  /** The command that brings the SDK, or the name of its package; empty where the folder has it. */
  readonly install: string;
  /** How the program takes the set-up up: a line of its code, or the command that starts it. */
  readonly use: string;
  /** Whether the set-up itself reads the env file; otherwise the user has to load it when starting the program. */
  readonly readsEnvFile?: boolean;
}

/** What a folder says about how its program is made. */
export interface Folder {
  readonly names: readonly string[];
  /** The packages that its package.json asks for; undefined if it has none. */
  readonly packages?: readonly string[] | undefined;
}

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

/** How a program in the browser gets at the environment, which differs by the tool that builds it. */
const bundlers: readonly (readonly [name: string, prefix: string, environment: string])[] = [
  ['next', 'NEXT_PUBLIC_', 'process.env'],
  ['vite', 'VITE_', 'import.meta.env'],
  ['react-scripts', 'REACT_APP_', 'process.env'],
];

/** All stacks, with the set-ups that fit a folder. */
export function allStacks({ names, packages }: Folder): readonly Stack[] {
  const isInBrowser =
    packages !== undefined && (names.includes('index.html') || packages.some((name) => browserPackages.test(name)));
  const isOnServer = packages !== undefined && (!isInBrowser || packages.some((name) => serverPackages.test(name)));
  const has = (manifest: RegExp): boolean => names.some((name) => manifest.test(name));
  const [, prefix = '', environment = 'process.env'] = bundlers.find(([name]) => packages?.includes(name)) ?? [];
  const inBrowser = `${prefix}${variable}`;
  const installing = (sdk: string): string => (packages?.includes(sdk) ? '' : `npm install ${sdk}`);
  const program = names.find((name) => /^(?:app|index|main|server)\.[cm]?[jt]s$/.test(name)) ?? 'app.js';
  const isReact = packages?.includes('react') === true;
  const sdk = isReact ? '@sentry/react' : '@sentry/browser';
  const isRails = names.includes('config') && names.includes('config.ru');
  const dotenv = isRails ? 'bundle add dotenv' : 'bundle add dotenv, and here: require "dotenv/load"';
  const table: readonly (Omit<Stack, 'variable'> & { readonly variable?: string })[] = [
    {
      name: isReact ? 'React' : 'Browser',
      languages: ['javascript', 'typescript', 'javascriptreact', 'typescriptreact', 'vue', 'svelte'],
      isInFolder: isInBrowser,
      variable: inBrowser,
      expression: `${environment}.${inBrowser}`,
      loader: prefix === '' ? 'node --env-file' : undefined,
      file: `src/instrument.${names.includes('tsconfig.json') ? 'ts' : 'js'}`,
      content: `import * as Sentry from '${sdk}';

// The build puts the value of ${inBrowser} here.
Sentry.init({ dsn: ${environment}.${inBrowser} });
`,
      install: installing(sdk),
      use: "import './instrument';",
    },
    {
      languages: ['javascript', 'typescript'],
      isInFolder: isOnServer,
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
      install: installing('@sentry/node'),
      use: `node --import ./instrument.mjs ${program}`,
      readsEnvFile: true,
    },
    {
      languages: ['python'],
      isInFolder: has(/^(?:requirements.*\.txt|pyproject\.toml|setup\.py|setup\.cfg|Pipfile|manage\.py)$/),
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
    },
    {
      name: isRails ? 'Ruby on Rails' : 'Ruby',
      languages: ['ruby'],
      isInFolder: has(/^(?:Gemfile|.+\.gemspec|config\.ru)$/),
      expression: `ENV["${variable}"]`,
      loader: 'dotenv',
      file: isRails ? 'config/initializers/sentry.rb' : 'sentry_setup.rb',
      content: `${isRails ? '' : 'require "sentry-ruby"\n\n'}# To load .env on this computer: ${dotenv}
Sentry.init do |config|
  config.dsn = ENV["SENTRY_DSN"]
end
`,
      install: isRails ? 'bundle add sentry-ruby sentry-rails' : 'bundle add sentry-ruby',
      use: isRails ? 'bin/rails server' : 'require_relative "sentry_setup"',
    },
    {
      languages: ['go'],
      isInFolder: has(/^go\.mod$/),
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
    },
    {
      languages: ['java', 'kotlin', 'scala', 'groovy'],
      isInFolder: has(/^(?:pom\.xml|build\.gradle(?:\.kts)?)$/),
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
    },
    {
      languages: ['php'],
      isInFolder: has(/^composer\.json$/),
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
    },
    {
      languages: ['csharp', 'fsharp'],
      isInFolder: has(/\.(?:csproj|sln|slnx)$/),
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
    },
    {
      languages: ['rust'],
      isInFolder: has(/^Cargo\.toml$/),
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
    },
  ];
  return table.map((stack) => {
    const note = `${/\.(?:py|rb)$/.test(stack.file) ? '#' : '//'} Start with: ${stack.use}\n`;
    return { variable, ...stack, content: stack.content.replace(/^(?:<\?php\n)?/, (start) => `${start}${note}`) };
  });
}

/** Those of all stacks that a folder has, that of the file that is edited first. @param languageId of that file. */
export function stacksIn(all: readonly Stack[], languageId = ''): readonly Stack[] {
  const inFolder = all.filter(({ isInFolder }) => isInFolder);
  const fits = ({ languages }: Stack): boolean => languages.includes(languageId);
  // Where the folder says what its scripts run in, that counts; a script by itself runs on a server.
  const ofFile = inFolder.find(fits) ?? all.findLast(fits);
  return ofFile ? [ofFile, ...inFolder.filter((one) => one !== ofFile)] : inFolder;
}

/** How code of a language reads the DSN from the environment; undefined for a language that cannot. */
export function readingOf(languageId: string, folder: Folder): Stack | undefined {
  return allStacks(folder).find(({ languages }) => languages.includes(languageId));
}
