import { expect, it } from 'vitest';
import { legalVariants } from '../../../mock/wrong/habits/index.ts';
import { rules } from '../../../spec/rules.ts';
import { named, tryVariant } from '../../proof/trials/trial.ts';
import { judgeHistory } from '../judge.ts';

const { history } = await tryVariant(named(legalVariants, 'everything-otherwise'));
const results = judgeHistory(history);

it('answers each open question from a run, and fails none', () => {
  const open = rules.filter((rule) => rule.provenance !== 'documented' && rule.verification.includes('conformance'));
  const answered = results.filter(({ outcome, finding }) => outcome === 'observed' && finding.answers);
  expect(open.map(({ id }) => id).filter((id) => !answered.some(({ rule }) => rule === id))).toEqual([]);
});

it('says where a deployment answers otherwise than we assume', () => {
  const others = results.filter(({ outcome, finding }) => outcome === 'observed' && finding.breaches.length > 0);
  expect(others.map(({ rule }) => rule)).toEqual(
    expect.arrayContaining([
      ...['context/labels-are-names', 'labels/record-is-id-and-name', 'labels/paths-and-methods'],
      ...['errors/invalid-request-is-400', 'errors/unknown-is-404', 'errors/codes', 'errors/routing'],
      ...['upload/registration-reply', 'upload/register-twice-is-409', 'limiter/burst-reading'],
    ]),
  );
});
