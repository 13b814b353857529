import type { Report, ReportRow } from '../reports/report-schema.ts';

/** Lines that make a GitHub runner annotate the job: an error for what failed, a warning for what could not be judged or should be otherwise. */
export function annotations({ rows, waivers }: Pick<Report, 'rows' | 'waivers'>): string[] {
  return [
    ...rows.flatMap((row) => {
      const level = levelOf(row);
      return level === null ? [] : [annotation(level, row.id, textOf(row))];
    }),
    ...waivers
      .filter(({ state }) => state === 'expired' || state === 'not-needed')
      .map(({ id, state, owner, expires }) => annotation('error', id, `waiver ${state} (${owner}, until ${expires})`)),
  ];
}

function levelOf({ outcome, waived }: ReportRow): 'error' | 'warning' | null {
  if (waived) return null;
  if (outcome === 'fail') return 'error';
  return outcome === 'warn' || outcome === 'inconclusive' || outcome === 'error' ? 'warning' : null;
}

const textOf = ({ rule, message }: ReportRow): string => `${rule.id}: ${rule.text}\n${message}`;

/** Escaped as the runner's commands need it. */
const annotation = (level: string, title: string, text: string) =>
  `::${level} title=${escaped(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${escaped(text)}`;

const escaped = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
