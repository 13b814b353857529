import { packageVersion } from '../../../spec/package-facts.ts';
import { counted } from '../../counted.ts';
import type { Outcome } from '../../laws/judging/judge.ts';
import { exchangeRow, numbersIn, rowOf } from '../../reports/row-of.ts';
import type { ClientResult } from '../findings.ts';
import { scopesFor } from '../scopes.ts';
import type { Traffic } from '../traffic.ts';
import type { ClientReport, ClientRow } from './client-report-schema.ts';

/** What a report is made of. */
export interface ClientCase {
  /** The command, or the file that was judged. */
  readonly subject: string;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  /** How often the command was run; 0 for a recording. */
  readonly runs: number;
  readonly traffic: readonly Traffic[];
  readonly results: readonly ClientResult[];
  readonly notes: readonly string[];
  /** Whether a warning is enough not to be certified. */
  readonly strict: boolean;
}

const outcomes: readonly Outcome[] = [
  'fail',
  'error',
  'inconclusive',
  'warn',
  'observed',
  'pass',
  'not-run',
  'not-selected',
];

/** Everything that reports show of a client. */
export function clientReportOf(client: ClientCase): ClientReport {
  const { subject, startedAt, finishedAt, runs, traffic, results, notes } = client;
  const rows = results.map(clientRow);
  const everyday = traffic.find(({ varied }) => !varied)?.requests ?? [];
  const evidence = numbersIn(rows);
  const exchanges = traffic.flatMap(({ requests }) => requests).filter(({ n }) => evidence.has(n));
  const { needed, notNeeded, line } = scopesFor(everyday);
  return {
    schemaVersion: 1,
    kit: packageVersion(),
    subject,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    durationMilliseconds: finishedAt.getTime() - startedAt.getTime(),
    ...verdictOf(client, rows),
    runs,
    operations: Object.fromEntries(
      [...Map.groupBy(everyday, ({ operation }) => operation ?? 'unknown')].map(([name, those]) => [
        name,
        those.length,
      ]),
    ),
    scopes: { needed: [...needed], notNeeded: [...notNeeded], line },
    notes: [...notes],
    outcomes: Object.fromEntries(
      outcomes.map((outcome) => [outcome, rows.filter((row) => row.outcome === outcome).length]),
    ) as ClientReport['outcomes'],
    rows,
    exchanges: exchanges.map((exchange) => exchangeRow(exchange)),
  };
}

function clientRow(result: ClientResult): ClientRow {
  const { kind, advice, again, test, output } = result;
  return { ...rowOf(result), kind, advice, again, test, output };
}

/** One sentence, and the exit code that says the same. */
function verdictOf(
  { strict, traffic }: ClientCase,
  rows: readonly ClientRow[],
): Pick<ClientReport, 'verdict' | 'exitCode' | 'sentence'> {
  const having = (outcome: Outcome) => rows.filter((row) => row.outcome === outcome);
  const [failed, warned, undecided, passed] = [having('fail'), having('warn'), having('inconclusive'), having('pass')];
  const judged = `${counted(passed.length, 'expectation')} met`;
  const warnings = warned.length === 0 ? '' : `, ${counted(warned.length, 'warning')} (${namesOf(warned)})`;
  if (failed.length > 0) {
    const sentence = `the client breaks ${counted(failed.length, 'documented duty', 'documented duties')} (${namesOf(failed)})${warnings}`;
    return { verdict: 'not-certified', exitCode: 1, sentence };
  }
  if (strict && warned.length > 0) {
    return {
      verdict: 'not-certified',
      exitCode: 1,
      sentence: `no documented duty is broken${warnings}, and --strict allows none`,
    };
  }
  const broken = having('error');
  if (broken.length > 0) {
    return { verdict: 'incomplete', exitCode: 3, sentence: `the kit itself broke over ${namesOf(broken)}` };
  }
  if (traffic.every(({ requests }) => requests.length === 0)) {
    return { verdict: 'incomplete', exitCode: 3, sentence: 'the client sent nothing that could be judged' };
  }
  if (undecided.length > 0) {
    const sentence = `nothing is broken for sure, but it could not be told of ${counted(undecided.length, 'expectation')} (${namesOf(undecided)})${warnings}`;
    return { verdict: 'incomplete', exitCode: 3, sentence };
  }
  return { verdict: 'certified', exitCode: 0, sentence: `${judged}, no documented duty broken${warnings}` };
}

function namesOf(rows: readonly ClientRow[]): string {
  const names = rows.slice(0, 3).map(({ id }) => id);
  return rows.length > 3 ? `${names.join(', ')} and ${rows.length - 3} more` : names.join(', ');
}
