import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { sandboxAccount } from '../../../src/accounts/account.ts';
import { type ActivityNode, ActivityWindow, type EventNode, mine } from './activityWindow.ts';
import { replaced } from '../../support/answeredInputs.ts';
import { anyEvent, sampleEvent } from './anyEvent.ts';
import { assertInert, assertLine, rendered } from '../../support/harmless.ts';
import { insideWindow } from '../../support/insideWindow.ts';
import { hugeText, runs } from '../../support/properties.ts';
import { ScriptedInstance } from '../../support/scriptedInstance.ts';

const inside = insideWindow(import.meta.filename);

describe('hostile text of an instance, in Activity', () => {
  let events: unknown[] = [];
  let project: object = {};
  let window: ActivityWindow;

  /** A window whose instance has these events, and page after page of them if that is said. */
  async function open(records: () => readonly unknown[], hasMore = false): Promise<ActivityWindow> {
    const instance = new ScriptedInstance(({ pathname, href }) => {
      const link = hasMore ? `<${href}&x=${instance.asked.length}>; rel="next"` : '';
      const isFeed = pathname.endsWith('/events');
      return isFeed ? { json: records(), headers: { link } } : { json: { id: 7, name: 'p', ...project } };
    });
    return await ActivityWindow.open(async () => instance.connection);
  }

  beforeEach(async () => {
    window = await open(() => events);
    project = { path_with_namespace: `a/b\u202e$(zap)\n[x](command:y)`, web_url: 'command:workbench.action.quit' };
    events = [sampleEvent()];
    await window.feed.refresh();
  });
  afterEach(() => window.dispose());

  async function nodesOf(records: readonly unknown[]): Promise<EventNode[]> {
    events = [...records];
    window.activity.projects.expire();
    await window.feed.refresh();
    return await window.events();
  }

  it('of any form and date is one harmless line in rows of every kind, and no record empties the view', async () => {
    const limits = ['0001-01-01T00:00:00Z', '0999-12-31T00:00:00Z', '9999-12-31T23:59:59Z', '12026-01-01T00:00:00Z'];
    const odd = ['9999-12-30T23:00:00-11:00', '1970-01-01T00:00:00+14:00', '-000001-01-01T00:00:00Z', ''];
    const dates = fc.oneof(
      fc.constantFrom(...limits, ...odd, '2026-02-30T00:00Z', sampleEvent().created_at),
      fc.jsonValue({ maxDepth: 2 }),
    );
    const names = Object.keys(sampleEvent());
    const any = fc.oneof(
      fc.tuple(anyEvent, dates).map(([event, date]) => ({ ...event, created_at: date })),
      fc
        .tuple(fc.nat(), fc.constantFrom(...names, 'push_data', 'note', 'wiki_page'), fc.jsonValue({ maxDepth: 3 }))
        .map(([id, name, value]) => ({ ...sampleEvent({ id }), [name]: value })),
      fc.jsonValue({ maxDepth: 4 }),
    );
    const all: ActivityWindow[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(any, { minLength: 1, maxLength: 12 }), async (records) => {
        const own = await open(() => records, true);
        all.push(own);
        own.use(sandboxAccount);
        await own.activity.feeds.pin(mine);
        await own.activity.feeds.choose({ kind: 'project', accountId: 'sandbox', id: 7, path: 'a/b' });
        const kinds = new Set<string>();
        const visit = async (node?: ActivityNode): Promise<void> => {
          for (const child of await own.children(node)) {
            const item = own.item(child);
            kinds.add(child.kind);
            assertLine(item.label, 'label');
            assertLine(item.description, 'description');
            assertLine(item.accessibilityInformation?.label ?? undefined, 'accessibility');
            assert.ok((item.id ?? '').length < 300, 'id');
            if (child.kind === 'event') {
              await own.tree.resolveTreeItem(item, child);
            }
            await visit(child);
          }
        };
        await visit();
        assert.ok(kinds.has('feed') && kinds.has('message'), [...kinds].join());
        own.tree.updateTimes();
      }),
      runs(60),
    );
    all.forEach((own) => own.dispose());
  });

  it('is text in tooltips, which run nothing', async () => {
    await fc.assert(
      fc.asyncProperty(anyEvent, async (record) => {
        const [node] = await nodesOf([record]);
        assert.ok(node);
        const tooltip = await node.tooltip();
        assert.ok(tooltip.isTrusted !== true && tooltip.supportHtml !== true && tooltip.supportThemeIcons !== true);
        assert.ok(tooltip.value.length < 20_000);
        // Tooltips show HTML as text, and know no formulas.
        assertInert(rendered(tooltip.value.replaceAll('<', '&lt;').replaceAll('$', '&#36;')));
      }),
      runs(60),
    );
  });

  it('is cut where it is huge', async () => {
    const [node] = await nodesOf([
      {
        ...sampleEvent({ action_name: hugeText, target_title: hugeText, target_type: 'Note' }),
        author: { id: 1, name: hugeText, username: hugeText },
        note: { id: 1, body: hugeText, created_at: '', noteable_type: hugeText },
      },
    ]);
    assert.ok(node);
    const item = window.item(node);
    // The label has the whole title, which the platform lets have 1,000 characters at most, and what it is of.
    assert.ok(typeof item.label === 'string' && item.label.length <= 2000);
    assert.ok((item.accessibilityInformation?.label ?? '').length <= 4000);
    const tooltip = await node.tooltip();
    assert.ok(tooltip.value.length < 20_000, String(tooltip.value.length));
  });

  it('is no address that is opened', async () => {
    await nodesOf([sampleEvent()]);
    assert.equal(window.activity.projects.get('sandbox', 7)?.webUrl, undefined);
  });

  it('is text alone in news', async () => {
    const evil = 'ok [x](command:workbench.action.quit) $(zap)\n\u202e';
    await inside.window.setting('beacon.activity.notifications', true);
    await nodesOf([sampleEvent({ id: 50 })]);
    await window.activity.readState.markAllRead([window.feed]);
    events = [sampleEvent({ id: 51, target_title: evil })];
    window.view.show(false);
    let said = '';
    const standIn = replaced({ showInformationMessage: async (text: string) => void (said = text) });
    await window.clock.pass(300_000, () => window.activity.polling.settled());
    standIn.dispose();
    assert.match(said, /ok \[x\]/);
    assert.doesNotMatch(said, /\]\(|\$\(|\n/);
    await inside.window.setting('beacon.activity.notifications', undefined);
  });
});
