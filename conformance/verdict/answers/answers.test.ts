import { expect, it } from 'vitest';
import { legalVariants } from '../../../mock/wrong/habits/index.ts';
import { rules } from '../../../spec/rules.ts';
import { named, tryVariant } from '../../proof/trials/trial.ts';
import { judgeHistory } from '../judge.ts';

const { history } = await tryVariant(named(legalVariants, 'everything-otherwise'));
const results = judgeHistory(history);

it('answers each open question from a run, and fails none', () => {
  const open = rules.filter((rule) => rule.provenance !== 'documented' && rule.verification.includes('conformance'));
  const answered = results.filter(({ outcome, finding }) => outcome === 'observed' && finding.answers?.length);
  expect(open.map(({ id }) => id).filter((id) => !answered.some(({ rule }) => rule === id))).toEqual([]);
});

it.each([
  ['context/labels-are-names', 'labels of a context: ids'],
  ['labels/record-is-id-and-name', 'a label: {uuid, text}'],
  ['errors/invalid-request-is-400', 'malformed-label-id: 422 INVALID'],
])('%s: says what this deployment does', (id, words) => {
  expect(results.find(({ rule }) => rule === id)?.message).toContain(words);
});
