/** By the extension of a file's name, or by the name itself. */
const languages = new Map(
  Object.entries({
    javascript: 'js cjs mjs',
    javascriptreact: 'jsx',
    typescript: 'ts cts mts',
    typescriptreact: 'tsx',
    vue: 'vue',
    svelte: 'svelte',
    python: 'py pyw',
    ruby: 'rb rake gemspec rakefile gemfile dangerfile fastfile',
    go: 'go',
    java: 'java',
    kotlin: 'kt kts',
    scala: 'scala sc',
    groovy: 'groovy gradle jenkinsfile',
    csharp: 'cs csx',
    php: 'php',
    rust: 'rs',
    swift: 'swift',
    dart: 'dart',
    perl: 'pl pm',
    powershell: 'ps1 psm1',
    elixir: 'ex exs',
    lua: 'lua',
    fsharp: 'fs',
    terraform: 'tf',
    shellscript: 'sh bash zsh ksh bats tftpl',
    makefile: 'mk makefile gnumakefile',
    yaml: 'yml yaml',
    http: 'http rest',
    markdown: 'md markdown',
    json: 'json jsonc ipynb lock sum map',
    xml: 'xml svg',
    html: 'html htm',
    css: 'css scss less',
    csv: 'csv',
    log: 'log',
    diff: 'diff patch',
    sql: 'sql',
    graphql: 'graphql gql',
    dockerfile: 'dockerfile containerfile',
  }).flatMap(([language, names]) => names.split(' ').map((name) => [name, language] as const)),
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
  const base = name.split('.', 1)[0] ?? '';
  // `Dockerfile.prod` is one, too.
  const known =
    languages.get(base.endsWith('file') ? base : '') ?? languages.get(name.slice(name.lastIndexOf('.') + 1));
  if (known !== undefined || !text.startsWith('#!')) {
    return known ?? 'plaintext';
  }
  const firstLine = text.slice(0, Math.min(200, text.indexOf('\n') + 1 || text.length));
  return byInterpreter.find(([interpreter]) => interpreter.test(firstLine))?.[1] ?? 'plaintext';
}

/** The language by the extension of a file's name, without the dot; undefined for one that is not known. */
export function languageOfExtension(extension: string): string | undefined {
  return languages.get(extension.toLowerCase());
}

/** Languages of programs that run where an environment can be read, rather than scripts, settings or data. */
const code = new Set([
  ...['javascript', 'javascriptreact', 'typescript', 'typescriptreact', 'vue', 'svelte', 'python', 'ruby', 'go'],
  ...['java', 'kotlin', 'scala', 'groovy', 'php', 'csharp', 'fsharp', 'rust'],
]);

/** The language of a file of code by its extension; undefined for every other file, such as an env file, YAML, JSON or text. */
export function codeLanguageOf(path: string): string | undefined {
  const language = languageOfExtension(/\.([a-z]+)$/.exec(path)?.[1] ?? '');
  return language !== undefined && code.has(language) ? language : undefined;
}
