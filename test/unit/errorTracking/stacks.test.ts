import assert from 'node:assert/strict';
import { allStacks, type Folder, packagesOf, readingOf, stacksIn } from '../../../src/errorTracking/insert/stacks.ts';

const withPackages = (...packages: readonly string[]): Folder => ({ names: ['package.json'], packages });

function ids(folder: Folder, languageId?: string): readonly string[] {
  return stacksIn(allStacks(folder), languageId).map(({ name }) => name);
}

function setup(id: string, folder: Folder = { names: [] }) {
  const stack = allStacks(folder).find(({ name }) => name.startsWith(id));
  assert.ok(stack, id);
  return stack;
}

describe('the stack of a folder', () => {
  const cases: readonly [name: string, folder: Folder, expected: string[]][] = [
    ['a server', withPackages('express'), ['Node.js']],
    ['a single-page application', withPackages('vite', 'react', 'react-dom'), ['React']],
    ['a program of both kinds', withPackages('next', 'react-dom'), ['Browser', 'Node.js']],
    ['a page without a framework', { names: ['package.json', 'index.html'], packages: [] }, ['Browser']],
    ['Python by its requirements', { names: ['requirements-dev.txt'] }, ['Python']],
    ['Ruby', { names: ['Gemfile'] }, ['Ruby']],
    ['Go', { names: ['go.mod'] }, ['Go']],
    ['Java', { names: ['build.gradle.kts'] }, ['Java']],
    ['PHP', { names: ['composer.json'] }, ['PHP']],
    ['.NET', { names: ['Harbor.csproj'] }, ['.NET']],
    ['Rust', { names: ['Cargo.toml'] }, ['Rust']],
    ['several', { names: ['package.json', 'go.mod'], packages: ['express'] }, ['Node.js', 'Go']],
    ['none', { names: ['README.md', 'index.html'] }, []],
  ];
  for (const [name, folder, expected] of cases) {
    it(`is recognized: ${name}`, () => assert.deepEqual(ids(folder), expected));
  }

  it('is by the packages that package.json asks for, if it can be read', () => {
    assert.deepEqual(packagesOf('{"dependencies":{"a":"1"},"devDependencies":{"b":"1"}}'), ['a', 'b']);
    assert.deepEqual(['{', 'null', '{"dependencies":1}'].map(packagesOf), [[], [], []]);
  });

  it('of the file that is edited comes first', () => {
    assert.deepEqual(ids({ names: [] }, 'python'), ['Python']);
    assert.deepEqual(ids({ names: ['go.mod'] }, 'python'), ['Python', 'Go']);
    assert.deepEqual(ids(withPackages('vite'), 'typescript'), ['Browser']);
    assert.deepEqual(ids({ names: [] }, 'javascript'), ['Node.js']);
    assert.deepEqual(ids(withPackages('express'), 'vue'), ['Browser', 'Node.js']);
    assert.deepEqual(ids({ names: ['Gemfile'] }, 'markdown'), ['Ruby']);
  });
});

describe('the set-up of an SDK', () => {
  for (const { name } of allStacks({ names: [] })) {
    it(`reads the DSN from the environment and holds none (${name})`, () => {
      const { content, variable, install, use, file } = setup(name);
      assert.ok(content.includes(variable));
      assert.ok(content.endsWith('\n'));
      assert.doesNotMatch(content, /https?:\/\//);
      assert.ok(install && file && content.includes(`Start with: ${use}`));
    });
  }

  it('loads the env file, or says how, where that takes a package', () => {
    assert.ok(['Node.js', 'Python', 'Ruby', 'Go', 'PHP'].every((name) => setup(name).content.includes('.env')));
    const python = setup('Python');
    assert.match(python.content, /^from dotenv import load_dotenv$.*^load_dotenv\(\)$.*sentry_sdk\.init/ms);
    assert.deepEqual([python.install.endsWith(' python-dotenv'), python.readsEnvFile], [true, true]);
    const rails = setup('Ruby', { names: ['config', 'config.ru'] });
    assert.deepEqual([rails.use, rails.file], ['bin/rails server', 'config/initializers/sentry.rb']);
    assert.doesNotMatch(rails.content, /require/);
  });

  for (const [name, variable, expression] of [
    ['vite', 'VITE_SENTRY_DSN', 'import.meta.env.VITE_SENTRY_DSN'],
    ['next', 'NEXT_PUBLIC_SENTRY_DSN', 'process.env.NEXT_PUBLIC_SENTRY_DSN'],
    ['react-scripts', 'REACT_APP_SENTRY_DSN', 'process.env.REACT_APP_SENTRY_DSN'],
    ['svelte', 'SENTRY_DSN', 'process.env.SENTRY_DSN'],
  ] as const) {
    it(`uses the variable that ${name} lets through to the browser`, () => {
      const folder = withPackages(name);
      assert.equal(setup('Browser', folder).variable, variable);
      assert.ok(setup('Browser', folder).content.includes(expression));
      const reading = readingOf('typescript', folder);
      assert.deepEqual([reading?.variable, reading?.expression], [variable, expression]);
      assert.equal(reading?.loader, name === 'svelte' ? 'node --env-file' : undefined);
      assert.equal(setup('Node.js', folder).variable, 'SENTRY_DSN');
    });
  }

  it('follows what the folder has', () => {
    assert.equal(setup('Browser', { names: ['tsconfig.json'] }).file, 'src/instrument.ts');
    assert.match(setup('React', withPackages('react')).content, /@sentry\/react/);
    const { install, use } = setup('Node.js', { names: ['server.js'], packages: ['@sentry/node'] });
    assert.deepEqual([install, use], ['', 'node --import ./instrument.mjs server.js']);
  });

  it('knows how code of each language reads the environment', () => {
    for (const language of ['python', 'ruby', 'go', 'java', 'php', 'csharp', 'rust', 'javascript']) {
      assert.match(readingOf(language, { names: [] })?.expression ?? '', /SENTRY_DSN/, language);
    }
    assert.equal(readingOf('markdown', { names: [] }), undefined);
  });
});
