import { expect, it } from 'vitest';
import { sampleReport } from '../proof/sample-report.ts';
import { annotations } from './annotations.ts';

const report = await sampleReport();
const lines = annotations(report);

it('has an error for every failure without a waiver, and warnings for what needs a look', () => {
  const failed = report.rows.filter(({ outcome, waived }) => outcome === 'fail' && !waived);
  const looked = report.rows.filter(({ outcome }) => ['warn', 'inconclusive', 'error'].includes(outcome));
  expect(failed.length).toBeGreaterThan(0);
  for (const { id, rule } of failed) {
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^::error title=${id}::${rule.id}: `)));
  }
  expect(lines.filter((line) => line.startsWith('::warning'))).toHaveLength(looked.length);
});

it('keeps any reply on one line and within its command', () => {
  const [row] = report.rows.filter(({ outcome }) => outcome === 'fail');
  if (row === undefined) throw new Error('the sample has no failure');
  const rows = [{ ...row, id: 'a:b,c', waived: false, message: 'observed: 100%\r\n::set-output name=x::1' }];
  const [line = ''] = annotations({ rows, waivers: [] });
  expect(line).toMatch(/^::error title=a%3Ab%2Cc::[^\r\n]*observed: 100%25%0D%0A::set-output/);
});
