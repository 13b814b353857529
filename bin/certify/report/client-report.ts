import { z } from 'zod';
import { counted } from '../../../conformance/counted.ts';
import { curlOf } from '../../../conformance/history/curl.ts';
import { succeeded } from '../../../conformance/history/exchange.ts';
import { exchangeSchema, outcomeSchema, rowSchema } from '../../../conformance/reports/report-schema.ts';
import { exchangeRow, numbersIn, rowOf } from '../../../conformance/reports/row-of.ts';
import { byMessage, byOutcome, outcomeWords } from '../../../conformance/reports/sections.ts';
import { countOutcomes, outcomes } from '../../../conformance/verdict/judge.ts';
import { scopes as allScopes, operationIds, operations, type Scope } from '../../../spec/operations.ts';
import { packageVersion } from '../../../spec/package-facts.ts';
import { capital } from '../../../spec/report-page/markup.ts';
import type { ClientResult } from '../findings.ts';
import type { SentRequest, Traffic } from '../traffic.ts';

const count = z.int().min(0);

const row = rowSchema.omit({ waived: true }).extend({
  kind: z.enum(['duty', 'fault', 'freedom']),
  advice: z.string().describe('What to do when something is wrong.'),
  cases: z
    .record(z.string(), z.array(z.string()))
    .describe('Variations that this remedy mends, each with the parts in which it was seen; empty for duties.'),
  again: z.string().nullable().describe('A command that reproduces the result; null for recordings.'),
  output: z
    .string()
    .nullable()
    .describe('The first error and the end of what a command printed that failed, or the line that breaks a duty.'),
});

/** The JSON report on a client. The type and `client-report.schema.json` are derived from this definition. */
export const clientReportSchema = z.strictObject({
  schemaVersion: z.literal(2),
  kit: z.string().describe('Version of partnerkit.'),
  subject: z.string().describe('The command that was run, or the recording.'),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  durationMilliseconds: z.number().min(0),
  verdict: z.enum(['certified', 'not-certified', 'incomplete']),
  exitCode: z.union([z.literal(0), z.literal(1), z.literal(3)]),
  sentence: z.string(),
  again: z.string().nullable().describe('A command that certifies again; null where certify ran none.'),
  only: z.array(z.string()).describe('What `--only` selected; empty where all was tried.'),
  runs: count.describe('How often the command was run; 0 for a recording.'),
  operations: z.record(z.string(), count).describe('Requests of an unvaried run, by operation.'),
  scopes: z.strictObject({
    needed: z.array(z.string()),
    notNeeded: z.array(z.string()),
    line: z.string().describe('The least scopes of a key, for the form of the portal.'),
  }),
  notes: z.array(z.string()).describe('What else the reader should know.'),
  outcomes: z.record(outcomeSchema, count),
  rows: z.array(row),
  exchanges: z.array(exchangeSchema).describe('The evidence that rows name by number.'),
});

/** The judgement of a client with everything that reports show, redacted. */
export type ClientReport = z.output<typeof clientReportSchema>;
export type ClientRow = ClientReport['rows'][number];

/** The input of a report. */
export interface ClientCase
  extends Pick<ClientReport, 'subject' | 'only' | 'runs' | 'notes'>,
    Partial<Pick<ClientReport, 'again'>> {
  readonly startedAt: Date;
  readonly traffic: readonly Traffic[];
  readonly results: readonly ClientResult[];
  /** Whether a client with a warning is not certified. */
  readonly strict: boolean;
  /** Whether not all was tried. */
  readonly interrupted?: boolean;
  /** Whether the client may send more. */
  readonly ongoing?: boolean;
}

