import { duties } from './duties/index.ts';
import { judgeDuty } from './findings.ts';
import { clientReportOf } from './report/client-report-of.ts';
import type { ClientReport } from './report/client-report-schema.ts';
import { chosenBy } from './selection.ts';
import type { Traffic } from './traffic.ts';

interface About {
  readonly subject: string;
  readonly startedAt: Date;
  /** Ids of duties; empty for all. */
  readonly only?: readonly string[];
  readonly strict: boolean;
}

/** Judges a client that certify does not run, by its duties alone. */
export function judgeTraffic(traffic: Traffic, { subject, startedAt, only = [], strict }: About): ClientReport {
  const chosen = chosenBy(only);
  return clientReportOf({
    subject,
    startedAt,
    finishedAt: new Date(),
    runs: 0,
    traffic: [traffic],
    results: duties.filter(({ rule }) => chosen.duty(rule)).map((duty) => judgeDuty(duty, [traffic])),
    notes: [],
    strict,
  });
}
