import assert from 'node:assert/strict';
import { filterLabel } from '../../../src/activity/feed/filterMemory.ts';

describe('the label of a filter', () => {
  it('names actions, target types and kinds as people do, and unknown ones as the instance does', () => {
    assert.equal(filterLabel({ action: 'destroyed', targetType: 'merge_request' }), 'deleted · merge request');
    assert.equal(filterLabel({ action: 'teleported', targetType: 'worm_hole' }), 'teleported · worm_hole');
    assert.equal(filterLabel({ kind: 'approved MergeRequest', author: 'ada' }), 'approved merge requests · by @ada');
    assert.equal(filterLabel({}), '');
  });

  it('names its days', () => {
    assert.equal(filterLabel({ since: 'yesterday' }), 'since yesterday');
    assert.equal(filterLabel({ until: 'yesterday' }), 'until yesterday');
    assert.equal(filterLabel({ since: 'yesterday', until: 'yesterday' }), 'yesterday');
    assert.equal(
      filterLabel({ since: 'monday', until: 'yesterday', order: 'asc', project: { id: 7, path: 'group/project' } }),
      'in group/project · monday to yesterday · oldest first',
    );
  });
});
