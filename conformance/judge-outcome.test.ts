import { expect, it } from 'vitest';
import type { RuleId } from '../spec/rules.ts';
import { judgeOutcome } from './judge-outcome.ts';
import { Inconclusive, NotRun, Unexpected } from './outcome.ts';

const must: RuleId = 'auth/no-key-is-403';
const should: RuleId = 'auth/forbidden-has-the-error-body';
const assumed: RuleId = 'limiter/burst-reading';
const judged = (rule: RuleId, thrown?: unknown, answers: string[] = []) =>
  judgeOutcome({ id: 'x/y', rule, title: 'the title' }, { thrown, answers, exchanges: [], duration: 1 });

it.each([
  [must, undefined, 'pass'],
  [should, undefined, 'pass'],
  [assumed, undefined, 'observed'],
  [must, new Unexpected('403', '401'), 'fail'],
  [should, new Unexpected('403', '401'), 'warn'],
  [assumed, new Unexpected('403', '401'), 'observed'],
  [must, new Inconclusive('timed out'), 'inconclusive'],
  [must, new NotRun('no key'), 'not-run'],
  [must, new TypeError('a bug of ours'), 'error'],
  [assumed, new TypeError('a bug of ours'), 'error'],
] as const)('%s that ended with %s is %s', (rule, thrown, outcome) => {
  expect(judged(rule, thrown).outcome).toBe(outcome);
});

it('carries expected and observed of what was otherwise, and the answers of what was asked', () => {
  expect(judged(must, new Unexpected('403', '401'))).toMatchObject({ expected: '403', observed: '401' });
  expect(judged(assumed, undefined, ['30 at once', 'GCRA']).message).toBe('30 at once; GCRA');
  expect(judged(must).message).toBe('the title');
});
