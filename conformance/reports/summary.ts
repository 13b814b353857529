import { type Badge, badgeFile } from '../../spec/report-page/badge.ts';
import type { Report, ReportRow } from './report-schema.ts';

export type Summary = ReturnType<typeof summaryOf>;

/** What is published of a run: who was judged, by what, when, and each must rule once. Skipped rules are never among the kept. */
export function summaryOf(report: Report, implementation: string) {
  const musts = report.rows.filter(({ rule }) => rule.level === 'must' && rule.provenance === 'documented');
  const those = (is: (row: ReportRow) => boolean) => musts.filter(is).map(({ id }) => id);
  return {
    schemaVersion: 1 as const,
    /** Name and version of what was judged, such as `Acme API 2.4.1`. */
    implementation,
    baseUrl: report.target.baseUrl,
    kit: report.kit,
    date: report.startedAt,
    verdict: report.verdict,
    mustRules: report.mustRules,
    kept: those(({ outcome }) => outcome === 'pass'),
    broken: those(({ outcome, waived }) => (outcome === 'fail' || outcome === 'error') && !waived),
    waived: report.waivers
      .filter(({ state }) => state === 'used')
      .map(({ id, reason, expires }) => ({ id, reason, expires })),
    notJudged: musts
      .filter(({ outcome }) => ['not-run', 'inconclusive', 'not-selected'].includes(outcome))
      .map(({ id, outcome, message }) => ({ id, why: message || outcome })),
  };
}

type Counted = Pick<Summary, 'verdict' | 'kept' | 'broken' | 'waived' | 'notJudged'>;

/** What a badge of a run says. A rule that was not judged, or not selected, is never counted as kept. */
export function badgeOf({ verdict, kept, ...others }: Counted): Badge {
  const words = (['broken', 'waived', 'notJudged'] as const).flatMap((part) =>
    others[part].length > 0 ? [`${others[part].length} ${part === 'notJudged' ? 'not judged' : part}`] : [],
  );
  const color = {
    conformant: words.length > 0 ? 'yellowgreen' : 'brightgreen',
    'non-conformant': 'red',
    incomplete: 'yellow',
  } as const;
  return { label: 'Partner API', message: [`${kept.length} rules kept`, ...words].join(', '), color: color[verdict] };
}

export const badgeReport = (report: Report, path = ''): string => badgeFile(badgeOf(summaryOf(report, '')), path);
