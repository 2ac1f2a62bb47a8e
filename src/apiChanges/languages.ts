/** How languages write comments and texts, as data for the one tokenizer. */
import { languageOfExtension } from '../workspace/languages.ts';

/** A form of text literal. What opens and closes it are sources of regular expressions. */
export interface Quote {
  readonly open: string;
  readonly close: string;
  /** Whether it may go on after the end of its line. */
  readonly multiline?: true;
  /** Whether a backslash stands for itself. */
  readonly raw?: true;
  /** What opens and closes code within it. */
  readonly code?: readonly [open: string, close: string];
}

/** What the tokenizer has to know of a language. */
export interface Syntax {
  /** Sources of regular expressions of what opens and closes a comment. */
  readonly comments: readonly (readonly [open: string, close: string])[];
  /** Tried in this order, so that longer openings come first. */
  readonly quotes: readonly Quote[];
  /** Of languages that are lists of commands rather than programs: which ends of lines end a command. */
  readonly commands?: 'lines' | 'blocks' | 'requests';
}

const dollar = { code: ['\\$\\{', '}'] } as const;
const hash = { code: ['#\\{', '}'] } as const;
const brace = { code: ['(?<!\\{)\\{(?!\\{)', '}'] } as const;
const parenthesis = { code: ['\\$\\(', ')'] } as const;
const multiline = { multiline: true } as const;
const raw = { raw: true } as const;

function quote(mark: string, options: Partial<Quote> = {}): Quote {
  return { open: mark, close: mark, ...options };
}

const slashes = [
  ['//', '\n'],
  ['/\\*', '\\*/'],
] as const;
const sharp = ['#', '\n'] as const;
const [single, double] = [quote("'"), quote('"')];
const template = quote('`', { ...multiline, ...dollar });
const documentation = quote('"""', multiline);

/** Programs whose language is not known are read by what most languages share. */
const shared: Syntax = { comments: slashes, quotes: [template, double, single] };
const kotlin: Syntax = {
  comments: slashes,
  quotes: [quote('"""', { ...multiline, ...dollar, ...raw }), quote('"', dollar), single],
};
const ruby: Syntax = {
  comments: [sharp, ['(?<=\\n)=begin', '\\n=end']],
  // Of one line each: an apostrophe in a here document ends with it.
  quotes: [quote('"', hash), single, quote('`', hash)],
};
/** Pieces of an argument stand side by side: what is quoted in one way or another, and bare words. */
const shell: Syntax = {
  comments: [['(?<!\\S)#', '\n']],
  quotes: [
    quote('"', { ...multiline, ...parenthesis }),
    quote("'", { ...multiline, ...raw }),
    { open: '(?=[^\\s|;<>()&`])(?!\\\\\\n)', close: '(?=[\\s|;<>()`"\']|&(?!\\w)|\\\\\\n)', ...parenthesis },
  ],
  commands: 'lines',
};
const yaml: Syntax = {
  ...shell,
  quotes: [
    quote('"', { open: '(?<!\\w)"', ...multiline, ...parenthesis }),
    quote("'", { open: "(?<!\\w)'", ...multiline, ...raw }),
    { open: '(?=[^\\s|;<>()&`])(?!\\\\\\n)', close: '(?=[\\s|;<>()`]|(?<!\\w)["\']|&(?!\\w)|\\\\\\n)', ...parenthesis },
  ],
  commands: 'blocks',
};
const http: Syntax = {
  comments: [['(?<=^|\\n)(?:#|//|[\\w-]+:\\s)', '\n']],
  quotes: [{ open: '(?=\\S)', close: '(?=\\n)', ...raw }],
  commands: 'requests',
};

/** The languages that are known, by the ids that editors have for them. */
export const syntaxes: Readonly<Record<string, Syntax>> = {
  ...{ javascript: shared, javascriptreact: shared, typescript: shared, typescriptreact: shared, vue: shared },
  ...{ svelte: shared, kotlin, groovy: kotlin, ruby, elixir: ruby, yaml, dockercompose: yaml, http },
  ...{ shellscript: shell, dockerfile: shell, makefile: shell },
  java: { comments: slashes, quotes: [documentation, double, single] },
  scala: { comments: slashes, quotes: [quote('"""', { ...multiline, ...dollar }), quote('"', dollar)] },
  dart: {
    comments: slashes,
    quotes: ['"""', "'''", '"', "'"].map((mark) => quote(mark, { ...dollar, ...(mark.length > 1 ? multiline : {}) })),
  },
  go: { comments: slashes, quotes: [quote('`', { ...multiline, ...raw }), double, single] },
  csharp: {
    comments: slashes,
    quotes: [documentation, quote('"', { open: '(?:\\$@?|@\\$)"', ...brace }), double, single],
  },
  php: {
    comments: [...slashes, sharp],
    // Of one line each: an apostrophe in HTML ends with it.
    quotes: [quote('"', { code: ['\\{(?=\\$)', '}'] }), single],
  },
  rust: {
    comments: slashes,
    quotes: [quote('"', { open: 'r#"', close: '"#', ...multiline, ...raw }), quote('"', multiline)],
  },
  swift: {
    comments: slashes,
    quotes: ['"""', '"'].map((mark) => quote(mark, { ...multiline, code: ['\\\\\\(', ')'] })),
  },
  python: {
    comments: [sharp],
    quotes: ['"""', "'''", '"', "'"].flatMap((mark) => {
      const options = mark.length > 1 ? multiline : {};
      return [quote(mark, { open: `r?[ft]r?${mark}`, ...options, ...brace }), quote(mark, options)];
    }),
  },
  perl: { comments: [sharp], quotes: [quote('"', multiline), quote("'", multiline)] },
  lua: {
    comments: [
      ['--\\[\\[', '\\]\\]'],
      ['--', '\n'],
    ],
    quotes: [double, single],
  },
  powershell: {
    comments: [['<#', '#>'], sharp],
    quotes: [
      quote('"', { open: '@"', close: '"@', ...multiline, ...raw, ...parenthesis }),
      quote('"', { ...multiline, ...raw, ...parenthesis }),
      quote("'", { ...multiline, ...raw }),
    ],
  },
  terraform: { comments: [sharp, ...slashes], quotes: [quote('"', dollar)] },
};

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
