/** The languages of files, by the ids that editors have for them. */

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
    fs: 'fsharp',
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

/** The language by the extension of a file's name, without the dot; undefined for one that is not known. */
export function languageOfExtension(extension: string): string | undefined {
  return byExtension.get(extension.toLowerCase());
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
