/** Languages of code by the ends of file names: where a DSN belongs into the environment. */
const languageIds = new Map(
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
    rb: 'ruby',
    go: 'go',
    java: 'java',
    kt: 'kotlin',
    scala: 'scala',
    groovy: 'groovy',
    php: 'php',
    cs: 'csharp',
    fs: 'fsharp',
    rs: 'rust',
  }),
);

/** The language of a file of code; undefined for every other file, such as an env file, YAML, JSON, TOML or text. */
export function codeLanguageOf(path: string): string | undefined {
  return languageIds.get(/\.([a-z]+)$/.exec(path)?.[1] ?? '');
}
