/** How the values of a literal text's holes are written. */
export type Holes =
  /** `${…}` */
  | 'dollarBrace'
  /** `${…}` and `$name` */
  | 'dollar'
  /** `{$…}`, `${…}` and `$name` */
  | 'php'
  /** `$(…)`, `${…}` and `$name` */
  | 'powershell'
  /** `#{…}` */
  | 'hash'
  /** `{…}`, where `{{` is a brace */
  | 'brace'
  /** `\(…)` */
  | 'swift';

/** One way to write a literal text. */
export interface TextForm {
  /** Matches the opening at a place; its first group is what closes the text. */
  readonly open: RegExp;
  readonly holes?: Holes;
  /** The character that takes the next one's meaning away; none in a raw text. */
  readonly escape?: string;
  readonly multiline?: boolean;
}

/** What has to be known of a language to tell its code from its comments and texts. */
export interface Syntax {
  readonly lineComments: readonly string[];
  readonly blockComments: readonly (readonly [open: string, close: string])[];
  readonly texts: readonly TextForm[];
  /** Whether the end of a line can end a statement. */
  readonly lines: boolean;
  /** How functions are delimited. */
  readonly blocks: 'braces' | 'indent' | 'end';
  /** What stands between the parameters and the body of a function without a name; `=>` if not given. */
  readonly arrow?: string;
  /** Whether a block behind a call is its last argument. */
  readonly trailingBlocks?: boolean;
  /** What joins texts, besides `+`. */
  readonly join?: string;
  /** Whether `/…/` can be a regular expression. */
  readonly regexes?: boolean;
  /** Whether a text that stands alone is a comment. */
  readonly docstrings?: boolean;
  /** Whether two texts side by side are one. */
  readonly adjacent?: boolean;
  /** Whether `:name` is a text. */
  readonly symbols?: boolean;
  /** Whether `<<NAME` or `<<<NAME` opens a text of the following lines. */
  readonly heredocs?: RegExp;
}

