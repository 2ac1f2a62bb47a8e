import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

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

  it('have four icons in the title at most; those at one place exclude each other', () => {
    const icons = entries(
      'view/title',
      (entry) => isOf('beacon.activity')(entry) && entry.group?.startsWith('navigation') === true,
    );
    const places = Map.groupBy(icons, ({ group }) => group);
    assert.ok(places.size > 0 && places.size <= 4, [...places.keys()].join());
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

  it('show some eight entries for an event', () => {
    const isOfEvent = ({ when = '', group = '' }: Entry): boolean =>
      /viewItem =~ \/\\b\(?(event|author|project|reference|localPush)\b/.test(when) && !group.startsWith('inline');
    const shown = entries('view/item/context', (entry) => isOf('beacon.activity')(entry) && isOfEvent(entry));
    assert.ok(shown.length >= 7 && shown.length <= 9, String(shown.length));
  });

  it('lead to notification settings and profiles from both views', () => {
    for (const view of ['beacon.activity', 'beacon.errorTracking']) {
      const commands = entries('view/title', isOf(view)).map(({ command }) => command);
      assert.ok(
        commands.includes('beacon.notifications.open') && commands.includes('beacon.notifications.manageProfiles'),
        view,
      );
    }
  });

  it('have submenus that are there, once in a menu', () => {
    for (const [name, menu] of Object.entries(menus)) {
      const used = menu.flatMap(({ submenu }) => submenu ?? []);
      assert.equal(new Set(used).size, used.length, name);
      assert.ok(used.every((id) => submenus.some((one) => one.id === id) && (menus[id]?.length ?? 0) > 0));
    }
  });
});
