import { readdirSync } from 'node:fs';
import { defineConfig, type OxlintOverride } from 'oxlint';

/** What the code of a folder of `src` may import from the others. */
interface Boundary {
  readonly folders: readonly string[];
  /** Of `common`, where that is not all. */
  readonly common?: readonly string[];
  /** Of `#platform`, where that is not all. */
  readonly platform?: readonly string[];
  /** Whether it runs in plain Node, too: without `vscode`. */
  readonly isPlain?: boolean;
  /** Files that run in Node alone, by globs in the folder, and what they may import of `#platform`, where that is less. */
  readonly inNode?: { readonly files: readonly string[]; readonly platform?: readonly string[] };
}

/** What every feature may import; no feature imports another. */
const belowFeatures = [
  'api',
  'common',
  'network',
  'workspace',
  'accounts',
  'diagnostics',
  'assistants',
  'links',
  'webviews',
];

/** The folders of `src`, from bottom to top, without the features; see docs/architecture.md. */
const layers: Readonly<Record<string, Boundary>> = {
  api: {
    folders: ['common'],
    common: ['boundedJson.ts', 'bytes.ts', 'clock.ts', 'inertText.ts', 'instanceUrl.ts'],
    platform: [],
    isPlain: true,
  },
  common: { folders: [], platform: ['runtime', 'storage'] },
  network: { folders: ['api', 'common'], inNode: { files: ['**'] } },
  workspace: { folders: ['api', 'common'] },
  accounts: { folders: ['api', 'common', 'network', 'workspace'] },
  diagnostics: { folders: ['api', 'common', 'network', 'workspace', 'accounts'] },
  assistants: { folders: ['api', 'common', 'network', 'workspace', 'accounts'] },
  links: { folders: ['api', 'common', 'network', 'workspace', 'accounts'] },
  webviews: { folders: ['common'] },
  sandbox: {
    folders: ['api', 'common'],
    common: ['bytes.ts', 'dates.ts'],
    platform: ['routes', 'runtime'],
    isPlain: true,
    inNode: { files: ['server.ts'], platform: [] },
  },
};
const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
/** Every other folder is a feature. */
const features = folders.map(({ name }) => name).filter((name) => name !== 'platform' && !(name in layers));
const boundaries: Readonly<Record<string, Boundary>> = {
  ...layers,
  ...Object.fromEntries(features.map((feature) => [feature, { folders: belowFeatures }])),
};
/** What is for one platform may import what is no feature. */
const belowPlatform = ['api', 'common', 'network', 'workspace', 'accounts', 'diagnostics', 'sandbox'];
/** The files of `src` itself connect the folders, so that no folder imports them. */
const connecting = ['main', 'extension'];

const see = 'see docs/architecture.md.';
const inNodeAlone = `What Node alone has is in src/platform/node: ${see}`;
const withoutNode = { regex: '^(?:node:|undici$)', message: inNodeAlone };
const withoutFetch = {
  name: 'fetch',
  message: 'Requests go through src/api, which knows which origin may see the token.',
};

/** What shows text in which the editor makes links and icons. */
const notInert = [
  ...['showInformationMessage', 'showWarningMessage', 'showErrorMessage', 'showQuickPick', 'createQuickPick'],
  ...['showInputBox', 'createInputBox', 'withProgress', 'setStatusBarMessage', 'createStatusBarItem'],
].map((property) => ({ property, message: 'Text is shown by src/common/inertWindow.ts, which makes it inert.' }));
const asHtml = ['innerHTML', 'outerHTML', 'insertAdjacentHTML'].map((property) => ({
  property,
  message: 'No text becomes HTML: it may be from the instance.',
}));
const fromHtml = ['supportHtml', 'supportThemeIcons'].map((property) => ({
  property,
  message: 'Markdown has neither HTML nor icons: it may hold text of the instance.',
}));
const withoutChecks = {
  object: 'process',
  property: 'NODE_TLS_REJECT_UNAUTHORIZED',
  message: 'Certificates are checked.',
};
const withoutPrograms = {
  regex: '^(?:node:)?(?:child_process|worker_threads)$',
  message: 'No program is started but git, by src/platform/node/git.ts.',
};