const double: TextForm = { open: /(")/y, escape: '\\' };
const single: TextForm = { open: /(')/y, escape: '\\' };
const character: TextForm = { open: /(')(?=(?:\\.[^']{0,8}|[^\\'])')/y, escape: '\\' };
const tripleDouble: TextForm = { open: /(""")/y, escape: '\\', multiline: true };
const slashes = { lineComments: ['//'], blockComments: [['/*', '*/']] } as const;
const hashes = { lineComments: ['#'], blockComments: [] } as const;

const javascript: Syntax = {
  ...slashes,
  texts: [single, double, { open: /(`)/y, escape: '\\', holes: 'dollarBrace', multiline: true }],
  lines: true,
  blocks: 'braces',
  regexes: true,
};

const java: Syntax = {
  ...slashes,
  texts: [tripleDouble, double, character],
  lines: false,
  blocks: 'braces',
  arrow: '->',
};

const syntaxes = {
  javascript,
  python: {
    ...hashes,
    texts: [
      { open: /(?:[fF][rR]?|[rR][fF])("""|''')/y, escape: '\\', holes: 'brace', multiline: true },
      { open: /(?:[fF][rR]?|[rR][fF])("|')/y, escape: '\\', holes: 'brace' },
      { open: /[rRbBuU]{0,2}("""|''')/y, escape: '\\', multiline: true },
      { open: /[rRbBuU]{0,2}("|')/y, escape: '\\' },
    ],
    lines: true,
    blocks: 'indent',
    docstrings: true,
    adjacent: true,
  },
  ruby: {
    lineComments: ['#'],
    blockComments: [['\n=begin', '\n=end']],
    texts: [
      { ...double, holes: 'hash' },
      single,
      { open: /(`)/y, escape: '\\', holes: 'hash' },
      { open: /%[qQ]?(?=[{])[{]()/y, escape: '\\', holes: 'hash' },
    ],
    lines: true,
    blocks: 'end',
    regexes: true,
    symbols: true,
    heredocs: /<<[~-]?(["']?)([A-Z][A-Z_]*)\1/y,
  },
  go: {
    ...slashes,
    texts: [double, character, { open: /(`)/y, multiline: true }],
    lines: true,
    blocks: 'braces',
  },
  java,
  csharp: {
    ...slashes,
    texts: [
      { open: /\$+(""")/y, holes: 'brace', multiline: true },
      { open: /(""")/y, multiline: true },
      { open: /(?:\$@|@\$)(")/y, escape: '"', holes: 'brace', multiline: true },
      { open: /@(")/y, escape: '"', multiline: true },
      { open: /\$(")/y, escape: '\\', holes: 'brace' },
      double,
      character,
    ],
    lines: false,
    blocks: 'braces',
  },
  php: {
    lineComments: ['//', '#'],
    blockComments: [['/*', '*/']],
    texts: [
      { ...double, holes: 'php', multiline: true },
      { ...single, multiline: true },
    ],
    lines: false,
    blocks: 'braces',
    join: '.',
    heredocs: /<<<(["']?)(\w+)\1/y,
  },
  rust: {
    ...slashes,
    texts: [
      { open: /b?r#("#)/y, multiline: true },
      { open: /b?r#"()/y, multiline: true },
      { open: /b?(")/y, escape: '\\', multiline: true },
      character,
    ],
    lines: false,
    blocks: 'braces',
  },
  kotlin: {
    ...slashes,
    texts: [{ ...tripleDouble, holes: 'dollar' }, { ...double, holes: 'dollar' }, character],
    trailingBlocks: true,
    lines: true,
    blocks: 'braces',
  },
  groovy: {
    ...slashes,
    texts: [
      { ...tripleDouble, holes: 'dollar' },
      { open: /(''')/y, escape: '\\', multiline: true },
      { ...double, holes: 'dollar' },
      single,
    ],
    trailingBlocks: true,
    lines: true,
    blocks: 'braces',
  },
  swift: {
    ...slashes,
    texts: [
      { ...tripleDouble, holes: 'swift' },
      { ...double, holes: 'swift' },
    ],
    trailingBlocks: true,
    lines: true,
    blocks: 'braces',
  },
  dart: {
    ...slashes,
    texts: [
      { ...double, holes: 'dollar' },
      { ...single, holes: 'dollar' },
    ],
    lines: false,
    blocks: 'braces',
    adjacent: true,
  },
  perl: {
    ...hashes,
    texts: [
      { ...double, holes: 'dollar', multiline: true },
      { ...single, multiline: true },
    ],
    lines: false,
    blocks: 'braces',
    join: '.',
  },
  powershell: {
    lineComments: ['#'],
    blockComments: [['<#', '#>']],
    texts: [
      { open: /@(")(?=\r?\n)/y, escape: '`', holes: 'powershell', multiline: true },
      { open: /(")/y, escape: '`', holes: 'powershell', multiline: true },
      { open: /(')/y, multiline: true },
    ],
    lines: true,
    blocks: 'braces',
  },
  elixir: {
    ...hashes,
    texts: [{ ...tripleDouble, holes: 'hash' }, { ...double, holes: 'hash' }, single],
    lines: true,
    blocks: 'end',
    join: '<>',
    symbols: true,
  },
  /** For what is in no list: quotes are quotes, and lines end statements. */
  other: {
    lineComments: ['//', '#'],
    blockComments: [['/*', '*/']],
    texts: [double, single, { open: /(`)/y, escape: '\\' }],
    lines: true,
    blocks: 'braces',
  },
} satisfies Record<string, Syntax>;

/** The ids that editors have for languages, with the family that reads them. */
const families = new Map(
  Object.entries<LanguageFamily>({
    javascript: 'javascript',
    javascriptreact: 'javascript',
    typescript: 'javascript',
    typescriptreact: 'javascript',
    vue: 'javascript',
    svelte: 'javascript',
    astro: 'javascript',
    json: 'javascript',
    jsonc: 'javascript',
    python: 'python',
    starlark: 'python',
    ruby: 'ruby',
    crystal: 'ruby',
    go: 'go',
    java: 'java',
    scala: 'kotlin',
    kotlin: 'kotlin',
    groovy: 'groovy',
    csharp: 'csharp',
    php: 'php',
    rust: 'rust',
    swift: 'swift',
    dart: 'dart',
    perl: 'perl',
    powershell: 'powershell',
    elixir: 'elixir',
    shellscript: 'shell',
    dockerfile: 'shell',
    makefile: 'shell',
    yaml: 'yaml',
    'github-actions-workflow': 'yaml',
    'gitlab-ci': 'yaml',
    http: 'http',
    rest: 'http',
    markdown: 'markdown',
  }),
);

/** The ways in which files are read; those beyond the syntaxes hold texts of several kinds. */
export type LanguageFamily = keyof typeof syntaxes | 'shell' | 'yaml' | 'http' | 'markdown';

/** The family that reads a language, by the id that the editor has for it. */
export function familyOf(languageId: string): LanguageFamily {
  return families.get(languageId) ?? 'other';
}

/** The syntax of a family of programming languages. */
export function syntaxOf(family: keyof typeof syntaxes): Syntax {
  return syntaxes[family];
}
