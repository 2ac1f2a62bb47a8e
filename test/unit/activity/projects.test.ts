import assert from 'node:assert/strict';
import { insideWindow } from '../../support/insideWindow.ts';
import { ScriptedInstance } from '../../support/scriptedInstance.ts';
import { ActivityWindow } from './activityWindow.ts';

insideWindow(import.meta.filename);

describe('the projects of events', () => {
  let window: ActivityWindow | undefined;
  afterEach(() => window?.dispose());

  /** What a window knows of projects by the instance that it asks. */
  async function projectsBy(instance: () => ScriptedInstance) {
    window = await ActivityWindow.open(async () => instance().connection);
    return window.activity.projects;
  }

  it('are asked for a few at a time, and no more than a hundred in one go, however many are unknown', async () => {
    let [underWay, most] = [0, 0];
    const instance = new ScriptedInstance(async ({ pathname, href }) => {
      if (pathname.endsWith('/projects')) {
        // A list without an end, which has none of them.
        return { json: [], headers: { link: `<${href}&x=${instance.asked.length}>; rel="next"` } };
      }
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
      const id = Number(pathname.split('/').at(-1));
      return { json: { id, name: 'p', path_with_namespace: `group/p${id}` } };
    });
    const projects = await projectsBy(() => instance);
    const ids = Array.from({ length: 3000 }, (_, index) => index + 1);
    await projects.learn('ada', ids);
    assert.ok(most > 1 && most <= 6, String(most));
    assert.equal(instance.asked.length, 5 + 100);
    assert.equal(projects.get('ada', 100)?.path, 'group/p100');
    assert.equal(projects.get('ada', 101), undefined);
    await projects.learn('ada', ids);
    // The list, which had none of them, is not read again.
    assert.equal(instance.asked.length, 5 + 2 * 100);
    assert.equal(projects.get('ada', 101)?.path, 'group/p101', 'the next ones when they are next wanted');
  });

  it('are asked for again with another token where one could not read them', async () => {
    const weak = new ScriptedInstance(() => ({ status: 403, json: { error: 'insufficient_scope' } }));
    const strong = new ScriptedInstance(() => ({ json: { id: 7, name: 'p', path_with_namespace: 'group/p7' } }));
    let instance = weak;
    const projects = await projectsBy(() => instance);
    await projects.learn('ada', [7]);
    await projects.learn('ada', [7]);
    assert.equal(weak.asked.length, 1);
    instance = strong;
    await projects.learn('ada', [7]);
    assert.equal(projects.get('ada', 7)?.path, 'group/p7');
    await projects.learn('ada', [7]);
    assert.equal(strong.asked.length, 1);
  });
});
