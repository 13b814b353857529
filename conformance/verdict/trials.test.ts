import { expect, it } from 'vitest';
import { parseTarget } from '../../spec/files/target.ts';
import type { RuleId } from '../../spec/rules.ts';
import type { Exchange } from '../history/exchange.ts';
import { deploymentOf } from '../target/deployment.ts';
import type { Evidence } from './evidence.ts';
import { judgeTrials } from './trials.ts';

const key = { name: 'full', secret: 'acme-secret', scopes: ['conversation:read', 'conversation:write'] };
const deployment = deploymentOf(
  parseTarget({ baseUrl: 'http://127.0.0.1', tenants: [{ name: 'acme', keys: [key] }] }, {}, 'test'),
);
const rule: RuleId = 'labels/conversation-apply';

/** A write that is refused with 404 in the first rounds of ten, beside a look that is refused in so many. */
function failures(refusedWrites: number, refusedLooks: number): number {
  const facts = { caller: 'valid', owner: 'ours', label: null, mutation: null };
  const exchanges = Array.from({ length: 10 }, (_, round) =>
    (['control', 'script'] as const).map((arm) => {
      const isLook = arm === 'control';
      const operation = isLook ? 'getConversationContext' : 'applyConversationLabel';
      const status = round < (isLook ? refusedLooks : refusedWrites) ? 404 : 200;
      const trial = { id: 1, arm, round, rule, sign: 'wrong reply' };
      const step = isLook && { record: 'acme conversation 1', carries: [], part: 'look', rule: null };
      return { operation, key: 'acme/full', status, trial, facts: { ...facts, operation }, ...(step && { step }) };
    }),
  ).flat() as unknown as Exchange[];
  const evidence: Evidence = { kept: 0, failures: [], unclear: [] };
  const replies = { suspicions: [], clean: 800, outages: [] };
  const windows = new Map([['acme conversation 1', { all: 800, seen: new Map() }]]);
  judgeTrials(exchanges, deployment, { replies, steps: { signs: new Map(), surprises: [], windows } }, () => evidence);
  return evidence.failures.length;
}

it('a refused write is its own fault only where the look beside it is served', () => {
  expect(failures(4, 0)).toBe(1);
  expect(failures(4, 4)).toBe(0);
  expect(failures(10, 10)).toBe(0);
});
