import { expect, it } from 'vitest';
import { checks } from '../checks/index.ts';
import type { Defect } from './defect.ts';
import { defects } from './defects/index.ts';
import { judgeDefect } from './judge-defect.ts';
import { instead, onReply } from './tamper.ts';

const few = checks.filter(({ id }) => ['auth/no-key/health', 'auth/no-key/labels-list'].includes(id));
const broken: Omit<Defect, 'around'> = { id: 'test/defect', breaks: 'auth/no-key-is-403', does: 'answers 401' };
const unauthorized = onReply(({ refused, reply }) => (refused === 'no-key' ? { ...reply, status: 401 } : undefined));

it('counts a defect as killed when a check of its rule fails', async () => {
  expect(await judgeDefect({ ...broken, around: unauthorized }, few)).toMatchObject({
    fate: 'killed',
    killedBy: few.map(({ id }) => id),
    collateral: [],
  });
});

it('does not count the failure of another rule: that is collateral, and the defect survives', async () => {
  const defect: Defect = { ...broken, breaks: 'auth/unknown-key-is-403', around: unauthorized };
  expect(await judgeDefect(defect, few)).toMatchObject({ fate: 'survived', collateral: few.map(({ id }) => id) });
});

it('tells a defect that was never reached from one that survived', async () => {
  const never = instead(({ request }) =>
    request.method === 'TRACE' ? { status: 200, headers: {}, body: '' } : undefined,
  );
  expect(await judgeDefect({ ...broken, around: never }, few)).toMatchObject({ fate: 'noise', killedBy: [] });
});

it('reports those that nobody can see as survivors', async () => {
  for (const defect of defects.filter(({ survives }) => survives)) {
    expect(await judgeDefect(defect, checks)).toMatchObject({ fate: 'survived', survives: true, collateral: [] });
  }
});
