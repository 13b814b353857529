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

it('where labels stand is not told by removals of the only label, nor nowhere if they stand in groups', () => {
  const vip = { id: '1abe1001-0000-4000-8000-000000000001' };
  const faults = (
    steps: readonly (readonly [string, readonly string[]])[],
    body: (ids: readonly string[]) => object,
  ) => {
    const learning = steps.map(([operation, carries]) => ({
      ...step('learn', operation, [...carries], []),
      body: JSON.stringify(body(carries)),
    }));
    const evidence = new Evidence();
    judgeSteps({ exchanges: learning, learned: learnedIn(learning, tenants) }, () => evidence);
    return [evidence.failures.length, evidence.unclear.length];
  };
  const removals = [[remove, []] as const, [remove, []] as const, [remove, []] as const];
  const edges = (ids: readonly string[]) => ({ edges: [vip, ...ids.map((id) => ({ id }))].map((node) => ({ node })) });
  expect(faults(removals, edges)).toEqual([0, 0]);
  expect(faults(removals, () => ({ ok: true }))).toEqual([1, 0]);
  const groups = (ids: readonly string[]) => ({
    groups: [x, y].map((one) => ({ ids: ids.filter((id) => id === one) })),
  });
  const writes = [[], [x], [x, y], [y], [x, y], [x], []].map((ids, i) => [i % 2 ? apply : remove, ids] as const);
  expect(faults(writes, groups)).toEqual([0, 0]);
});

it('labels that two records lose beside their first writes, and that stay away, are a surprise', () => {
  const lost = (records: readonly string[], atEnd: readonly string[], ...added: string[]) => {
    const exchanges = records.flatMap((id) => {
      const learning = [[], [x], [x, y], [y], [x, y], [x], []].map((one, i) =>
        step('learn', i % 2 ? apply : remove, one, i < 2 ? ['vip', ...one] : [...added, ...one]),
      );
      const all = [...learning, step('look', remove, [], [...atEnd, ...added])];
      return all.map((one) => ({ ...one, step: { ...one.step, record: `acme conversation ${id}` } }) as Exchange);
    });
    const { doubts } = judgeSteps({ exchanges, learned: learnedIn(exchanges, tenants) }, () => new Evidence());
    return doubts.flatMap(({ rule, words }) => (words.includes('vip') ? [rule] : []));
  };
  expect(lost(['1', '2'], [])).toEqual(['labels/apply-adds', 'labels/apply-adds']);
  // A colleague took it off one record, somebody put it back, or it was renamed.
  expect(lost(['1'], [])).toEqual([]);
  expect(lost(['1', '2'], ['vip'])).toEqual([]);
  expect(lost(['1', '2'], [], 'important')).toEqual([]);
});

it('says how late a write was seen', () => {
  const at = (one: Exchange, time: number) => ({ ...one, sentAt: time, doneAt: time }) as Exchange;
  const look = (shows: string[], time: number) => at(step('look', 'getConversationContext', [x], shows), time);
  const context = learning.map((one) => ({ ...one, operation: 'getConversationContext' }) as Exchange);
  const said = (...looks: Exchange[]) => {
    const exchanges = [...context, ...learning, at(step('write', apply, [x], [x]), 1_000), ...looks];
    const evidence = new Evidence();
    judgeSteps({ exchanges, learned: learnedIn(exchanges, tenants) }, () => evidence);
    return evidence.answers;
  };
  expect(said(look([x], 1_100))).toEqual([]);
  expect(said(look([], 1_100), look([], 3_100), look([x], 5_200))).toEqual([
    'a context showed a write only when asked again, 4.2 s after it',
  ]);
});