const ofOnePlatform = { regex: '^\\.\\./(node|web)/', message: 'What is for one platform imports nothing of another.' };

/** Forbids the imports of a folder's files from all folders but these and its own. */
function allowing(folder: string, folders: readonly string[]) {
  const forbidden = ['platform', ...Object.keys(boundaries)].filter((one) => one !== folder && !folders.includes(one));
  return {
    regex: `^(\\.\\./)+((${forbidden.join('|')})/|(${connecting.join('|')})\\.ts$)`,
    message: `src/${folder} may import ${folders.join(', ') || 'none of the other folders'}: ${see}`,
  };
}

function allowingOfPlatform(folder: string, names: readonly string[]) {
  const forbidden = readdirSync('src/platform/node').filter((file) => !names.some((name) => file === `${name}.ts`));
  return {
    regex: `^#platform/(?:${forbidden.join('|').replaceAll('.', '\\.')})$`,
    message: `src/${folder} may import ${names.join(', ')} of #platform: ${see}`,
  };
}

function restricting(files: string[], patterns: object[], isPlain = false): OxlintOverride {
  const paths = isPlain ? [{ name: 'vscode', message: 'The API client and the sandbox run in plain Node.' }] : [];
  return { files, rules: { 'no-restricted-imports': ['error', { patterns, paths }] } };
}

/** The overrides of a folder: of all its files, then of those that run in Node alone. */
function holding([folder, boundary]: readonly [string, Boundary]) {
  const { folders, common, platform, isPlain, inNode } = boundary;
  const patternsWith = (names: readonly string[] | undefined) => [
    allowing(folder, folders),
    ...(common === undefined
      ? []
      : [
          {
            group: ['**/common/**', ...common.map((file) => `!**/common/${file}`)],
            message: `src/${folder} may import ${common.join(', ')} of common: ${see}`,
          },
        ]),
    ...(names === undefined ? [] : [allowingOfPlatform(folder, names)]),
  ];
  return [
    restricting([`src/${folder}/**`], [...patternsWith(platform), withoutNode], isPlain),
    ...(inNode
      ? [
          restricting(
            inNode.files.map((glob) => `src/${folder}/${glob}`),
            [...patternsWith(inNode.platform ?? platform), withoutPrograms],
            isPlain,
          ),
        ]
      : []),
  ];
}

const bySeams = 'Tests go by what users and neighbours know: TestWindow, the client of src/api, the sandbox.';
/** What the client is given, and what the client and the sandbox stand on, besides themselves. */
const seams = [
  ...['extension.ts', 'main.ts', 'app.ts', 'api/**', 'sandbox/**', 'common/clock.ts', 'common/dates.ts'],
  // The names of all commands.
  'common/commands.ts',
  ...['platform/*/transport.ts', 'platform/*/editorFetch.ts'],
];

/** Forbids to import of `src` but the seams, types, and in the unit tests of a folder what that folder may import. */
function restrictingTests(files: string[], folders: readonly string[] = []): OxlintOverride {
  const allowed = [...seams, ...folders.map((folder) => `${folder}/**`)].map((path) => `!**/src/${path}`);
  const pattern = { group: ['**/src/**', ...allowed], message: bySeams, allowTypeImports: true };
  return { files, rules: { 'no-restricted-imports': ['error', { patterns: [pattern] }] } };
}

/** The files that stand for the inside of a feature in its tests, so that what is moved or renamed within it concerns these alone. */
const insides = new Map([
  ['activity', ['activityWindow.ts', 'eventTexts.ts']],
  ['notifications', ['notificationSettings.ts']],
]);

