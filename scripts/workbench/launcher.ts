#!/usr/bin/env node
// Stands in for the `code` program: takes the flags that @vscode/test-electron passes, runs the extension's tests in the
// browser-hosted workbench and ends with their exit code. A downloaded desktop VS Code takes the same flags.
import { parseArgs } from 'node:util';
import { installCodeServer, startCodeServer } from './codeServer.ts';
import { runInHost } from './runInHost.ts';

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  strict: false,
  allowPositionals: true,
  options: {
    extensionDevelopmentPath: { type: 'string' },
    extensionTestsPath: { type: 'string' },
    'user-data-dir': { type: 'string' },
    'extensions-dir': { type: 'string' },
  },
});

const [folder] = positionals;
if (folder === undefined) {
  throw new Error('The folder to open is missing.');
}

function flag(name: string): string {
  const value = values[name];
  if (typeof value !== 'string') {
    throw new Error(`--${name} is missing.`);
  }
  return value;
}

/** What the host says of native modules that it does without. */
const hostNoise = /Could not locate the bindings file|build\/Release\/watchdog/;

const server = await startCodeServer(await installCodeServer(), {
  folder,
  userDataDir: flag('user-data-dir'),
  extensionsDir: flag('extensions-dir'),
  hasAllExtensions: false,
});
try {
  process.exitCode = await runInHost(
    server.url({
      extension: { developmentPath: flag('extensionDevelopmentPath'), testsPath: flag('extensionTestsPath') },
    }),
    {
      // Tests of this level look at no pixel: drawing a large window costs as much as many of them.
      viewport: { width: 500, height: 400 },
      isSeen: false,
      onLog: (_type, args) => {
        if (!args.some((arg) => hostNoise.test(String(arg)))) {
          console.log(...args);
        }
      },
    },
  );
} finally {
  await server.stop();
}
