/** How the languages of programs write comments and texts. */

import { languageOfExtension } from '../workspaceFiles/languages.ts';

/** A pair of marks between which a literal holds code, such as `${` and `}`. */
export type Pair = readonly [open: string, close: string];

/** A form of text literal. */
export interface Quote {
  readonly open: string;
  readonly close: string;
  readonly multiline: boolean;
  /** Whether a backslash keeps the next character from ending it. */
  readonly escapes: boolean;
  readonly interpolations: readonly Pair[];
  /** Whether `$name` stands for a value. */
  readonly variables: boolean;
}

/** What a tokenizer has to know of a language. */
export interface Syntax {
  readonly kind: 'program' | 'shell' | 'yaml' | 'http';
  readonly lineComments: readonly string[];
  readonly blockComments: readonly Pair[];
  /** Tried in this order, so that longer openings come first. */
  readonly quotes: readonly Quote[];
  /** Prefixes of quotes that add interpolations, such as the `f` of Python. */
  readonly prefixes: readonly { readonly ends: RegExp; readonly interpolations: readonly Pair[] }[];
  readonly regexes: boolean;
}

const dollar: readonly Pair[] = [['${', '}']];
const hash: readonly Pair[] = [['#{', '}']];
const powershell: readonly Pair[] = [
  ['$(', ')'],
  ['${', '}'],
];
const many = { multiline: true };
const dollars = { interpolations: dollar, variables: true };

function quote(mark: string, options: Partial<Quote> = {}): Quote {
  return { open: mark, close: mark, multiline: false, escapes: true, interpolations: [], variables: false, ...options };
}

const [single, double] = [quote("'"), quote('"')];

function program(quotes: readonly Quote[], options: Partial<Syntax> = {}): Syntax {
  const blockComments: readonly Pair[] = [['/*', '*/']];
  return { kind: 'program', lineComments: ['//'], blockComments, quotes, prefixes: [], regexes: false, ...options };
}

const script = program([quote('`', { ...many, interpolations: dollar }), double, single], { regexes: true });
const kotlin = program([quote('"""', { ...many, ...dollars, escapes: false }), quote('"', dollars), single]);
const ruby = program(
  [quote('"', { ...many, interpolations: hash }), quote("'", many), quote('`', { interpolations: hash })],
  {
    lineComments: ['#'],
    blockComments: [['\n=begin', '\n=end']],
  },
);
const shell = program([], { kind: 'shell', lineComments: ['#'], blockComments: [] });
const yaml: Syntax = { ...shell, kind: 'yaml' };

const syntaxes: Readonly<Record<string, Syntax>> = {
  ...{ javascript: script, javascriptreact: script, typescript: script, typescriptreact: script, vue: script },
  ...{ svelte: script, qml: script, kotlin, groovy: kotlin, ruby, elixir: ruby, yaml, dockercompose: yaml },
  ...{ shellscript: shell, dockerfile: shell, makefile: shell, http: { ...shell, kind: 'http' } },
  java: program([quote('"""', many), double, single]),
  scala: program([quote('"""', { ...many, ...dollars }), quote('"', dollars)]),
  dart: program([
    ...[quote('"""', { ...many, ...dollars }), quote("'''", { ...many, ...dollars })],
    ...[quote('"', dollars), quote("'", dollars)],
  ]),
  go: program([quote('`', { ...many, escapes: false }), double, single]),
  csharp: program([quote('"""', many), double, single], {
    prefixes: [{ ends: /\$@?$|\$@$|@\$$/, interpolations: [['{', '}']] }],
  }),
  php: program([quote('"', { ...many, interpolations: [['{$', '}']], variables: true }), quote("'", many)], {
    lineComments: ['//', '#'],
  }),
  rust: program([quote('r#"', { ...many, close: '"#', escapes: false }), quote('"', many)]),
  swift: program([
    quote('"""', { ...many, interpolations: [['\\(', ')']] }),
    quote('"', { interpolations: [['\\(', ')']] }),
  ]),
  python: program([quote('"""', many), quote("'''", many), double, single], {
    lineComments: ['#'],
    blockComments: [],
    prefixes: [{ ends: /(?:^|\W)r?[ft]r?$/i, interpolations: [['{', '}']] }],
  }),
  perl: program([quote('"', { ...many, variables: true }), quote("'", many)], {
    lineComments: ['#'],
    blockComments: [],
  }),
  lua: program([double, single], { lineComments: ['--'], blockComments: [['--[[', ']]']] }),
  powershell: program(
    [
      quote('@"', { ...many, close: '"@', escapes: false, interpolations: powershell, variables: true }),
      quote('"', { ...many, escapes: false, interpolations: powershell, variables: true }),
      quote("'", { ...many, escapes: false }),
    ],
    { lineComments: ['#'], blockComments: [['<#', '#>']] },
  ),
  terraform: program([quote('"', { interpolations: dollar })], { lineComments: ['#', '//'] }),
};

/** Programs whose language is not known are read by what most languages share. */
const shared = program([quote('`', { ...many, interpolations: dollar }), double, single]);
/** Data, not programs: they hold recorded answers rather than calls. */
const data = /^(?:jsonc?|jsonl|xml|html|s?css|less|csv|log|diff|sql|graphql)$/;

/** The syntax of a language by the id that editors have for it; undefined for data. */
export function syntaxOf(languageId: string): Syntax | undefined {
  const own = Object.hasOwn(syntaxes, languageId) ? syntaxes[languageId] : undefined;
  return own ?? (data.test(languageId) ? undefined : shared);
}

/** The language of a code block of Markdown, by what stands after its fence. */
export function languageOfFence(fence: string): string | undefined {
  const name = fence.toLowerCase();
  const language = languageOfExtension(name) ?? (Object.hasOwn(syntaxes, name) ? name : undefined);
  return language ?? (/^(?:shell|console|shell-session|curl)$/.test(name) ? 'shellscript' : undefined);
}
