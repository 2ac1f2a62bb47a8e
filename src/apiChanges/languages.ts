/** A pair of marks between which a literal holds code, such as `${` and `}`. */
export type Hole = readonly [open: string, close: string];

/** A form of text literal. */
export interface Quote {
  readonly open: string;
  readonly close: string;
  readonly multiline: boolean;
  /** Whether a backslash keeps the next character from ending it. */
  readonly escapes: boolean;
  readonly holes: readonly Hole[];
  /** Whether `$name` stands for a value. */
  readonly variables: boolean;
}

/** What a tokenizer has to know of a language. */
export interface Syntax {
  readonly kind: 'program' | 'shell' | 'yaml' | 'http';
  readonly lineComments: readonly string[];
  readonly blockComments: readonly Hole[];
  /** Tried in this order, so that longer openings come first. */
  readonly quotes: readonly Quote[];
  /** Prefixes of quotes that add holes, such as the `f` of Python. */
  readonly prefixes: readonly { readonly ends: RegExp; readonly holes: readonly Hole[] }[];
  readonly regexes: boolean;
}

const dollar: readonly Hole[] = [['${', '}']];
const hash: readonly Hole[] = [['#{', '}']];

function quote(mark: string, options: Partial<Quote> = {}): Quote {
  return { open: mark, close: mark, multiline: false, escapes: true, holes: [], variables: false, ...options };
}

function program(options: Partial<Syntax>): Syntax {
  return {
    kind: 'program',
    lineComments: ['//'],
    blockComments: [['/*', '*/']],
    quotes: [quote('"'), quote("'")],
    prefixes: [],
    regexes: false,
    ...options,
  };
}

const script = program({
  quotes: [quote('`', { multiline: true, holes: dollar }), quote('"'), quote("'")],
  regexes: true,
});
const java = program({ quotes: [quote('"""', { multiline: true }), quote('"'), quote("'")] });
const kotlin = program({
  quotes: [
    quote('"""', { multiline: true, escapes: false, holes: dollar, variables: true }),
    quote('"', { holes: dollar, variables: true }),
    quote("'"),
  ],
});
const python = program({
  lineComments: ['#'],
  blockComments: [],
  quotes: [quote('"""', { multiline: true }), quote("'''", { multiline: true }), quote('"'), quote("'")],
  prefixes: [{ ends: /(?:^|\W)r?[ft]r?$/i, holes: [['{', '}']] }],
});
const ruby = program({
  lineComments: ['#'],
  blockComments: [['\n=begin', '\n=end']],
  quotes: [quote('"', { multiline: true, holes: hash }), quote("'", { multiline: true }), quote('`', { holes: hash })],
});
const shell: Syntax = { ...program({ lineComments: ['#'], blockComments: [], quotes: [] }), kind: 'shell' };

const byLanguage = new Map<string, Syntax>([
  ...['javascript', 'javascriptreact', 'typescript', 'typescriptreact', 'vue', 'svelte', 'qml'].map(
    (id) => [id, script] as const,
  ),
  ['java', java],
  ['kotlin', kotlin],
  ['groovy', kotlin],
  [
    'scala',
    program({
      quotes: [
        quote('"""', { multiline: true, variables: true, holes: dollar }),
        quote('"', { variables: true, holes: dollar }),
      ],
    }),
  ],
  [
    'dart',
    program({
      quotes: [
        quote('"""', { multiline: true, holes: dollar, variables: true }),
        quote("'''", { multiline: true, holes: dollar, variables: true }),
        quote('"', { holes: dollar, variables: true }),
        quote("'", { holes: dollar, variables: true }),
      ],
    }),
  ],
  ['go', program({ quotes: [quote('`', { multiline: true, escapes: false }), quote('"'), quote("'")] })],
  [
    'csharp',
    program({
      quotes: [quote('"""', { multiline: true }), quote('"'), quote("'")],
      prefixes: [{ ends: /\$@?$|\$@$|@\$$/, holes: [['{', '}']] }],
    }),
  ],
  [
    'php',
    program({
      lineComments: ['//', '#'],
      quotes: [quote('"', { multiline: true, holes: [['{$', '}']], variables: true }), quote("'", { multiline: true })],
    }),
  ],
  [
    'rust',
    program({
      quotes: [quote('r#"', { close: '"#', multiline: true, escapes: false }), quote('"', { multiline: true })],
    }),
  ],
  [
    'swift',
    program({
      quotes: [quote('"""', { multiline: true, holes: [['\\(', ')']] }), quote('"', { holes: [['\\(', ')']] })],
    }),
  ],
  ['python', python],
  ['ruby', ruby],
  ['elixir', ruby],
  [
    'perl',
    program({
      lineComments: ['#'],
      blockComments: [],
      quotes: [quote('"', { multiline: true, variables: true }), quote("'", { multiline: true })],
    }),
  ],
  ['lua', program({ lineComments: ['--'], blockComments: [['--[[', ']]']] })],
  [
    'powershell',
    program({
      lineComments: ['#'],
      blockComments: [['<#', '#>']],
      quotes: [
        quote('@"', {
          close: '"@',
          multiline: true,
          escapes: false,
          holes: [
            ['$(', ')'],
            ['${', '}'],
          ],
          variables: true,
        }),
        quote('"', {
          multiline: true,
          escapes: false,
          holes: [
            ['$(', ')'],
            ['${', '}'],
          ],
          variables: true,
        }),
        quote("'", { multiline: true, escapes: false }),
      ],
    }),
  ],
  ['terraform', program({ lineComments: ['#', '//'], quotes: [quote('"', { holes: dollar })] })],
  ['shellscript', shell],
  ['dockerfile', shell],
  ['makefile', shell],
  ['yaml', { ...shell, kind: 'yaml' }],
  ['dockercompose', { ...shell, kind: 'yaml' }],
  ['http', { ...shell, kind: 'http' }],
]);

