import type { LoadReport } from '../report-schema.ts';
import { burstText, rateText, shownKeys } from '../terminal-report.ts';

/** One figure of two runs. */
export interface Difference {
  readonly what: string;
  readonly before: string;
  readonly after: string;
  /** Null for figures of which neither value is better: latencies and counts differ from run to run. */
  readonly turn: 'better' | 'worse' | null;
}

type Rule = LoadReport['rules'][number];
type Key = LoadReport['keys'][number];

const outcomeRank = { keeps: 0, 'cannot-tell': 1, breaks: 2 } as const;
const ruleRank = { pass: 0, observed: 0, inconclusive: 1, fail: 2 } as const;
const absent = '-';

/** The figures of two runs: verdict, rules, how much of each key was admitted, latency. */
export function diffRuns(before: LoadReport, after: LoadReport): readonly Difference[] {
  const same = (what: string, ofOne: (report: LoadReport) => string): Difference => ({
    what,
    before: ofOne(before),
    after: ofOne(after),
    turn: null,
  });
  return [
    {
      ...same('verdict', ({ outcome }) => outcome.replace('-', ' ')),
      turn: turned(outcomeRank[before.outcome], outcomeRank[after.outcome]),
    },
    ...paired(before.rules, after.rules, ({ rule }) => rule).map(([rule, old, now]) => ruleRow(rule, old, now)),
    ...paired(shownKeys(before.keys), shownKeys(after.keys), ({ key }) => key).flatMap(([key, old, now]) =>
      keyRows(key, old, now),
    ),
    same('requests', ({ traffic, seconds }) => `${traffic.requests} in ${seconds} s`),
    ...(['p50', 'p95', 'p99'] as const).map((quantile) =>
      same(`answered in, ${quantile === 'p50' ? 'median' : quantile}`, ({ traffic: { durationMs } }) =>
        durationMs[quantile] === null ? absent : `${durationMs[quantile]} ms`,
      ),
    ),
    same('no usable answer', ({ traffic }) => `${traffic.unanswered}`),
    same('not sent in time', ({ traffic }) => `${traffic.dropped}`),
  ];
}

function ruleRow(rule: string, old: Rule | undefined, now: Rule | undefined): Difference {
  return {
    what: rule,
    before: old?.outcome ?? absent,
    after: now?.outcome ?? absent,
    // A rule that only one of the runs judged is neither better nor worse.
    turn: old === undefined || now === undefined ? null : turned(ruleRank[old.outcome], ruleRank[now.outcome]),
  };
}

function keyRows(key: string, old: Key | undefined, now: Key | undefined): Difference[] {
  const row = (what: string, text: (one: Key) => string): Difference => ({
    what: `${key}: ${what}`,
    before: old === undefined ? absent : text(old),
    after: now === undefined ? absent : text(now),
    turn: null,
  });
  return [
    row('rate', ({ measured }) => rateText(measured).replace('rate ', '')),
    row('burst', ({ measured }) => burstText(measured).replace('burst ', '')),
    row('admitted', ({ counts }) => `${counts.admitted}`),
    row('throttled', ({ counts }) => `${counts.throttled}`),
  ];
}

const turned = (old: number, now: number): Difference['turn'] => (now > old ? 'worse' : now < old ? 'better' : null);

/** Pairs the entries of two runs by name. An entry of one run alone has no partner. */
function paired<T>(
  before: readonly T[],
  after: readonly T[],
  nameOf: (one: T) => string,
): [string, T | undefined, T | undefined][] {
  const [old, now] = [before, after].map((those) => new Map(those.map((one) => [nameOf(one), one])));
  return [...new Set([...before, ...after].map(nameOf))].map((name) => [name, old?.get(name), now?.get(name)]);
}
