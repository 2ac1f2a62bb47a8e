import assert from 'node:assert/strict';
import { filterText } from '../../../src/activity/filters/filterText.ts';

describe('a filter in words', () => {
  it('names actions, target types and kinds as people do, and unknown ones as the instance does', () => {
    assert.equal(filterText({ action: 'destroyed', targetType: 'merge_request' }), 'deleted · merge request');
    assert.equal(filterText({ action: 'teleported', targetType: 'worm_hole' }), 'teleported · worm_hole');
    assert.equal(filterText({ kind: 'approved MergeRequest', author: 'ada' }), 'approved merge request · by @ada');
    assert.equal(filterText({}), '');
  });

  it('names its days', () => {
    assert.equal(filterText({ since: 'yesterday' }), 'since yesterday');
    assert.equal(filterText({ until: 'yesterday' }), 'until yesterday');
    assert.equal(filterText({ since: 'yesterday', until: 'yesterday' }), 'yesterday');
    assert.equal(
      filterText({ since: 'monday', until: 'yesterday', order: 'asc', project: { id: 7, path: 'group/project' } }),
      'in group/project · monday to yesterday · oldest first',
    );
  });
});
