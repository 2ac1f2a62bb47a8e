import assert from 'node:assert/strict';
import { existsSync, truncateSync } from 'node:fs';
import { type Answer, dropped, never } from '../../support/sandbox/transforms.ts';
import type { TestWindow } from '../../support/testWindow.ts';
import {
  addKey,
  deleteKey,
  type KeyRecord,
  keysPath,
  keysOf,
  openTracking,
  shortName,
  trackingView,
} from './trackingWindow.ts';

const newKey = 'A New Client Key';
const questions = {
  ...{ choose: 'Replace Client Key', preview: 'Replace DSN' },
  ...{ message: 'which stays until you delete it', question: 'Delete the old client key' },
};
const deleteOld = 'Delete Old Key…';

describe('Replace Key', () => {
  let window: TestWindow;
  let old: KeyRecord;

  beforeEach(async () => {
    [window, old] = await openTracking();
    window.write('.env', `SENTRY_DSN=${old.tracker_dsn}\n`);
    window.write('config/settings.json', JSON.stringify({ dsn: old.tracker_dsn }).replaceAll('/', '\\/'));
  });

  // In the matrix below, not every flow gets to each question.
  let mayEndEarly = false;
  afterEach(async () => {
    await window.dispose().catch((error: unknown) => {
      if (!mayEndEarly) {
        throw error;
      }
    });
    mayEndEarly = false;
  });

  async function replace(): Promise<void> {
    await window.choose(trackingView, shortName(old), 'Replace Key…');
  }

  /** Lets a key take over, or a new one, in all files that the preview shows. */
  function answerWith(key: KeyRecord | undefined): void {
    window.answer(questions.choose, key ? shortName(key) : newKey);
    window.answer(questions.preview, 'Apply');
  }

  /** The requests that were sent by the window since, by method. */
  function sent(): readonly string[] {
    return window.writes.map(({ method }) => method);
  }

  const ofFiles = (): string => `${window.read('.env')}${window.read('config/settings.json').replaceAll('\\/', '/')}`;

  it('makes a new key, replaces the DSN in all its spellings after a preview, and deletes the old key last, if asked to', async () => {
    answerWith(undefined);
    window.answer(questions.message, ({ text, buttons }) => {
      assert.match(
        text,
        /^Client key \S+ of harbor\/tide-table takes over from \S+, which stays until you delete it\.$/,
      );
      assert.deepEqual(buttons, ['Send Test Error', deleteOld]);
      return deleteOld;
    });
    window.answer(questions.question, ({ text, buttons }) => {
      assert.deepEqual(buttons, ['Send Test Error', 'Delete Old Key', 'Keep It Until Deployed']);
      assert.match(text, /No file that was searched uses it, but programs elsewhere may\./);
      assert.deepEqual(sent(), ['POST']);
      return 'Delete Old Key';
    });
    await replace();
    await window.message(`Client key ${shortName(old)} of harbor/tide-table was deleted.`);
    const [fresh, ...others] = (await keysOf(window)).filter(({ active }) => active);
    assert.ok(fresh && others.length === 0 && fresh.id !== old.id);
    assert.equal(ofFiles(), `SENTRY_DSN=${fresh.tracker_dsn}\n{"dsn":"${fresh.tracker_dsn}"}`);
    assert.deepEqual(sent(), ['POST', 'DELETE']);
  });

  it('keeps the old key until the user deletes it: its row says what has replaced it, as long as both are there', async () => {
    const other = await addKey(window);
    answerWith(other);
    await replace();
    // The message is not answered.
    await window.message(questions.message);
    assert.ok(!sent().includes('DELETE'));
    const says = `replaced by ${shortName(other)}`;
    const row = await window.row(trackingView, shortName(old));
    assert.ok(row.description.startsWith(says), row.description);
    assert.match(row.tooltip, /Delete it once deployed programs have the new DSN/);
    await window.restart();
    assert.ok((await window.row(trackingView, shortName(old))).description.startsWith(says));
    const use = async () => (await window.row(trackingView, shortName(other))).description;
    await window.until(async () => (await use()) === 'in .env and 1 more');
    await deleteKey(window, other);
    await window.run('beacon.errorTracking.refresh');
    const left = await window.row(trackingView, shortName(old));
    assert.equal(left.description, 'DSN in no file');
  });

  it('names what only a person can change, and what was not searched, before the old key is deleted', async () => {
    window.write('deploy.py', `DSN = "https://${old.public_key}" \\\n  "@observe.example/1"\n`);
    window.write('huge.sql', '');
    truncateSync(window.path('huge.sql').fsPath, 2 ** 30);
    window.answer(questions.choose, newKey);
    window.answer(questions.preview, ({ text }) => {
      assert.equal(text.split('\n').length, 2, text);
      return 'Apply';
    });
    window.answer(questions.message, deleteOld);
    window.answer(questions.question, ({ text }) => {
      assert.match(text, /To be changed by hand, because no whole DSN stands there:\ndeploy\.py:1\n/);
      assert.equal(text.split('deploy.py').length, 2, 'once');
      assert.match(text, /Not everything was searched:\nToo large: huge\.sql/);
      return 'Keep It Until Deployed';
    });
    await replace();
    await window.message(
      /stays until you delete it\. Not everything was searched: Too large: huge\.sql To be changed by hand, because no whole DSN stands there: deploy\.py:1$/,
    );
    await window.until(() => window.asked.some(({ text }) => text.startsWith(questions.question)));
    assert.ok(!sent().includes('DELETE'));
  });

  it('replaces the key and nothing else of a DSN, whatever the key is called', async () => {
    const named = (text: string): string => text.replaceAll(old.public_key, 'http');
    const answer: Answer = async (own) => {
      const response = await own();
      return new Response(named(await response.text()), response);
    };
    window.sandbox.control.transform({ path: keysPath, answer });
    window.write('.env', `SENTRY_DSN=${named(old.tracker_dsn)}\n`);
    await window.run('beacon.errorTracking.refresh');
    answerWith(undefined);
    await window.choose(trackingView, 'http', 'Replace Key…');
    await window.message(questions.message);
    const [fresh] = (await keysOf(window)).filter(({ active, public_key: key }) => active && key !== 'http');
    assert.equal(window.read('.env'), `SENTRY_DSN=${fresh?.tracker_dsn}\n`);
  });

  it('leaves the host that stands between a program and the instance', async () => {
    const relayed = old.tracker_dsn.replace(/@[^/]+/, '@relay.example:8443');
    window.write('.env', `SENTRY_DSN=${relayed}\n`);
    const other = await addKey(window);
    answerWith(other);
    await replace();
    assert.equal(window.read('.env'), `SENTRY_DSN=${relayed.replace(old.public_key, other.public_key)}\n`);
  });

  it('changes nothing where the preview is discarded, or no key is chosen', async () => {
    window.answer(questions.choose, undefined);
    await replace();
    assert.deepEqual(sent(), []);
    window.answer(questions.choose, newKey);
    window.answer(questions.preview, undefined);
    await replace();
    await window.message('No place was replaced. Client keys');
    assert.deepEqual(sent(), ['POST']);
    assert.equal(ofFiles(), `SENTRY_DSN=${old.tracker_dsn}\n{"dsn":"${old.tracker_dsn}"}`);
    assert.ok(!(await window.row(trackingView, shortName(old))).description.includes('replaced'));
  });

  it('is one at a time', async () => {
    window.answer(questions.choose, async () => {
      await window.run('beacon.errorTracking.replaceKey');
      return undefined;
    });
    await replace();
    await window.message('A client key is being replaced');
  });

  it('says that it is not known whether a key was made where the answer is lost, and sends no second request', async () => {
    window.sandbox.control.transform({
      path: keysPath,
      method: 'POST',
      answer: async (own) => {
        await own();
        return new Response('', { status: 502 });
      },
    });
    window.answer(questions.choose, newKey);
    await replace();
    await window.message('Whether a client key was created in harbor/tide-table shows in the list');
    assert.deepEqual(sent(), ['POST']);
    await window.until(
      async () => (await window.rows(trackingView)).filter((row) => row.includes('glet_')).length === 3,
    );
  });

  /** What may happen elsewhere while a question is open; the flow then goes on, or the editor ends. */
  const events = {
    'the editor ends': async () => undefined,
    'the network ends': async () => window.sandbox.control.transform({ path: '/projects/*', answer: dropped }),
    'the old key is deleted': async () => await deleteKey(window, old),
    'the new key is deleted': async () => {
      const fresh = (await keysOf(window)).findLast(({ active, id }) => active && id !== old.id);
      await (fresh ? deleteKey(window, fresh) : undefined);
    },
    'a file changes': async () => window.write('.env', `A=1\nSENTRY_DSN=${old.tracker_dsn}\n`),
    'a file is saved with other text in the editor': async () => {
      await window.show('.env');
      window.type('.env', `B=1\nSENTRY_DSN=${old.tracker_dsn}\n`);
    },
  } as const;

  for (const [name, happen] of Object.entries(events)) {
    for (const step of ['choose', 'preview', 'message', 'question'] as const) {
      it(`leaves programs a valid key and deletes the old one last if ${name} at the ${step}`, async () => {
        const isEnd = name === 'the editor ends';
        const meanwhile = async (at: string, answer: string): Promise<string> => {
          if (at !== step) {
            return answer;
          }
          await happen();
          return isEnd ? await new Promise<never>(() => undefined) : answer;
        };
        const other = await addKey(window);
        window.answer(questions.choose, () => meanwhile('choose', shortName(other)));
        mayEndEarly = true;
        window.answer(questions.preview, () => meanwhile('preview', 'Apply'));
        window.answer(questions.message, () => meanwhile('message', deleteOld));
        let isKept = false;
        const keep = (): string => {
          isKept = true;
          return 'Keep It Until Deployed';
        };
        window.answer(questions.question, ({ text }) =>
          text.includes('It is used in this workspace:') ? keep() : meanwhile('question', 'Delete Old Key'),
        );
        // If it is used elsewhere by the time of the answer, it is asked about once more.
        window.answer(questions.question, keep);
        const running = replace().catch(() => undefined);
        if (isEnd) {
          await window.until(() =>
            [...window.asked, ...window.messages].some(({ text }) => text.includes(questions[step])),
          );
          await window.restart();
        } else {
          await running;
          const told = window.messages.findIndex(({ text }) => text.includes(questions.message));
          // What the button of the message has led to: something is said, or the key is kept.
          const isOver = () => window.messages.length > told + 1 || isKept;
          await window.until(() => told < 0 || isOver());
        }
        window.sandbox.control.transform();
        const active = (await keysOf(window)).filter((key) => key.active).map((key) => key.public_key);
        const used = [...ofFiles().matchAll(/glet_[0-9a-f]{32}/g)].map(([key]) => key);
        assert.equal(used.length, 2);
        const isOldGone = name === 'the old key is deleted';
        for (const key of used) {
          // What is deleted elsewhere while a file still has it, nobody here can help.
          assert.ok(active.includes(key) || (isOldGone && key === old.public_key), `${key} of ${active.join()}`);
        }
        if (!isOldGone && !active.includes(old.public_key)) {
          assert.ok(!used.includes(old.public_key) && active.includes(other.public_key));
        }
        if (name === 'the new key is deleted' && step !== 'question') {
          const unasked = step === 'choose' ? questions.preview : questions.question;
          assert.ok(!window.asked.some(({ text }) => text.startsWith(unasked)), unasked);
        }
        if (name === 'the network ends' || name === 'the new key is deleted') {
          assert.ok(active.includes(old.public_key));
        }
      });
    }
  }

  it('gives programs the old key back where the new one is deleted, whatever else is typed meanwhile', async () => {
    const other = await addKey(window);
    answerWith(other);
    window.answer(questions.message, deleteOld);
    window.answer(questions.question, async () => {
      await deleteKey(window, other);
      window.write('.env', `# why\n${window.read('.env')}`);
      return 'Delete Old Key';
    });
    await replace();
    await window.message('is deleted or inactive. The old one is kept, and so are the files that have its DSN.');
    assert.equal(ofFiles(), `# why\nSENTRY_DSN=${old.tracker_dsn}\n{"dsn":"${old.tracker_dsn}"}`);
    assert.ok((await keysOf(window)).some(({ id }) => id === old.id));
  });

  it('keeps what has the new key where the answer to the deletion is lost', async () => {
    const other = await addKey(window);
    answerWith(other);
    window.answer(questions.message, deleteOld);
    window.answer(questions.question, () => {
      window.sandbox.control.transform({ path: `${keysPath}/*`, method: 'DELETE', answer: 503 });
      return 'Delete Old Key';
    });
    await replace();
    await window.message(/internal error|not available|503/);
    assert.equal(ofFiles(), `SENTRY_DSN=${other.tracker_dsn}\n{"dsn":"${other.tracker_dsn}"}`);
    assert.ok((await window.row(trackingView, shortName(old))).description.startsWith('replaced by'));
  });

  it('can be begun again after the editor ended while a key was made', async () => {
    window.sandbox.control.transform({ path: keysPath, method: 'POST', answer: never });
    window.answer(questions.choose, newKey);
    void replace().catch(() => undefined);
    await window.until(() => sent().length === 1);
    window.sandbox.control.transform();
    await window.restart();
    answerWith(undefined);
    window.answer(questions.message, deleteOld);
    window.answer(questions.question, 'Delete Old Key');
    await replace();
    await window.message(/was deleted/);
    assert.ok(!ofFiles().includes(old.public_key));
    assert.ok(!(await keysOf(window)).some(({ id }) => id === old.id));
    assert.ok(existsSync(window.path('.env').fsPath));
  });
});
