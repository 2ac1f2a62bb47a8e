import assert from 'node:assert/strict';
import { NotificationPage } from '../support/notificationPage.ts';
import type { Answer } from '../support/sandbox/transforms.ts';
import { TestWindow } from '../support/testWindow.ts';

const [activity, tracking] = ['beacon.activity', 'beacon.errorTracking'];

const percentEncoded = (text: string): string =>
  Array.from(text, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');

/** A token as an instance may write it that wants it to be kept or shown. */
const spellings: Readonly<Record<string, (token: string) => string>> = {
  'as it is': (token) => token,
  'in capitals': (token) => token.toUpperCase(),
  'with zero-width spaces': (token) => Array.from(token).join('\u200B'),
  'with soft hyphens': (token) => Array.from(token).join('\u00AD'),
  'encoded for a URL': percentEncoded,
  'encoded for a URL twice': (token) => encodeURIComponent(percentEncoded(token)),
  'in Base64': (token) => Buffer.from(token).toString('base64'),
  'in escapes of JSON': (token) =>
    Array.from(token, (letter) => String.raw`\u00${letter.charCodeAt(0).toString(16)}`).join(''),
};

/** Whether a text can be read as one that holds the token. */
function tells(text: string, token: string): boolean {
  const code = (_: string, hex: string): string => String.fromCharCode(parseInt(hex, 16));
  const decode = (encoded: string): string => encoded.replaceAll(/%([\da-f]{2})/gi, code);
  const visible = text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '').replaceAll(/\\+u([\da-f]{4})/gi, code);
  const words = visible.match(/[A-Za-z\d+/]{16,}/g) ?? [];
  // Control characters are shown as spaces.
  const joined = visible.replaceAll(/[\p{Cc}\p{Zl} ]|\\b/gu, '');
  const readings = [visible, joined, decode(visible), decode(decode(visible))];
  readings.push(...words.map((word) => Buffer.from(word, 'base64').toString('latin1')));
  return readings.some((one) => one.toLowerCase().includes(token.slice(0, 14).toLowerCase()));
}

/** Text by which an instance finds nothing again. */
const freeTexts = new Set([
  'name',
  'title',
  'target_title',
  'body',
  'commit_title',
  'notification_email',
  'project_name',
]);

/** The same record, with another text wherever one may write what one likes. */
function repeating(value: unknown, text: string): unknown {
  if (Array.isArray(value)) {
    return value.map((one) => repeating(one, text));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const fields = Object.entries(value).map(([name, inner]): [string, unknown] => [
    name,
    freeTexts.has(name) && typeof inner === 'string' ? text : repeating(inner, text),
  ]);
  return Object.fromEntries(fields);
}

describe('a token that the instance repeats', () => {
  let window: TestWindow;
  beforeEach(async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
  });
  afterEach(() => window.dispose());

  /** Everything that there is to read in the window, beside what is kept of it. */
  async function read(): Promise<string> {
    const shown: unknown[] = [];
    for (const view of [activity, tracking]) {
      const { message, title, description } = await window.view(view);
      shown.push(await window.rows(view), await window.welcome(view), message, title, description);
    }
    shown.push(window.panels.map(({ webview: { html }, posted, title }) => [html, posted, title]));
    const { asked, messages, statusBar, opened, clipboard, log } = window;
    return JSON.stringify([shown, asked, messages, statusBar, opened, clipboard, log]);
  }

  for (const [how, write] of [
    ['', (token: string) => token],
    [', with letters in escapes', (token: string) => token.replaceAll('-', String.raw`\u002d`)],
    [', with zero-width spaces', (token: string) => Array.from(token).join('\u200B')],
    [', with soft hyphens in escapes', (token: string) => Array.from(token).join(String.raw`\u00ad`)],
    [', with tag characters in escapes', (token: string) => Array.from(token).join(String.raw`\udb40\udc41`)],
    [', with marks of musical notation', (token: string) => Array.from(token).join('\u{1D173}')],
    [', with control characters', (token: string) => Array.from(token).join('\u0085')],
    [', with control characters in escapes', (token: string) => Array.from(token).join(String.raw`\u0001\b`)],
    [', with separators of lines', (token: string) => Array.from(token).join('\u2028')],
    [
      ', with its first letter in an escape after a backslash',
      (token: string) => String.raw`\\\u0067` + token.slice(1),
    ],
  ] as const) {
    it(`is neither shown nor kept where a record holds it${how}`, async () => {
      const token = window.sandbox.tokens.owner;
      const answer: Answer = async (own) => {
        const response = await own();
        const headers = { link: response.headers.get('link') ?? '', 'content-type': 'application/json' };
        const text = JSON.stringify(repeating(await response.json(), `Secret ${token}`));
        return new Response(text.replaceAll(token, write(token)), { status: response.status, headers });
      };
      window.sandbox.control.transform({ path: '*', answer });
      await window.run('beacon.activity.refresh');
      await window.row(activity, /Secret/);
      await NotificationPage.open(window);
      await window.run('beacon.activity.showInsights');
      const text = await read();
      const { tooltip } = await window.row(activity, /Secret/);
      await window.restart();
      assert.match(window.kept, /Secret/);
      assert.ok(![text, tooltip, window.kept, await read()].some((one) => tells(one, token)));
    });
  }

  for (const [name, spell] of Object.entries(spellings)) {
    it(`is neither shown, logged nor kept where an error says it, ${name}`, async () => {
      const token = window.sandbox.tokens.owner;
      const said = `Secret ${spell(token)}`;
      window.closeMessages({ andQuestions: true });
      for (const [status, body] of [
        [400, { message: said, error: said }],
        [403, { message: { base: [said], [said]: [said] } }],
        [422, { error: 'insufficient_scope', error_description: said, scope: said }],
      ] as const) {
        const text = JSON.stringify(body).replaceAll(String.raw`\\u00`, String.raw`\u00`);
        const headers = { 'content-type': 'application/json', 'x-request-id': said.replaceAll(/[^\x21-\x7E]/g, '') };
        window.sandbox.control.transform({ path: '*', answer: () => new Response(text, { status, headers }) });
        for (const command of [
          'activity.refresh',
          'errorTracking.refresh',
          'notifications.open',
          'diagnoseConnection',
        ]) {
          await window.run(`beacon.${command}`);
        }
      }
      const text = await read();
      await window.restart();
      assert.ok(![text, window.kept, await read()].some((one) => tells(one, token)));
    });
  }
});
