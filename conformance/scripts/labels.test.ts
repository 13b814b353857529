import { expect, it } from 'vitest';
import { alsoAfter, put } from '../../mock/wrong/tampering/label-write.ts';
import { tryDefect } from '../proof/trials/trial.ts';
import { judgeHistory } from '../verdict/judge.ts';

it('sees a label that is put on a record together with another, which has none of it yet', async () => {
  const spread = alsoAfter(
    ({ does, on, label }) => does === 'apply' && on === 'site' && label?.name === 'spare',
    (write) => {
      for (const holder of write.tenant.records.links.values()) put({ ...write, holder });
    },
  );
  const rules = new Set(['labels/apply-adds'] as const);
  const { history } = await tryDefect({ around: spread } as never, { rules });
  const [result] = judgeHistory(history, { only: ['labels/apply-adds'] }).filter(({ rule }) =>
    rules.has(rule as never),
  );
  expect(result?.outcome).toBe('fail');
});
