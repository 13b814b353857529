import { expect, it } from 'vitest';
import { linkKey } from '../../mock/store/records.ts';
import type { Defect } from '../../mock/wrong/tampering/defect.ts';
import { alsoAfter, applying } from '../../mock/wrong/tampering/label-write.ts';
import { tryDefect } from '../proof/trials/trial.ts';
import { judgeHistory } from '../verdict/judge.ts';

/** What is put on a site goes on a link of it as well. */
const cascade = alsoAfter(applying('site'), ({ tenant, holder, label }) => {
  const link = 'id' in holder && tenant.links.get(linkKey('ovcid-c11e0001-0000-4000-8000-000000000001', holder.id));
  if (link && label) tenant.applyLabel(link, label);
});

it('sees what a write puts on other records', async () => {
  const { history } = await tryDefect({ around: cascade } as unknown as Defect, {
    rules: new Set(['labels/apply-adds']),
  });
  const [failed] = judgeHistory(history).filter(({ outcome }) => outcome === 'fail');
  expect(failed).toMatchObject({ rule: 'labels/apply-adds' });
  expect(failed?.finding.breaches[0]?.exchange.script).toBe('labels/others');
});
