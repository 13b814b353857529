import { expect, it } from 'vitest';
import type { LawResult, Outcome } from '../verdict/judge.ts';
import { applyWaivers, assertKnownWaivers } from './verdict.ts';

const today = Date.UTC(2026, 10, 21, 12);
const result = (id: string, outcome: Outcome, rule: LawResult['rule'] = 'auth/no-key-is-403'): LawResult => {
  return { id, rule, title: '', outcome, message: '', finding: { applied: 1, breaches: [] } };
};
const record = (...results: LawResult[]) => ({ results, interrupted: false });
const waiver = (id: string, expires: string) => ({ id, expires, reason: 'r', owner: 'dana' });
const judged = (outcome: Outcome, expires: string) => {
  const other = result('auth/other', 'pass', 'auth/unknown-key-is-403');
  const { exitCode, verdict, sentence, waivers } = applyWaivers(
    record(other, result('auth/a', outcome)),
    [waiver('auth/a', expires)],
    today,
  );
  return { exitCode, verdict, sentence, state: waivers[0]?.state };
};

it('excuses a failure up to and on its last day', () => {
  expect(judged('fail', '2026-11-21')).toEqual({
    exitCode: 0,
    verdict: 'conformant',
    sentence: '1 of 2 must rules passed, 1 failed and waived',
    state: 'used',
  });
});

it('fails the run by name the day after', () => {
  expect(judged('fail', '2026-11-20')).toMatchObject({ exitCode: 1, verdict: 'non-conformant', state: 'expired' });
  expect(judged('fail', '2026-11-20').sentence).toContain('the waiver of auth/a (dana) expired on 2026-11-20');
});

it('fails the run when the law is kept, though the deployment conforms', () => {
  expect(judged('pass', '2026-12-01')).toMatchObject({ exitCode: 1, verdict: 'conformant', state: 'not-needed' });
  expect(judged('pass', '2026-12-01').sentence).toContain('the waiver of auth/a (dana) is no longer needed');
  expect(judged('pass', '2026-01-01')).toMatchObject({ exitCode: 1, state: 'expired' });
});

it.each(['not-run', 'not-selected', 'inconclusive', 'error'] as const)('says nothing about a law that is %s', (o) => {
  expect(judged(o, '2026-01-01')).toMatchObject({ state: 'not-judged', exitCode: o === 'not-selected' ? 0 : 3 });
});

it('excuses no other failure of the same rule', () => {
  const run = record(result('auth/a', 'fail'), result('auth/b', 'fail'));
  expect(applyWaivers(run, [waiver('auth/a', '2026-12-01')], today).exitCode).toBe(1);
});

it('a run of waived failures alone conforms; one that was interrupted does not', () => {
  const run = record(result('auth/a', 'fail'));
  expect(applyWaivers(run, [waiver('auth/a', '2026-12-01')], today).exitCode).toBe(0);
  expect(applyWaivers({ ...run, interrupted: true }, [], today)).toMatchObject({
    exitCode: 3,
    verdict: 'non-conformant',
    sentence: expect.stringMatching(/; interrupted$/),
  });
  const passed = record(result('auth/a', 'pass'));
  for (const part of [{ interrupted: true }, { blocked: 'nothing comes any more' }])
    expect(applyWaivers({ ...passed, ...part }, [], today)).toMatchObject({ exitCode: 3, verdict: 'incomplete' });
});

it('accepts missing evidence only with allowNotRun', () => {
  const run = record(result('auth/a', 'pass'), result('auth/b', 'not-run', 'auth/unknown-key-is-403'));
  expect(applyWaivers(run, [], today).exitCode).toBe(3);
  expect(applyWaivers(run, [], today, true).exitCode).toBe(0);
});

it('refuses waivers of laws that do not exist', () => {
  expect(() => assertKnownWaivers([waiver('auth/no-kye', '2026-12-01')], ['auth/no-key'], 'w.yaml')).toThrow(
    'w.yaml: waivers[0].id: there is no law "auth/no-kye"; did you mean "auth/no-key"?',
  );
});
