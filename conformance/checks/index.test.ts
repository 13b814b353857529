import { describe, expect, it } from 'vitest';
import { rulesFor } from '../../spec/rules.ts';
import { areaOf } from '../check.ts';
import { answer, asking, both, type When, withKey } from '../proof/around.ts';
import { oddities, runVirtually } from '../proof/run-virtually.ts';
import { checks } from './index.ts';

const acmeFull = 'acmefull-fake-secret-0000000000000001';
const acmeLinks = 'acmelink-fake-secret-0000000000000013';

it('have ids that nobody else has', () => {
  const ids = checks.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
  expect(ids.filter((id) => !/^[a-z]+(\/[a-z0-9-]+)+$/.test(id))).toEqual([]);
});

it('verify every rule that is for conformance to verify', () => {
  const verified = new Set(checks.map(({ rule }) => rule));
  const missing = rulesFor('conformance').filter(({ id }) => !verified.has(id));
  expect(missing.map(({ id }) => id)).toEqual([]);
});

it('hold a lock whenever they change labels', () => {
  expect(checks.filter(({ writes, locks }) => writes === 'labels' && !locks?.length).map(({ id }) => id)).toEqual([]);
});

it('all pass on the mock, one after another or together, near or far', async () => {
  for (const options of [{ parallel: 1 }, { parallel: 8, mock: { seed: 2 } }]) {
    const record = await runVirtually(checks, { ...options, slow: true });
    expect(oddities(record)).toEqual([]);
  }
});

it('never fail a network that loses connections', async () => {
  const record = await runVirtually(checks, { mock: { seed: 3, drops: (random) => random() < 0.1 } });
  expect(record.results.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn')).toEqual([]);
});

describe('controls', () => {
  const broken = { status: 418, headers: {}, body: '{"error":{"code":"TEAPOT","message":"no"}}' };
  /** The checks of these areas that still say that all is well. */
  const passing = async (when: When) => {
    const mine = checks.filter((check) => /^(auth|scopes|isolation|ids|transport)$/.test(areaOf(check)));
    const { results } = await runVirtually(mine, { mock: { around: answer(when, () => broken) } });
    return results.filter(({ outcome }) => outcome === 'pass').map(({ id }) => id);
  };

  it('make nothing pass where no lawful request of ours succeeds', async () => {
    // Those use other keys, need no success, or are about operations that nobody need have.
    const byRight = /\/(site|client)(\/|$)|legacy-site\/ours|file-register|forbidden-body|suffices|theirs|every-reply/;
    expect((await passing(withKey(acmeFull))).filter((id) => !byRight.test(id))).toEqual([]);
  });

  it('make nothing pass where labels cannot be changed lawfully', async () => {
    const lawful: When = (request) => [acmeFull, acmeLinks].some((secret) => withKey(secret)(request));
    const found = await passing(both(lawful, asking(/\/label\//)));
    expect(found.filter((id) => /label/.test(id) && !/labels-list/.test(id))).toEqual([]);
  });
});
