import assert from 'node:assert/strict';
import {
  allStacks,
  type FolderFacts,
  missingImport,
  readVariable,
  detectProjectShape,
  sdkSetup,
  type Stack,
  stacksFor,
} from '../../../src/errorTracking/insertion/sdkSetups.ts';

const manifest = (...packages: readonly string[]): FolderFacts => ({
  names: ['package.json'],
  packageJson: JSON.stringify({ dependencies: Object.fromEntries(packages.map((name) => [name, '*'])) }),
});

describe('the stack of a folder', () => {
  const cases: readonly [name: string, facts: FolderFacts, stacks: Stack[]][] = [
    ['an empty Node project', { names: ['package.json'], packageJson: '{}' }, ['node']],
    ['a broken package.json', { names: ['package.json'], packageJson: '{' }, ['node']],
    ['a server', manifest('express'), ['node']],
    ['a single-page application', manifest('vite', 'react', 'react-dom'), ['browser']],
    ['a program of both kinds', manifest('next', 'react-dom'), ['browser', 'node']],
    ['a page without a framework', { names: ['package.json', 'index.html'], packageJson: '{}' }, ['browser']],
    ['Python', { names: ['pyproject.toml'] }, ['python']],
    ['Python by its requirements', { names: ['requirements-dev.txt'] }, ['python']],
    ['Ruby', { names: ['Gemfile'] }, ['ruby']],
    ['Go', { names: ['go.mod'] }, ['go']],
    ['Java', { names: ['build.gradle.kts'] }, ['java']],
    ['PHP', { names: ['composer.json'] }, ['php']],
    ['.NET', { names: ['Harbor.csproj'] }, ['dotnet']],
    ['Rust', { names: ['Cargo.toml'] }, ['rust']],
    ['several', { ...manifest('express'), names: ['package.json', 'go.mod'] }, ['node', 'go']],
    ['none', { names: ['README.md'] }, []],
  ];
  for (const [name, facts, stacks] of cases) {
    it(`is recognized: ${name}`, () => assert.deepEqual(detectProjectShape(facts).stacks, stacks));
  }
});

describe('the stack of the file that is edited', () => {
  const cases: readonly [languageId: string | undefined, ofFolder: Stack[], stacks: Stack[]][] = [
    ['python', [], ['python']],
    ['python', ['browser', 'go'], ['python', 'browser', 'go']],
    ['go', ['node', 'go'], ['go', 'node']],
    ['csharp', [], ['dotnet']],
    ['kotlin', [], ['java']],
    ['typescript', ['python', 'browser', 'node'], ['browser', 'python', 'node']],
    ['javascript', [], ['node']],
    ['vue', ['node'], ['browser', 'node']],
    ['markdown', ['ruby'], ['ruby']],
    [undefined, ['ruby'], ['ruby']],
  ];
  for (const [languageId, ofFolder, stacks] of cases) {
    it(`comes first: ${languageId ?? 'no file'} in a folder of ${ofFolder.join(', ') || 'none'}`, () =>
      assert.deepEqual(stacksFor(languageId, { stacks: ofFolder }), stacks));
  }
});

