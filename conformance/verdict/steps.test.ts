import { expect, it } from 'vitest';
import { parseTarget } from '../../spec/files/target.ts';
import { learnedIn } from '../experiments/views.ts';
import type { Exchange } from '../history/exchange.ts';
import { Evidence } from './law.ts';
import { judgeSteps } from './steps.ts';

const [x, y] = ['1abe1008-0000-4000-8000-000000000008', '1abe1009-0000-4000-8000-000000000009'];
const acme = {
  name: 'acme',
  keys: [{ name: 'full', secret: 'acme-secret', scopes: ['conversation:read', 'conversation:write'] }],
  spareLabel: { id: x, name: 'spare' },
  spareLabels: [{ id: y, name: 'second' }],
};
const { tenants } = parseTarget({ baseUrl: 'http://127.0.0.1', tenants: [acme] }, {}, 'test');

/** A step on one record: what it must carry, what the reply shows, and its status. */
const step = (part: string, operation: string, carries: string[], shows: string[], status = 200): Exchange =>
  ({
    ...{ operation, params: { labelId: x }, status, headers: {}, body: JSON.stringify({ labels: shows }) },
    step: { record: 'acme conversation 1', part, rule: 'labels/apply-adds', carries },
  }) as unknown as Exchange;
const [apply, remove] = ['applyConversationLabel', 'removeConversationLabel'];
const learning = [[], [x], [x, y], [y], [x, y], [x], []].map((one, i) =>
  step('learn', i % 2 ? apply : remove, one, one),
);
const surprises = (...steps: Exchange[]) => {
  const exchanges = [...learning, ...steps];
  const learned = learnedIn(exchanges, tenants);
  return judgeSteps({ exchanges, learned }, () => new Evidence()).doubts.length;
};

it('a write that is not served has nothing to show until the next one', () => {
  const look = step('look', apply, [x], []);
  expect(surprises(step('write', apply, [x], [x]), look)).toBe(1);
  expect(surprises(step('write', apply, [x], [], 429), look)).toBe(0);
  expect(surprises(step('write', apply, [x], [], 429), step('write', apply, [x], [x]), look)).toBe(1);
  // A removal that was refused, and that took the label off all the same.
  expect(surprises(step('write', remove, [], [], 429), look)).toBe(1);
});
