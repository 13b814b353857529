import { expect, it } from 'vitest';
import { sampleReport } from '../proof/sample-report.ts';
import type { ReportRow } from '../reports/report-schema.ts';
import { annotations } from './annotations.ts';

const report = await sampleReport();

const failed = report.rows.filter(({ outcome, waived }) => outcome === 'fail' && !waived);

it('has at most ten, the worst first', () => {
  const ids = Array.from({ length: 12 }, (_, i) => `law-${i}`);
  const broken = ids.map((id) => ({ ...failed[0], id }) as ReportRow);
  const shown = annotations({
    rows: [...report.rows.filter(({ outcome }) => outcome === 'warn'), ...broken],
    waivers: [],
  });
  expect(shown.map((line) => /^::error title=([^:]*)::/.exec(line)?.[1])).toEqual(ids.slice(0, 10));
});

it('has errors for failures and old waivers, then warnings for what could not be judged, then broken shoulds', () => {
  const one = (outcome: string) => ({ ...report.rows[0], id: outcome, waived: false, outcome }) as ReportRow;
  const rows = ['warn', 'pass', 'inconclusive', 'error', 'not-run', 'fail'].map(one);
  const waiver = { id: 'old', reason: '', owner: 'dana', expires: '2026-01-01', state: 'expired' } as const;
  const found = annotations({ rows: [...rows, { ...one('fail'), waived: true }], waivers: [waiver] });
  expect(found.map((line) => line.split('::')[1])).toEqual([
    'error title=fail',
    'error title=old',
    'warning title=error',
    'warning title=inconclusive',
    'warning title=warn',
  ]);
});

it('keeps any reply on one line and within its command', () => {
  const [row] = report.rows.filter(({ outcome }) => outcome === 'fail');
  if (row === undefined) throw new Error('the sample has no failure');
  const rows = [{ ...row, id: 'a:b,c', waived: false, message: 'observed: 100%\r\n::set-output name=x::1' }];
  const [line = ''] = annotations({ rows, waivers: [] });
  expect(line).toMatch(/^::error title=a%3Ab%2Cc::[^\r\n]*observed: 100%25%0D%0A::set-output/);
});
