import assert from 'node:assert/strict';
import { readLink } from '../../../src/links/linkHandler.ts';
import { codeLanguageOf, languageOfPath } from '../../../src/workspace/languages.ts';
import { instanceUrlOf, parseRemoteUrl, projectPathOf } from '../../../src/workspace/remoteUrl.ts';
import { inheritedNames } from '../../support/properties.ts';
import { recognize } from './marked.ts';

describe('names that every object of JavaScript inherits, as words of others', () => {
  for (const name of inheritedNames) {
    it(`are not known: ${name}`, () => {
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
