import { ownCommand } from '../../spec/package-facts.ts';
import { remediesFor } from '../../spec/report-page/page.ts';
import { commandLine } from '../../spec/text/shell-quoted.ts';
import { counted } from '../counted.ts';
import { countWords } from '../experiments/trial.ts';
import { bucketRemedies } from './html/limiter-strip.ts';
import type { Report, ReportExchange, ReportRow } from './report-schema.ts';

export type Evidence = ReturnType<typeof evidenceOf>[number];

/** A broken must without a waiver, or an error of the runner. */
export const isWrong = ({ outcome, waived }: Pick<ReportRow, 'outcome' | 'waived'>): boolean =>
  (outcome === 'fail' && !waived) || outcome === 'error';

/** Undecided, with replies to look at. */
const isOpen = ({ outcome, breaches }: ReportRow) => outcome === 'inconclusive' && breaches.length > 0;

/** Everything that needs a look and has replies to look at, and what went wrong without any. */
const isShown = (row: ReportRow) => ['fail', 'error', 'warn'].includes(row.outcome) || isOpen(row);

/** The breaches that a report shows for a row, each together with its exchanges, which the row names only by number. */
export function evidenceOf({ exchanges }: Pick<Report, 'exchanges'>, { breaches }: Pick<ReportRow, 'breaches'>) {
  const byNumber = new Map(exchanges.map((exchange) => [exchange.n, exchange]));
  return breaches.flatMap(({ exchange: n, expected, observed, note, with: numbers, counts, inQuestion = [] }) => {
    const exchange = byNumber.get(n);
    if (exchange === undefined) return [];
    // All that are needed to understand it, in the order of sending, the last of which shows it.
    const requests = [...numbers.flatMap((number) => byNumber.get(number) ?? []), exchange];
    const [asked] = requests.filter((one) => one !== exchange && inQuestion.includes(one.n));
    // What was sent before, where the breach is seen by a look afterwards.
    const after = asked === undefined ? '' : sentWords(asked);
    const notes = [note ?? [], counts ? countWords(counts) : []].flat();
    return [{ after, expected, observed, notes, exchange, requests }];
  });
}

/** `with acme/full`. No name is known of a key that is nobody's. */
export const withKey = ({ key, requestHeaders }: Pick<ReportExchange, 'key' | 'requestHeaders'>): string =>
  key !== null ? `with ${key}` : requestHeaders['x-api-key'] ? 'with an unknown key' : 'without a key';

/** `DELETE /v1/site/10042/label/… without a key, answered 403` */
const sentWords = ({ method, url, status, ...sent }: ReportExchange): string =>
  `${method} ${URL.parse(url)?.pathname ?? url} ${withKey(sent)}, ${status === null ? 'without a reply' : `answered ${status}`}`;

/** Each breach in plain text, with the command that repeats its last request. */
export const traceOf = (report: Pick<Report, 'exchanges'>, row: Pick<ReportRow, 'breaches'>): string[] =>
  evidenceOf(report, row).map(
    ({ expected, observed, notes, exchange }) =>
      `${[`expected ${expected}`, `got ${observed}`, ...notes].join('; ')}\n${exchange.curl}`,
  );

/** `labels/apply-adds, section Labels, documented, must` */
export const ruleWords = ({ rule: { id, section, provenance, level } }: Pick<ReportRow, 'rule'>): string =>
  `${id}, section ${section}, ${provenance}, ${level}`;

type Shown = Pick<Report, 'exchanges'> & Partial<Pick<Report, 'limiter'>>;
type Alike = ReturnType<typeof alikeIn>[number];

export type Failure = ReturnType<typeof failuresIn>[number];

/**
 * What is wrong, once for each cause, in the order of all reports: that which breaks most rules, and then most replies, before the others, each with what
 * seems to follow from it. Then what else is undecided, gets a warning, or is waived.
 */
export function failuresIn(report: Shown & Pick<Report, 'rows'>) {
  const all = alikeIn(report, report.rows.filter(isShown));
  const causes = causesOf(all.filter(({ row }) => isWrong(row) || isOpen(row)));
  const numbersOf = ([{ row }, some]: readonly [Alike, readonly Alike[]]) => {
    const broken = some.flatMap((one) => [one.row, ...one.others]);
    const rank = isWrong(row) ? 3 : row.waived ? 0 : row.outcome === 'warn' ? 1 : 2;
    return [rank, broken.length, brokenOf(broken)];
  };
  const groups = [...Map.groupBy(all, (one) => causes.get(one) ?? one)].sort(largestFirst(numbersOf));
  return groups.flatMap(([lead, some]) =>
    [lead, ...some.filter((one) => one !== lead)].map((one) => ({
      ...one,
      /** What it seems to follow from. */
      lead: one === lead ? undefined : lead,
      /** Whether others seem to follow from it. */
      isLead: one === lead && some.length > 1,
    })),
  );
}

