import { expect, it } from 'vitest';
import { alsoAfter, drop, put } from '../../mock/wrong/tampering/label-write.ts';
import { onReplyTo } from '../../mock/wrong/tampering/when.ts';
import { memoryJournal } from '../journal/write-journal.ts';
import { tryDefect } from '../proof/trials/trial.ts';
import { virtualMock } from '../proof/trials/virtual-mock.ts';
import { gather } from '../run/run.ts';
import { deploymentOf } from '../target/deployment.ts';
import { judgeBy, judgeHistory, lawOf } from '../verdict/judge.ts';
import { scripts } from './index.ts';
import type { Script } from './script.ts';

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

it('sees a label of the other tenant that is taken off there, though the removal is refused', async () => {
  const byLabelAlone = onReplyTo({ id: 'removeConversationLabel', status: 404 }, ({ mock, params }) => {
    for (const tenant of mock.tenants.values())
      for (const holder of tenant.records.conversations.values())
        drop({ tenant, holder, label: tenant.records.labels.get(params.labelId ?? '') });
    return undefined;
  });
  const { environment, target } = await virtualMock({
    around: (scene) => byLabelAlone({ ...scene, reached: () => {} }),
  });
  const others = [...scripts(deploymentOf(target))].filter((one): one is Script => one.id === 'labels/others');
  const options = { environment, journal: memoryJournal(), kit: 'test', scripts: others };
  const rule = 'isolation/writes-stay-in-tenant';
  expect(judgeBy(lawOf(rule), await gather(target, options)).outcome).toBe('fail');
});
