import type { LoadReport } from '../report/report-schema.ts';
import type { TimelineRow } from './timeline.ts';

type Outcome = LoadReport['outcome'];

/** The results of a watch since its first run, across interruptions. */
export interface Tally {
  readonly runs: Record<Outcome, number>;
  requests: number;
  /** When the first run began, and the last one, as ISO 8601. */
  first: string | null;
  last: string | null;
  /** The latest run that broke the contract. */
  broken: TimelineRow | null;
}

export const newTally = (): Tally => ({
  runs: { keeps: 0, breaks: 0, 'cannot-tell': 0 },
  requests: 0,
  first: null,
  last: null,
  broken: null,
});

/** Adds a run. */
export function count(tally: Tally, row: TimelineRow): void {
  tally.runs[row.outcome]++;
  tally.requests += row.requests;
  tally.first ??= row.startedAt;
  tally.last = row.startedAt ?? tally.last;
  if (row.outcome === 'breaks') tally.broken = row;
}

/** The whole watch in one sentence. */
export function describeTally({ runs, requests, first, last, broken }: Tally): string {
  const all = runs.keeps + runs.breaks + runs['cannot-tell'];
  const when = first === null ? '' : `, from ${first} to ${last}`;
  const parts = [`${runs.keeps} kept the contract`, `${runs.breaks} broke it`, `${runs['cannot-tell']} could not tell`];
  const worst = broken === null ? '' : `; last broken ${broken.startedAt}: ${broken.sentence}`;
  return `${all} run${all === 1 ? '' : 's'}, ${requests} requests${when}: ${parts.join(', ')}${worst}`;
}

/** 1 where a run broke the contract, 0 where one kept it and none broke it, 3 where none could tell. */
export const exitCodeOf = ({ runs }: Tally): number => (runs.breaks > 0 ? 1 : runs.keeps > 0 ? 0 : 3);