const brokenOf = (some: readonly { readonly broken: number }[]) => some.reduce((sum, { broken }) => sum + broken, 0);

/** Compares by the first of some numbers that differs. */
const largestFirst =
  <T>(numbersOf: (one: T) => readonly number[]) =>
  (a: T, b: T): number =>
    numbersOf(b).reduce((found, number, i) => found || number - (numbersOf(a)[i] ?? 0), 0);

/** How surely a rule is the one that is broken: its share of what it applied to, then in how many replies. */
export function sureness({ applied, broken, where = [] }: ReportRow): readonly number[] {
  const seen = brokenOf(where);
  // Of what is undecided, neither is counted.
  return [seen / (applied - broken + seen) || 0, seen];
}

/** Rules that are broken in the same way together, in the order of the rows: the one that explains it best, and the others. */
const alikeIn = (report: Shown, rows: readonly ReportRow[]) =>
  byCause(rows).flatMap((some) => {
    // A key that was measured shows more of the limiter than others, and a wrong status explains what else a reply shows. Then the plainest request.
    const numbersOf = ({ row, evidence: { exchange, observed } }: (typeof all)[number]) => [
      Number(exchange.key === report.limiter?.key),
      Number(isWrong(row)),
      Number(statusIn(row.breaches[0]) !== ''),
      ...sureness(row),
      Number(observed === row.breaches[0]?.observed),
      -exchange.curl.length,
    ];
    const all = some.flatMap((row) => evidenceOf(report, row).map((evidence) => ({ row, evidence })));
    const [{ row, evidence } = { row: some[0], evidence: undefined }] = all.sort(largestFirst(numbersOf));
    if (row === undefined) return [];
    return [{ row, others: some.filter((one) => one !== row), evidence, where: whereWords(some) }];
  });

const statusIn = (breach: Pick<Evidence, 'observed'> | undefined) => /^\d{3}\b/.exec(breach?.observed ?? '')?.[0] ?? '';

/** What is known, with its word; an empty one continues the one before. */
export type Fact = readonly [word: string, text: string];

/** What is said of a failure. */
export function factsOf(row: Omit<ReportRow, 'waived'>, evidence: Evidence | undefined, where: string): Fact[] {
  if (evidence === undefined) return [['', row.message]];
  const { after, expected, observed, notes } = evidence;
  const all: Fact[] = [
    ['after', after],
    ['expected', expected],
    ['got', observed],
    ...notes.map((note): Fact => ['', note]),
    ['but', row.outcome === 'inconclusive' ? row.message : ''],
    ['where', where],
  ];
  return all.filter(([, text]) => text !== '');
}

/** What was measured of the key that shows a failure, if that is what fails. */
export const measuredFor = ({ row, evidence }: Failure, limiter: Report['limiter']) =>
  isMeasure(row) && limiter?.samples.length && limiter.key === evidence?.exchange.key ? limiter : null;

/** What to do about a failure, in sentences. @param limiter what was measured of one key */
export function remediesOf(one: Failure, limiter: Report['limiter']): string[] {
  const { row, others, evidence, lead } = one;
  if (row.outcome === 'error' || row.outcome === 'inconclusive') return [];
  if (lead) return [`Mend ${lead.row.id} first: this seems to follow from it.`];
  const { expected, observed } = evidence ?? {};
  const [status] = /^[45]\d\d\b/.exec(observed ?? '') ?? [];
  // What a reply must hold comes after the operation answers at all.
  if (status === '501') return ['Implement the operation: 501 says that there is none.'];
  if (status !== undefined && status >= '500')
    return [`Look for these requests in the log of the server: a ${status} is its own failure, whatever they ask for.`];
  if (status !== undefined && expected === 'success')
    return [`Find what refuses these requests with ${status}: nothing in them asks for that.`];
  const measured = measuredFor(one, limiter);
  const changes = measured ? bucketRemedies(measured) : [];
  if (changes.length > 0) return changes;
  // Of rules that show the same, what is broken most tells what to do.
  const isShown = ({ breaches }: ReportRow) => breaches.some((one) => one.observed === observed);
  const ids = [row, ...others]
    .filter(isShown)
    .sort(largestFirst(sureness))
    .map(({ rule }) => rule.id);
  return remediesFor(ids.slice(0, isMeasure(row) ? undefined : 1));
}

/** The command that shows a failure again. @param json path of the JSON report that has it; without one its rules are judged again */
export function againOf(
  { row: { id }, others }: Pick<Failure, 'row' | 'others'>,
  { file = 'target.yaml' }: Report['target'],
  json?: string,
): string {
  const ids = [id, ...others.map((other) => other.id)].join(',');
  const words = json === undefined ? ['run', '--only', ids] : ['reproduce', json, id];
  return commandLine([...ownCommand(), 'conformance', ...words, '--target', file]);
}

/** Whether it tells what the bucket of a key admits, with the figures in its note. */
export const isMeasure = ({ area, breaches: [first] }: ReportRow): boolean =>
  area === 'limiter' && first?.note?.startsWith('key ') === true;

