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
    json: 'json',
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
    sh: 'shellscript',
    bash: 'shellscript',
    zsh: 'shellscript',
    ksh: 'shellscript',
    bats: 'shellscript',
    mk: 'makefile',
    yml: 'yaml',
    yaml: 'yaml',
    http: 'http',
    rest: 'http',
    md: 'markdown',
    markdown: 'markdown',
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

const byProgram: readonly (readonly [RegExp, string])[] = [
  [/\b(?:ba|z|k|da)?sh\b/, 'shellscript'],
  [/\bpython/, 'python'],
  [/\bruby\b/, 'ruby'],
  [/\b(?:node|deno|bun|tsx)\b/, 'javascript'],
  [/\bperl\b/, 'perl'],
  [/\bphp\b/, 'php'],
  [/\bpwsh\b/, 'powershell'],
];

/**
 * The id that editors have for a file's language, by its name, or by its first line where that names a program.
 *
 * @returns `plaintext` where neither says anything.
 */
export function languageOfPath(path: string, text: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const known = byName.get(name.replace(/\..*$/, '')) ?? byExtension.get(name.slice(name.lastIndexOf('.') + 1));
  if (known !== undefined || !text.startsWith('#!')) {
    return known ?? 'plaintext';
  }
  const firstLine = text.slice(0, text.indexOf('\n'));
  return byProgram.find(([program]) => program.test(firstLine))?.[1] ?? 'plaintext';
}