describe('the set-up of an SDK', () => {
  for (const stack of allStacks) {
    it(`reads the DSN from the environment and holds none (${stack})`, () => {
      const { content, variable, install, use, file } = sdkSetup(stack, detectProjectShape({ names: [] }));
      assert.ok(content.includes(variable));
      assert.ok(content.endsWith('\n'));
      assert.doesNotMatch(content, /https?:\/\//);
      assert.ok(install && use && file);
    });
  }

  it('loads the env file, or says how, where that takes a package', () => {
    const contents = (['node', 'python', 'ruby', 'go', 'php'] as const).map(
      (stack) => sdkSetup(stack, detectProjectShape({ names: [] })).content,
    );
    assert.ok(contents.every((content) => content.includes('.env')));
    const python = sdkSetup('python', detectProjectShape({ names: [] }));
    assert.match(python.content, /^from dotenv import load_dotenv$.*^load_dotenv\(\)$.*sentry_sdk\.init/ms);
    assert.match(python.install, / python-dotenv$/);
    assert.equal(python.readsEnvFile, true);
    const rails = sdkSetup('ruby', detectProjectShape({ names: ['config', 'config.ru'] }));
    assert.deepEqual([rails.use, rails.isCommand], ['bin/rails server', true]);
    assert.doesNotMatch(rails.content, /require/);
  });

  const bundlers: readonly [packages: string[], variable: string, expression: string][] = [
    [['vite'], 'VITE_SENTRY_DSN', 'import.meta.env.VITE_SENTRY_DSN'],
    [['next'], 'NEXT_PUBLIC_SENTRY_DSN', 'process.env.NEXT_PUBLIC_SENTRY_DSN'],
    [['react-scripts'], 'REACT_APP_SENTRY_DSN', 'process.env.REACT_APP_SENTRY_DSN'],
    [['svelte'], 'SENTRY_DSN', 'process.env.SENTRY_DSN'],
  ];
  for (const [packages, variable, expression] of bundlers) {
    it(`uses the variable that ${packages.join()} lets through to the browser`, () => {
      const shape = detectProjectShape(manifest(...packages));
      const setup = sdkSetup('browser', shape);
      assert.equal(setup.variable, variable);
      assert.ok(setup.content.includes(expression));
      const loader = shape.bundler === 'other' ? { loader: 'node --env-file' } : {};
      assert.deepEqual(readVariable('typescript', shape.bundler), { variable, expression, ...loader });
    });
  }

  it('goes where each framework looks for it', () => {
    assert.equal(
      sdkSetup('ruby', detectProjectShape({ names: ['config', 'config.ru'] })).file,
      'config/initializers/sentry.rb',
    );
    assert.equal(sdkSetup('browser', detectProjectShape({ names: ['tsconfig.json'] })).file, 'src/instrument.ts');
    assert.match(sdkSetup('browser', detectProjectShape(manifest('react'))).content, /@sentry\/react/);
  });

  it('knows how code of each language reads the environment', () => {
    const languages = ['python', 'ruby', 'go', 'java', 'php', 'csharp', 'rust', 'javascript'];
    assert.ok(languages.every((language) => readVariable(language, 'other')?.expression.includes('SENTRY_DSN')));
    assert.equal(readVariable('markdown', 'other'), undefined);
  });

  const files: readonly [name: string, language: string, before: string, after: string][] = [
    ['nothing', 'python', '|', 'import os\n\n|'],
    ['code', 'python', 'x = 1\n|', 'import os\n\nx = 1\n|'],
    ['imports', 'python', 'import sys\nfrom a import b\n|', 'import os\nimport sys\nfrom a import b\n|'],
    [
      'a shebang, comments, a docstring and imports from __future__',
      'python',
      '#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n\n"""Says "os".\n\nimport that\n"""\n\nfrom __future__ import (\n  x,\n)\n\n# Own\nimport a\n|',
      '#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n\n"""Says "os".\n\nimport that\n"""\n\nfrom __future__ import (\n  x,\n)\n\n# Own\nimport os\nimport a\n|',
    ],
    [
      'an import from __future__ alone',
      'python',
      "'''Doc'''\r\nfrom __future__ import annotations\r\n\r\nx = |",
      "'''Doc'''\r\nfrom __future__ import annotations\r\n\nimport os\n\r\nx = |",
    ],
    ['imports below the place', 'python', '# First\n|\nimport a\n', '# First\n\nimport os\n\n|\nimport a\n'],
    ['another name for the module', 'python', 'import os as o\n|', 'import os\nimport os as o\n|'],
    ['an import in a function', 'python', 'def f():\n  import os\n|', 'import os\n\ndef f():\n  import os\n|'],
    ['code', 'go', '// Package a.\npackage a\n\nvar x = |', '// Package a.\npackage a\n\nimport "os"\n\nvar x = |'],
    [
      'a list of imports',
      'go',
      'package a\n\nimport (\n\t"fmt"\n)\n\nvar x = |',
      'package a\n\nimport (\n\t"os"\n\t"fmt"\n)\n\nvar x = |',
    ],
    ['one import', 'go', 'package a\nimport "fmt"\n|', 'package a\n\nimport "os"\n\nimport "fmt"\n|'],
    ['no package', 'go', '// Part\nvar x = |', '// Part\n\nimport "os"\n\nvar x = |'],
  ];
  for (const [name, language, before, after] of files) {
    it(`imports what reads the environment into a file of ${language} with ${name}`, () => {
      const place = before.indexOf('|');
      const text = before.replace('|', '');
      const change = missingImport(language, text, place);
      assert.ok(change && change.offset <= place && change.length === 0);
      const { offset, newText } = change;
      assert.equal(before.slice(0, offset) + newText + before.slice(offset), after);
    });
  }

  it('imports nothing that is there, and nothing where the language needs no import', () => {
    const sources = [
      'import os\n',
      'import os\r\n',
      'import sys, os as o, os # x\n',
      'import os, sys\n',
      'import os.path\n',
    ];
    const lists = ['import "os"\n', 'import (\n\t"fmt"\n\t"os" // x\n)\n', 'import ("os")\n'];
    const others = ['ruby', 'java', 'php', 'csharp', 'fsharp', 'rust', 'javascript', 'constructor'];
    for (const [language, text] of [
      ...sources.map((source) => ['python', source] as const),
      ...lists.map((list) => ['go', `package a\n${list}`] as const),
      ...others.map((id) => [id, ''] as const),
    ]) {
      assert.equal(missingImport(language, text, text.length), undefined, `${language}: ${text}`);
    }
    assert.match(readVariable('csharp', 'other')?.expression ?? '', /^System\./);
    assert.match(readVariable('rust', 'other')?.expression ?? '', /^std::/);
  });
});