/** The data of all reports on a client. */
export function clientReportOf(client: ClientCase): ClientReport {
  const { subject, startedAt, only, again = null, runs, traffic, results, notes } = client;
  const finishedAt = new Date();
  const rows = results.map(({ kind, advice, cases, again, output, ...law }): ClientRow => {
    return { ...rowOf(law), kind, advice, cases, again, output };
  });
  const unvaried = traffic.find(({ varied }) => !varied)?.requests ?? [];
  const evidence = numbersIn(rows);
  const exchanges = traffic.flatMap((one) =>
    one.requests
      .filter(({ n }) => evidence.has(n))
      .map((request) => ({ ...exchangeRow(request), curl: clientCurl(request, one) })),
  );
  const byOperation = Map.groupBy(unvaried, ({ operation }) => operation ?? 'unknown');
  const used = operationIds.filter((id) => byOperation.has(id));
  const { needed, notNeeded } = scopesFor(unvaried);
  return {
    schemaVersion: 2,
    kit: packageVersion(),
    subject,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    durationMilliseconds: finishedAt.getTime() - startedAt.getTime(),
    ...verdictOf(client, rows, used),
    again,
    only,
    runs,
    operations: Object.fromEntries([...byOperation].map(([name, { length }]) => [name, length])),
    scopes: { needed: [...needed], notNeeded: [...notNeeded], line: needed.join(' ') || 'none' },
    notes,
    outcomes: countOutcomes(rows),
    rows,
    exchanges,
  };
}

/** The least scopes that a key needs for the requests that succeeded. */
export function scopesFor(requests: readonly SentRequest[]): Record<'needed' | 'notNeeded', readonly Scope[]> {
  const used = requests
    .filter(succeeded)
    .flatMap(({ operation }) => (operation === null || operation === 'storage' ? [] : operations[operation].scopes));
  const isUsed = (scope: Scope) => used.includes(scope);
  return { needed: allScopes.filter(isUsed), notNeeded: allScopes.filter((scope) => !isUsed(scope)) };
}

/** The request of a client as a shell command, for a shell that has the variables of the client. */
export const clientCurl = (request: SentRequest, { given, marks }: Traffic): string =>
  curlOf(request, new Map([...given, ...marks.map((mark) => [mark, mark.slice(1)] as const)]));

/** Whether there is something to do about a row. */
const needsALook = ({ outcome }: ClientRow) => outcomes.indexOf(outcome) <= outcomes.indexOf('inconclusive');

const loses = ({ rule: { id } }: ClientRow) => ['client/tells-failures', 'client/finishes-uploads'].includes(id);

/** What loses work that nobody misses comes before what is untidy, and what the specification asks for before what we assume. */
export function worstFirst(rows: readonly ClientRow[]): ClientRow[] {
  const rank = (row: ClientRow) => 2 * Number(loses(row)) + Number(row.rule.provenance === 'documented');
  return rows.toSorted((a, b) => rank(b) - rank(a));
}

/** What nobody knows of a client, by what it did not do to show it, or what else the reason is, and what would show it. */
export const unjudgedIn = ({ rows, runs }: Pick<ClientReport, 'rows' | 'runs'>) => ({
  groups: byMessage(rows.filter(({ outcome }) => outcome === 'not-run')),
  hint: `To have these judged, let a test do what the client did not do here.${runs === 0 ? ' Faults come only where certify runs the client: `npx partnerkit certify -- npm test`.' : ''}`,
});

/** What there is to do, each with all rows that have one remedy, or could not be judged for one reason, such as an interruption. */
export function findingsIn(rows: readonly ClientRow[]) {
  // A variation that fails by the request that breaks a duty is one with it, and its remedy says more.
  const varied = rows.filter(({ kind }) => kind !== 'duty');
  const advised = new Map(varied.flatMap(({ breaches, advice }) => breaches.map(({ exchange }) => [exchange, advice])));
  const remedyOf = ({ outcome, message, breaches: [first], advice }: ClientRow) =>
    outcome === 'inconclusive' ? message : (first && advised.get(first.exchange)) || advice;
  const groups = Map.groupBy(byOutcome(worstFirst(rows.filter(needsALook))), remedyOf);
  return [...groups].flatMap(([remedy, all]) => {
    const [row, ...others] = all;
    const words = outcomeWords({ outcomes: countOutcomes(all) }).replace(/^1 (?=\w+$)/, '');
    if (row === undefined) return [];
    const title = row.outcome !== 'inconclusive' ? remedy : others.length > 0 ? capital(remedy) : row.advice;
    return [{ title, remedy, row, others, words }];
  });
}

