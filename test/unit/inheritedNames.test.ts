import assert from 'node:assert/strict';
import { eventIcon } from '../../src/activity/events/eventLabel.ts';
import { recognize } from '../../src/apiHints/recognize.ts';
import { readLink } from '../../src/links/linkHandler.ts';
import { settingsOf } from '../../src/notifications/settings.ts';
import { codeLanguageOf, languageOfPath } from '../../src/workspace/languages.ts';
import { instanceUrlOf, parseRemoteUrl, projectPathOf } from '../../src/workspace/remoteUrl.ts';

describe('names that every object of JavaScript inherits, as words of others', () => {
  for (const name of ['constructor', 'valueOf', 'toString', '__proto__', 'hasOwnProperty']) {
    it(`are not known: ${name}`, () => {
      const event = { id: 1, action_name: name, target_type: name, created_at: '' };
      assert.equal(eventIcon(event).id, 'pulse');
      assert.equal(eventIcon({ ...event, push_data: { action: name } }).id, 'repo-push');
      assert.ok(!Object.hasOwn(settingsOf('group', { level: 'custom', events: { [name]: true } }), name));
      assert.equal(languageOfPath(`/repositories/${name}`, ''), 'plaintext');
      assert.equal(languageOfPath(`/repositories/a.${name}`, ''), 'plaintext');
      assert.equal(codeLanguageOf(`/repositories/a.${name}`), undefined);
      assert.deepEqual(recognize({ text: 'gitlab runners', languageId: name, path: name }), []);
      assert.deepEqual(
        recognize({ text: `gitlab runners\n\`\`\`${name}\ntext\n\`\`\`\n`, languageId: 'markdown', path: 'a' }),
        [],
      );
      assert.equal(readLink(name, 'instance=https%3A%2F%2Fhost.example&project=1'), undefined);
      const remote = parseRemoteUrl(`git@${name.toLowerCase()}:group/project.git`);
      if (remote) {
        assert.equal(projectPathOf(remote, `https://${remote.host}`), 'group/project');
        assert.equal(instanceUrlOf(remote), `https://${remote.host}`);
      }
    });
  }
});