const keysIn = (note = '') => note.match(/(?<=\bkey )\S+/g) ?? [];

/** Rows have one cause where their first breaches have the same words, all tell of a bucket, or the same requests break them. In the order of the rows. */
function byCause(rows: readonly ReportRow[]): (readonly ReportRow[])[] {
  const causes = new Map<string, ReportRow[]>();
  for (const row of rows) {
    const { id, breaches, where = [] } = row;
    const [first] = breaches;
    // What is broken explains what is undecided of the same.
    const kind = [isOpen(row) ? 'fail' : row.outcome, row.waived];
    // The reason behind a status is another for each rule.
    const expected = first?.expected.replace(/^(\d{3}) \(.*\)$/, '$1');
    const said = isMeasure(row) ? 'bucket' : [expected, first?.observed];
    const words = JSON.stringify(first === undefined ? id : [kind, said]);
    // Trials are as many for each rule, so their counts say nothing.
    const places = JSON.stringify(where.length === 0 || first?.counts ? id : [kind, where]);
    const cause = causes.get(words) ?? causes.get(places) ?? [];
    cause.push(row);
    causes.set(words, cause).set(places, cause);
  }
  return [...new Set(causes.values())];
}

/** By failure, the one that it follows from: its requests take for granted what that shows to be wrong, or the same request shows both. */
function causesOf(failures: readonly Alike[]): ReadonlyMap<Alike, Alike> {
  const steps = failures.map((failure) => ({ failure, ...stepsOf(failure) }));
  const meet = (some: readonly string[], others: readonly string[]) => some.some((one) => others.includes(one));
  const follows = (other: (typeof steps)[number], { seen, asked, granted }: (typeof steps)[number]) =>
    (meet(other.granted, asked) || meet(other.seen, seen)) && !meet(other.asked, granted);
  const after = (one: (typeof steps)[number]) => steps.filter((other) => other !== one && follows(other, one)).length;
  const causes = new Map<Alike, Alike>();
  // What is surely broken, and what most others follow from, leads.
  steps.sort(largestFirst((one) => [Number(isWrong(one.failure.row)), after(one), ...sureness(one.failure.row)]));
  for (const [i, other] of steps.entries()) {
    const lead = steps.slice(0, i).find((one) => !causes.has(one.failure) && follows(other, one));
    if (lead !== undefined && isWrong(lead.failure.row)) causes.set(other.failure, lead.failure);
  }
  return causes;
}

/** The requests in question and those that put the record into its state before, by operation and record; and what is seen: of a record, or the refusal of an operation. */
function stepsOf({ row, evidence }: Alike) {
  const { requests = [], exchange } = evidence ?? {};
  const { inQuestion = [exchange?.n], sight } = row.breaches.find((one) => one.exchange === exchange?.n) ?? {};
  const isAsked = ({ n }: ReportExchange) => inQuestion.includes(n);
  const state = requests.filter((one) => sight?.id === undefined || one.params.labelId === sight.id);
  const last = sight === undefined ? state : state.slice(-1);
  const names = (some: readonly ReportExchange[]) =>
    some.map(({ operation, params }) => JSON.stringify([operation, { ...params, labelId: null }]));
  const asked = names(requests.filter(isAsked));
  const refusals = statusIn(evidence) < '300' ? [] : [`${exchange?.operation} ${statusIn(evidence)}`];
  const seen = sight === undefined ? refusals : asked.map((one) => JSON.stringify([one, sight.at, sight.what]));
  return { seen, asked, granted: names(last.filter((one) => !isAsked(one))) };
}

/** `GET /v1/labels 277 times, PUT /v1/site/{id}/label/{labelId}, 5 more requests`; empty where no request shows it. */
function whereWords(rows: readonly ReportRow[]): string {
  // A bucket belongs to a key: which of its requests came too many says nothing.
  const keys = rows.filter(isMeasure).flatMap(({ breaches }) => breaches.flatMap(({ note }) => keysIn(note)));
  if (keys.length > 0) return `requests with ${[...new Set(keys)].join(', ')}`;
  // Where the same requests break several rules, each is one request. A trial has counts of its own.
  const isCounted = !rows.some(({ breaches: [first] }) => first?.counts);
  const words = (times: number) => (isCounted && times > 1 ? ` ${times} times` : '');
  const different = new Map(rows.map(({ where = [] }) => [JSON.stringify(where), where]));
  const byRequest = Map.groupBy([...different.values()].flat(), ({ request }) => request);
  const sorted = [...byRequest].map(([request, some]) => [request, brokenOf(some)] as const);
  sorted.sort((a, b) => b[1] - a[1]);
  const named = sorted.slice(0, maxPlaces).map(([request, times]) => `${request}${words(times)}`);
  const more = sorted.length - named.length;
  return [...named, ...(more > 0 ? [`${counted(more, 'more request')}`] : [])].join(', ');
}

const maxPlaces = 2;
