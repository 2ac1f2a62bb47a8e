import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestTexts, readBundles } from '../../scripts/manifestTexts.ts';

const root = join(import.meta.dirname, '..', '..');

describe('the commands that documents and settings name', () => {
  interface Manifest {
    readonly contributes: {
      readonly commands: readonly { readonly command: string; readonly title: string }[];
      readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
    };
  }
  const { commands, menus } = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest).contributes;
  const hidden = new Set(menus.commandPalette.flatMap(({ command, when }) => (when === 'false' ? command : [])));
  const titles = commands.filter(({ command }) => !hidden.has(command)).map(({ title }) => title.slice(1, -1));
  for (const { language, translations } of [{ language: 'en', translations: undefined }, ...readBundles()]) {
    it(`are in the palette, by these names (${language})`, () => {
      const inLanguage = (text: string): string => (translations ? (translations[text] ?? '') : text);
      const pages = globSync(translations ? `README.${language}.md` : ['README.md', 'docs/*.md'], { cwd: root });
      const named = [...pages.map((page) => readFileSync(join(root, page), 'utf8')), ...manifestTexts().map(inLanguage)]
        .flatMap((text) => [...text.matchAll(/\*\*Beacon: ([^*]+)\*\*/g)])
        .flatMap(([, name]) => name ?? []);
      assert.ok(named.length > 0);
      assert.deepEqual(
        named.filter((name) => !titles.map(inLanguage).includes(name)),
        [],
      );
    });
  }
});

describe('the conditions of the manifest', () => {
  it('ask by one key whether there is an account, whose kind the texts of empty views alone tell apart', () => {
    const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      contributes: { menus: object; commands: object; walkthroughs: object };
    };
    const { menus, commands, walkthroughs } = contributes;
    const conditions = JSON.stringify([commands, menus, walkthroughs]).match(/[^"]*beacon\.account [^"]*/g) ?? [];
    assert.deepEqual(conditions, ['beacon.account == instance']);
  });
});

describe('the menus of the Activity view', () => {
  interface Entry {
    readonly command?: string;
    readonly submenu?: string;
    readonly when?: string;
    readonly group?: string;
  }
  const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    contributes: { menus: Readonly<Record<string, readonly Entry[]>>; submenus: readonly { id: string }[] };
  };
  const { menus, submenus } = contributes;
  const entries = (menu: string, isWanted: (entry: Entry) => boolean): readonly Entry[] =>
    (menus[menu] ?? []).filter(isWanted);
  const isOf = (view: string) => (entry: Entry) => entry.when?.includes(`view == ${view}`) === true;

  it('have three icons in the title; those at one place exclude each other', () => {
    const icons = entries(
      'view/title',
      (entry) => isOf('beacon.activity')(entry) && entry.group?.startsWith('navigation') === true,
    );
    const places = Map.groupBy(icons, ({ group }) => group);
    assert.equal(places.size, 3, [...places.keys()].join());
    for (const together of [...places.values()].filter(({ length }) => length > 1)) {
      const keys = together.map(({ when = '' }) => /!?beacon\.activity\.\w+$/.exec(when)?.[0] ?? '');
      assert.equal(new Set(keys.map((key) => key.replace('!', ''))).size, 1);
      assert.equal(new Set(keys).size, together.length);
    }
  });

  it('have no command of the title that means a row: the editor hands over the one that has the focus', () => {
    const ofRows = new Set(entries('view/item/context', isOf('beacon.activity')).map(({ command }) => command));
    const shared = entries('view/title', isOf('beacon.activity')).filter(({ command }) => ofRows.has(command));
    assert.deepEqual(
      // Those that are about the only feed.
      shared.filter(({ when = '' }) => !when.includes('!beacon.activity.several')).map(({ command }) => command),
      [],
    );
  });

  it('show seven entries for a push, and one inline', () => {
    const words = 'event read push project projectId author';
    const shown = entries('view/item/context', ({ when = '' }) => {
      const [, pattern] = /^view == beacon\.activity && viewItem =~ \/(.*?)\/(?: &&|$)/.exec(when) ?? [];
      return pattern !== undefined && new RegExp(pattern).test(words);
    });
    const inline = shown.filter(({ group = '' }) => group.startsWith('inline'));
    assert.deepEqual([inline.length, shown.length - inline.length], [1, 7], JSON.stringify(shown));
  });

  it('have the bell on Activity, and none on Error Tracking', () => {
    const titles = (view: string) => entries('view/title', isOf(view)).map(({ command = '' }) => command);
    const isBell = (command: string): boolean => command.startsWith('beacon.notifications.');
    assert.deepEqual(titles('beacon.activity').filter(isBell), ['beacon.notifications.open']);
    assert.deepEqual(titles('beacon.errorTracking').filter(isBell), []);
    // A row leads to the page that shows its project first.
    const ofRows = entries('view/item/context', isOf('beacon.errorTracking')).map(({ command = '' }) => command);
    assert.deepEqual(ofRows.filter(isBell), ['beacon.notifications.openOfProject']);
  });

  it('have submenus that are there, once in a menu', () => {
    for (const [name, menu] of Object.entries(menus)) {
      const used = menu.flatMap(({ submenu }) => submenu ?? []);
      assert.equal(new Set(used).size, used.length, name);
      assert.ok(used.every((id) => submenus.some((one) => one.id === id) && (menus[id]?.length ?? 0) > 0));
    }
  });
});