/** Programs whose language is not known are read by what most languages share. */
const unknown = program({
  lineComments: ['//'],
  quotes: [quote('`', { multiline: true, holes: dollar }), quote('"'), quote("'")],
});
/** Data, not programs: what they hold is an answer of long ago. */
const data = new Set([
  'json',
  'jsonc',
  'jsonl',
  'xml',
  'html',
  'css',
  'scss',
  'less',
  'csv',
  'log',
  'diff',
  'sql',
  'graphql',
]);

/** The syntax of a language by the id that editors have for it; undefined for data. */
export function syntaxOf(languageId: string): Syntax | undefined {
  return data.has(languageId) ? undefined : (byLanguage.get(languageId) ?? unknown);
}

const byExtension = new Map(
  Object.entries<string>({
    js: 'javascript',
    cjs: 'javascript',
    mjs: 'javascript',
    jsx: 'javascriptreact',
    ts: 'typescript',
    cts: 'typescript',
    mts: 'typescript',
    tsx: 'typescriptreact',
    vue: 'vue',
    svelte: 'svelte',
    py: 'python',
    pyw: 'python',
    rb: 'ruby',
    rake: 'ruby',
    gemspec: 'ruby',
    go: 'go',
    java: 'java',
    kt: 'kotlin',
    kts: 'kotlin',
    scala: 'scala',
    sc: 'scala',
    groovy: 'groovy',
    gradle: 'groovy',
    cs: 'csharp',
    csx: 'csharp',
    php: 'php',
    rs: 'rust',
    swift: 'swift',
    dart: 'dart',
    pl: 'perl',
    pm: 'perl',
    ps1: 'powershell',
    psm1: 'powershell',
    ex: 'elixir',
    exs: 'elixir',
    lua: 'lua',
    tf: 'terraform',
    sh: 'shellscript',
    bash: 'shellscript',
    zsh: 'shellscript',
    ksh: 'shellscript',
    bats: 'shellscript',
    mk: 'makefile',
    tftpl: 'shellscript',
    yml: 'yaml',
    yaml: 'yaml',
    http: 'http',
    rest: 'http',
    md: 'markdown',
    markdown: 'markdown',
    json: 'json',
    jsonc: 'json',
    ipynb: 'json',
    xml: 'xml',
    html: 'html',
    htm: 'html',
    svg: 'xml',
    css: 'css',
    scss: 'css',
    less: 'css',
    csv: 'csv',
    log: 'log',
    lock: 'json',
    sum: 'json',
    map: 'json',
    diff: 'diff',
    patch: 'diff',
    sql: 'sql',
    graphql: 'graphql',
    gql: 'graphql',
  }),
);
const byName = new Map(
  Object.entries<string>({
    dockerfile: 'dockerfile',
    containerfile: 'dockerfile',
    makefile: 'makefile',
    gnumakefile: 'makefile',
    jenkinsfile: 'groovy',
    rakefile: 'ruby',
    gemfile: 'ruby',
    dangerfile: 'ruby',
    fastfile: 'ruby',
  }),
);
const byInterpreter: readonly (readonly [RegExp, string])[] = [
  [/\b(?:ba|z|k|da)?sh\b/, 'shellscript'],
  [/\bpython/, 'python'],
  [/\bruby\b/, 'ruby'],
  [/\b(?:node|deno|bun|tsx)\b/, 'javascript'],
  [/\bperl\b/, 'perl'],
  [/\bphp\b/, 'php'],
  [/\bpwsh\b/, 'powershell'],
];

/**
 * The id that editors have for a file's language, by its name, or by its first line where that names an interpreter.
 *
 * @returns `plaintext` where neither says anything.
 */
export function languageOfPath(path: string, text: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const known = byName.get(name.split('.', 1)[0] ?? '') ?? byExtension.get(name.slice(name.lastIndexOf('.') + 1));
  if (known !== undefined || !text.startsWith('#!')) {
    return known ?? 'plaintext';
  }
  const firstLine = text.slice(0, Math.min(200, text.indexOf('\n') + 1 || text.length));
  return byInterpreter.find(([interpreter]) => interpreter.test(firstLine))?.[1] ?? 'plaintext';
}

/** The language of a code block of Markdown, by what stands after its fence. */
export function languageOfFence(fence: string): string | undefined {
  const name = fence.toLowerCase();
  const language = byExtension.get(name) ?? (byLanguage.has(name) ? name : undefined);
  return language ?? (/^(?:shell|console|shell-session|curl)$/.test(name) ? 'shellscript' : undefined);
}
