import assert from 'node:assert/strict';
import {
  type Folder,
  packagesOf,
  readingOf,
  setupOf,
  stacks,
  stacksOf,
} from '../../../src/errorTracking/insert/stacks.ts';

const withPackages = (...packages: readonly string[]): Folder => ({ names: ['package.json'], packages });

function ids(folder: Folder, languageId?: string): readonly string[] {
  return stacksOf(folder, languageId).map(({ id }) => id);
}

function setup(id: string, folder: Folder = { names: [] }) {
  const stack = stacks.find((one) => one.id === id);
  assert.ok(stack, id);
  return setupOf(stack, folder);
}

describe('the stack of a folder', () => {
  const cases: readonly [name: string, folder: Folder, expected: string[]][] = [
    ['an empty Node project', withPackages(), ['node']],
    ['a server', withPackages('express'), ['node']],
    ['a single-page application', withPackages('vite', 'react', 'react-dom'), ['browser']],
    ['a program of both kinds', withPackages('next', 'react-dom'), ['browser', 'node']],
    ['a page without a framework', { names: ['package.json', 'index.html'], packages: [] }, ['browser']],
    ['Python', { names: ['pyproject.toml'] }, ['python']],
    ['Python by its requirements', { names: ['requirements-dev.txt'] }, ['python']],
    ['Ruby', { names: ['Gemfile'] }, ['ruby']],
    ['Go', { names: ['go.mod'] }, ['go']],
    ['Java', { names: ['build.gradle.kts'] }, ['java']],
    ['PHP', { names: ['composer.json'] }, ['php']],
    ['.NET', { names: ['Harbor.csproj'] }, ['dotnet']],
    ['Rust', { names: ['Cargo.toml'] }, ['rust']],
    ['several', { names: ['package.json', 'go.mod'], packages: ['express'] }, ['node', 'go']],
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
    assert.deepEqual(ids({ names: [] }, 'python'), ['python']);
    assert.deepEqual(ids({ names: ['go.mod'] }, 'python'), ['python', 'go']);
    assert.deepEqual(ids(withPackages('vite'), 'typescript'), ['browser']);
    assert.deepEqual(ids({ names: [] }, 'javascript'), ['node']);
    assert.deepEqual(ids(withPackages('express'), 'vue'), ['browser', 'node']);
    assert.deepEqual(ids({ names: ['Gemfile'] }, 'markdown'), ['ruby']);
  });
});

describe('the set-up of an SDK', () => {
  for (const { id } of stacks) {
    it(`reads the DSN from the environment and holds none (${id})`, () => {
      const { content, variable, install, use, file } = setup(id);
      assert.ok(content.includes(variable));
      assert.ok(content.endsWith('\n'));
      assert.doesNotMatch(content, /https?:\/\//);
      assert.ok(install && file && content.includes(`Start with: ${use}`));
    });
  }

  it('loads the env file, or says how, where that takes a package', () => {
    assert.ok(['node', 'python', 'ruby', 'go', 'php'].every((id) => setup(id).content.includes('.env')));
    const python = setup('python');
    assert.match(python.content, /^from dotenv import load_dotenv$.*^load_dotenv\(\)$.*sentry_sdk\.init/ms);
    assert.deepEqual([python.install.endsWith(' python-dotenv'), python.readsEnvFile], [true, true]);
    const rails = setup('ruby', { names: ['config', 'config.ru'] });
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
      assert.equal(setup('browser', folder).variable, variable);
      assert.ok(setup('browser', folder).content.includes(expression));
      const reading = readingOf('typescript', folder);
      assert.deepEqual([reading?.variable, reading?.expression], [variable, expression]);
      assert.equal(reading?.loader, name === 'svelte' ? 'node --env-file' : undefined);
      assert.equal(setup('node', folder).variable, 'SENTRY_DSN');
    });
  }

  it('follows what the folder has', () => {
    assert.equal(setup('browser', { names: ['tsconfig.json'] }).file, 'src/instrument.ts');
    assert.match(setup('browser', withPackages('react')).content, /@sentry\/react/);
  });

  it('knows how code of each language reads the environment', () => {
    for (const language of ['python', 'ruby', 'go', 'java', 'php', 'csharp', 'rust', 'javascript']) {
      assert.match(readingOf(language, { names: [] })?.expression ?? '', /SENTRY_DSN/, language);
    }
    assert.equal(readingOf('markdown', { names: [] }), undefined);
  });
});
