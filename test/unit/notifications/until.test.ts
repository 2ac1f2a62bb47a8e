import assert from 'node:assert/strict';
import { parseMoment, untilChoices, writeMoment } from '../../../src/notifications/profiles/profileStore.ts';

describe('the end of a profile', () => {
  const kinds = (now: Date) => untilChoices(now).map(({ kind }) => kind);

  it('is suggested by the time of day and the day of the week', () => {
    assert.deepEqual(kinds(new Date(2026, 10, 18, 10)), ['hour', 'evening', 'tomorrow', 'monday']);
    assert.deepEqual(kinds(new Date(2026, 10, 18, 20)), ['hour', 'tomorrow', 'monday']);
    assert.deepEqual(kinds(new Date(2026, 10, 22, 17, 30)), ['evening', 'hour', 'tomorrow']);
    const monday = untilChoices(new Date(2026, 10, 16, 10)).find(({ kind }) => kind === 'monday');
    assert.equal(monday?.time, new Date(2026, 10, 23, 9).getTime());
  });

  const now = new Date(2026, 10, 21, 10, 42);
  const rows: readonly [text: string, moment: Date | undefined][] = [
    ['2026-12-24 18:00', new Date(2026, 11, 24, 18)],
    [' 2026-12-24T08:05 ', new Date(2026, 11, 24, 8, 5)],
    ['18:00', new Date(2026, 10, 21, 18)],
    ['2026-04-31 18:00', undefined],
    ['24:00', undefined],
    ['18:60', undefined],
    ['tomorrow', undefined],
    ['', undefined],
  ];
  for (const [text, moment] of rows) {
    it(`typed as ${JSON.stringify(text)} is ${moment === undefined ? 'not understood' : 'read'}`, () => {
      assert.equal(parseMoment(text, now), moment?.getTime());
    });
  }

  it('is read as it is written', () => {
    assert.equal(parseMoment(writeMoment(now.getTime()), new Date(0)), now.getTime());
  });
});
