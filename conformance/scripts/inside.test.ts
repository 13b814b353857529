import { expect, it } from 'vitest';
import type { Defect } from '../../mock/wrong/tampering/defect.ts';
import type { Target } from '../../spec/files/target.ts';
import { tryDefect } from '../proof/trials/trial.ts';

const forgets = (target: Target): Target => ({
  ...target,
  tenants: target.tenants.map((tenant) => ({
    ...tenant,
    privateLabels: tenant.privateLabels?.map((label) => ({ ...label, on: [] })),
  })),
});

it('does not take off a private label that the target file forgets, and the product shows', async () => {
  const { history, changed } = await tryDefect({ target: forgets } as unknown as Defect, {
    rules: new Set(['labels/private-never-in-a-reply']),
  });
  expect(history.hooks.filter(({ hook }) => hook === 'applyPrivateLabel').length).toBeGreaterThan(0);
  expect(changed).toEqual([]);
});