/** What measures a part alone, or needs one in the real editor. */
const byParts = [
  ...['bench/{apiHints,dsnScanHost}.ts', 'host/{reader,workspaceRemotes.test}.ts', 'soak/host/editor.ts'],
].map((file) => `test/${file}`);

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'promise', 'node'],
  categories: { correctness: 'error', suspicious: 'error' },
  env: { node: true, es2024: true },
  ignorePatterns: ['dist', '.vscode-test', 'node_modules'],
  rules: {
    eqeqeq: 'error',
    'no-console': 'error',
    'no-shadow': 'off',
    'no-underscore-dangle': 'off',
    'no-await-in-loop': 'off',
    'no-restricted-globals': ['error', withoutFetch],
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-unsafe-argument': 'error',
    'typescript/no-unsafe-assignment': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-member-access': 'error',
    'typescript/no-unsafe-return': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/no-non-null-assertion': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-default-export': 'error',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'unicorn/no-useless-spread': 'off',
    'promise/always-return': 'off',
    'unicorn/require-post-message-target-origin': 'off',
    'typescript/consistent-return': 'off',
    'typescript/no-unnecessary-type-parameters': 'off',
  },
  // The last one that has a rule for a file holds.
  overrides: [
    ...Object.entries(boundaries).flatMap(holding),
    restricting(['src/platform/node/**'], [allowing('platform', belowPlatform), ofOnePlatform, withoutPrograms]),
    restricting(['src/platform/node/git.ts'], [allowing('platform', belowPlatform), ofOnePlatform]),
    restricting(
      ['src/platform/web/**'],
      [
        allowing('platform', belowPlatform),
        ofOnePlatform,
        { regex: '^#platform/', message: 'src/platform/web imports its own files by their paths.' },
        withoutNode,
      ],
    ),
    restricting(
      ['src/*.ts'],
      [
        {
          regex: '^\\./extension\\.ts$',
          message: 'Nothing imports src/extension.ts: it registers what the manifest names.',
        },
        withoutNode,
      ],
    ),
    restricting(
      ['src/common/{clock,dates,inertText}.ts'],
      [
        {
          group: ['*', '!./*'],
          message: 'The API client and the sandbox import this file: it needs nothing but the platform.',
        },
      ],
    ),
    {
      files: ['src/**'],
      rules: {
        'no-eval': 'error',
        'no-new-func': 'error',
        'no-restricted-properties': ['error', ...notInert, ...asHtml, ...fromHtml, withoutChecks],
        'no-restricted-globals': [
          'error',
          withoutFetch,
          ...['process', 'Buffer', 'setImmediate', 'clearImmediate'].map((name) => ({ name, message: inNodeAlone })),
        ],
      },
    },
    {
      files: [
        'src/platform/node/**',
        'src/*.ts',
        ...Object.entries(boundaries).flatMap(([folder, { inNode }]) =>
          (inNode?.files ?? []).map((glob) => `src/${folder}/${glob}`),
        ),
      ],
      rules: { 'no-restricted-globals': ['error', withoutFetch] },
    },
    {
      files: ['src/common/inertWindow.ts'],
      rules: { 'no-restricted-properties': ['error', ...asHtml, ...fromHtml] },
    },
    // The files of the extension itself that a browser loads on demand.
    { files: ['scripts/**', 'test/**'], rules: { 'no-console': 'off', 'no-restricted-globals': 'off' } },
    restrictingTests(['test/**']),
    ...Object.entries(boundaries).flatMap(([folder, { folders }]) => {
      const below = [...folders, 'platform'];
      const standing = insides.get(folder)?.map((file) => `test/unit/${folder}/${file}`);
      const own = restrictingTests(standing ?? [`test/unit/${folder}/**`], [folder, ...below]);
      return standing ? [restrictingTests([`test/unit/${folder}/**`], below), own] : [own];
    }),
    restrictingTests(['test/unit/platform/**'], ['platform', ...belowPlatform]),
    restrictingTests(byParts, ['platform', ...Object.keys(boundaries)]),
    { files: ['oxlint.config.ts'], rules: { 'import/no-default-export': 'off' } },
    {
      files: ['**/*.{mjs,cjs}'],
      rules: {
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-return': 'off',
      },
    },
  ],
});