/** The cases of a row, those with the same parts together: `reset, lost-reply (listLabels, getSite)`. Empty where there is but one. */
export function casesText({ cases }: Pick<ClientRow, 'cases'>): string {
  if (Object.values(cases).flat().length < 2) return '';
  const groups = Map.groupBy(Object.entries(cases), ([, parts]) => parts.join(', '));
  return [...groups].map(([parts, same]) => `${same.map(([id]) => id).join(', ')} (${parts})`).join('; ');
}

/** `certified in part`, where `--only` left something out, or no command was run under faults and freedoms. */
export const verdictWords = ({ verdict, only, runs }: ClientReport): string =>
  verdict === 'certified' && (only.length > 0 || runs === 0) ? 'certified in part' : verdict.replace('-', ' ');

/** One sentence, and the exit code that says the same. */
function verdictOf(
  { strict, traffic, interrupted, ongoing, only, runs }: ClientCase,
  rows: readonly ClientRow[],
  used: readonly string[],
): Pick<ClientReport, 'verdict' | 'exitCode' | 'sentence'> {
  const { fail, warn, error, inconclusive, pass, 'not-run': notRun } = countOutcomes(rows);
  const assumed = rows.filter(({ outcome, rule }) => outcome === 'warn' && rule.provenance !== 'documented').length;
  const whose = assumed > 0 ? ` (${assumed} assumed by partnerkit)` : '';
  const warnings = warn === 0 ? '' : `; ${counted(warn, 'warning')}${whose}`;
  const broken = `the client breaks ${counted(fail, 'documented duty', 'documented duties')}${warnings}`;
  const undecided = counted(inconclusive, 'expectation');
  const notCertified = (sentence: string) => ({ verdict: 'not-certified', exitCode: 1, sentence }) as const;
  const incomplete = (sentence: string) => ({ verdict: 'incomplete', exitCode: 3, sentence }) as const;
  if (interrupted)
    return incomplete(`interrupted before ${undecided} could be judged${fail > 0 ? `; so far ${broken}` : warnings}`);
  if (fail > 0) return notCertified(broken);
  if (strict && warn > 0) return notCertified(`no documented duty is broken${warnings}, and --strict asks for all`);
  if (error > 0) return incomplete(`a bug of partnerkit: ${counted(error, 'judgement')} ended in an error`);
  if (traffic.every(({ requests }) => requests.length === 0))
    return incomplete('the client sent nothing that could be judged');
  if (inconclusive > 0)
    return incomplete(`no documented duty is surely broken, but ${undecided} could not be judged${warnings}`);
  // A row may tell of several variations, and several rows of one.
  const all = new Set(rows.flatMap(({ id, cases }) => (Object.keys(cases).length > 0 ? Object.keys(cases) : id)));
  const judged = all.size - notRun;
  if (ongoing) return incomplete(`no documented duty broken so far: ${judged} of ${all.size} judged${warnings}`);
  const asked = only.length === 0 ? '' : `only ${only.join(', ')}: `;
  const met = pass === judged ? 'all' : pass;
  const covers = used.length > 4 ? `${used.length} of ${operationIds.length} operations` : used.join(', ');
  const sentence = `${asked}${judged} of ${counted(all.size, 'expectation')} judged, ${met} met; it covers ${covers || 'no operation'}${warnings}${runs === 0 ? '; no fault or freedom tried' : ''}`;
  return { verdict: 'certified', exitCode: 0, sentence };
}
