import assert from 'node:assert/strict';
import { estimateNoiseHere } from '../../../src/notifications/noise/noiseCommand.ts';
import { NotificationWindow } from '../../support/notificationWindow.ts';

describe('the noise estimate', () => {
  let window: NotificationWindow;

  beforeEach(async () => {
    window = await NotificationWindow.open({ extra: { events: 300 } });
    await window.pinSamples();
  });
  afterEach(() => window.close());

  const estimate = () =>
    estimateNoiseHere({
      connections: { current: () => window.connection() },
      finder: window.finder,
      dialogs: window.dialogs,
      clock: window.clock,
    });

  it('shows by project and group what each level and event would have mailed, and what it assumes', async () => {
    await estimate();
    const [{ name, markdown } = { name: '', markdown: '' }] = window.dialogs.shown;
    assert.equal(name, 'Notification Noise');
    assert.match(markdown, /An \*\*estimate\*\* of the e-mails .* would have sent marta/);
    assert.match(markdown, /\| Scope \| Watch \| Participate \| On mention \| Disabled \|/);
    // The pinned project's own feed was read, which the others' were not.
    assert.match(markdown, /\| harbor\/tide-table \| [1-9]\d* \| \d+ \| \d+ \| 0 \|/);
    assert.match(markdown, /\| harbor\/berth-planner ¹ \| \d+ \|/);
    assert.match(markdown, /## Group harbor\/tools/);
    assert.match(markdown, /\| New comment \| [1-9]\d* \|/);
    assert.match(markdown, /Not in any feed, so not counted at all: .*Failed pipeline/);
  });

  it('counts merge requests where a project’s own feed was read, and says where none was', async () => {
    await window.control('POST', 'events', { count: 200, project: 'harbor/tide-table' });
    await estimate();
    const section = /## harbor\/tide-table\n([^#]*)/.exec(window.dialogs.shown[0]?.markdown ?? '')?.[1] ?? '';
    const count = (name: string) => Number(new RegExp(`\\| ${name} \\| (\\d+) \\|`).exec(section)?.[1]);
    assert.match(window.dialogs.shown[0]?.markdown ?? '', /\| New merge request \| not in the feed ¹ \|/);
    assert.ok(count('New merge request') + count('Merged merge request') + count('Closed merge request') > 0, section);
  });

  it('shows nothing when it is cancelled', async () => {
    window.dialogs.cancels = true;
    await estimate();
    assert.deepEqual(window.dialogs.shown, []);
  });

  it('ends where the feed has no end, and says so', async () => {
    await window.control('PUT', 'faults', [{ kind: 'endlessNext', path: '/events' }]);
    await estimate();
    assert.match(window.dialogs.shown[0]?.markdown ?? '', /There are more events: only the first [\d,]+ were read\./);
  });

  it('says when nothing happened', async () => {
    window.time += 100 * 86_400_000;
    await estimate();
    assert.match(window.dialogs.shown[0]?.markdown ?? '', /Nothing happened/);
  });

  it('does without a project’s own feed if that is refused, and fails with the feed of all', async () => {
    await window.control('PUT', 'faults', [{ kind: 'status', status: 403, path: '/projects/501/events' }]);
    await estimate();
    assert.match(window.dialogs.shown[0]?.markdown ?? '', /\| harbor\/tide-table ¹ \|/);
    await window.control('PUT', 'faults', [{ kind: 'status', status: 503, path: '/events' }]);
    await assert.rejects(estimate(), { reason: 'unavailable' });
  });
});
