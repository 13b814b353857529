import type { Report, ReportRow } from '../reports/report-schema.ts';

/** Workflow commands for GitHub: an error for each failure, a warning for each broken should and each law that could not be judged. */
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

/** A workflow command, escaped as GitHub demands. */
const annotation = (level: string, title: string, text: string) =>
  `::${level} title=${escaped(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${escaped(text)}`;

const escaped = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
