import { expect, it } from 'vitest';
import { virtualMock } from '../proof/virtual-mock.ts';
import { run } from '../run.ts';
import { memoryJournal } from '../write-journal.ts';
import { auth } from './auth.ts';

it('passes on the mock', async () => {
  const { environment, target } = await virtualMock();
  const record = await run(target, { checks: auth, environment, journal: memoryJournal() });
  expect(record.results.map(({ id, outcome }) => [id, outcome])).toEqual([['auth/no-key', 'pass']]);
});
