/** What is read of the manifest. */
export interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly configuration: readonly {
      readonly title: string;
      readonly order: number;
      readonly properties: Readonly<Record<string, Setting>>;
    }[];
    readonly keybindings: readonly { readonly command: string; readonly key: string; readonly mac?: string }[];
    readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
  };
}

interface Setting {
  readonly type: string | readonly string[];
  readonly order: number;
  readonly default: unknown;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly markdownDescription: string;
}

/**
 * The page of all commands and settings, as Markdown.
 *
 * @param texts of the manifest, by their keys.
 * @throws Error if a text is missing.
 */
export function referencePage({ contributes }: Manifest, texts: Readonly<Record<string, string>>): string {
  const { commands, configuration, keybindings, menus } = contributes;
  const text = (value: string): string =>
    value.replaceAll(/^%(.+)%$/g, (_, key: string) => {
      const found = texts[key];
      if (found === undefined) {
        throw new Error(`package.nls.json has no text "${key}".`);
      }
      return found;
    });
  const hidden = new Set(menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command));
  const keysOf = (command: string): string =>
    keybindings
      .filter((binding) => binding.command === command)
      .map(({ key, mac }) => `\`${key}\`${mac === undefined || mac === key ? '' : `, on macOS \`${mac}\``}`)
      .join('; ');
  const rows = (ofPalette: boolean): string[] =>
    commands
      .filter(({ command }) => hidden.has(command) !== ofPalette)
      .map(({ command, title, category }) => {
        const name = ofPalette ? `${category}: ${text(title)}` : text(title);
        return `| ${name} | \`${command}\` | ${keysOf(command)} |`;
      });
  const header = ['| Command | Id | Keys |', '| --- | --- | --- |'];
  return [
    '# Commands and settings',
    '<!-- Made of package.json by "npm run reference". -->',
    '## Commands of the palette',
    [...header, ...rows(true)].join('\n'),
    '## Commands of views and editors',
    'These are in the menus and rows of the views, and among the quick fixes of the editor.',
    [...header, ...rows(false)].join('\n'),
    '## Settings',
    ...configuration
      .toSorted((one, other) => one.order - other.order)
      .flatMap(({ title, properties }) => [
        `### ${text(title)}`,
        ...Object.entries(properties)
          .toSorted(([, one], [, other]) => one.order - other.order)
          .flatMap(([name, setting]) => [`#### \`${name}\``, ...describe(setting, text)]),
      ]),
    '',
  ].join('\n\n');
}

function describe(setting: Setting, text: (value: string) => string): string[] {
  const { type, enum: values, enumDescriptions, markdownDescription } = setting;
  const choices = values?.map((value, index) => `- \`${value}\`: ${text(enumDescriptions?.[index] ?? '')}`) ?? [];
  // `#name#` is a link in the settings editor alone.
  const description = text(markdownDescription).replaceAll(/`#([\w.]+)#`/g, '`$1`');
  return [
    `${values ? 'One of the values below' : `Type: ${[type].flat().join(' or ')}`}; default: \`${JSON.stringify(setting.default)}\``,
    description,
    ...(choices.length > 0 ? [choices.join('\n')] : []),
  ];
}
