import { changeOf, figure, isOff } from '../../spec/limiter/describe-judgement.ts';
import { largestBurst } from '../../spec/limiter/limit.ts';
import { remediesFor } from '../../spec/report-page/page.ts';
import { withoutControls } from '../../spec/text/terminal-text.ts';
import type { LoadReport } from './report-schema.ts';

type Key = LoadReport['keys'][number];

/** Colours a text where the terminal shows colours. */
export type Paint = (style: Style | [Style, 'bold'], text: string) => string;
type Style = 'green' | 'red' | 'yellow' | 'cyan';

const colours = { pass: 'green', fail: 'red', inconclusive: 'yellow', observed: 'cyan' } as const;

/** The summary for a person at a terminal; its last line is the verdict, which no other line repeats. */
export function terminalReport(untrusted: LoadReport, paint: Paint = (_, text) => text): string {
  const report = withoutControls(untrusted);
  const { scenario, target, traffic, rules, keys, outcome, sentence } = report;
  const [word, colour] = headings[outcome];
  const { p50, p95, p99 } = traffic.durationMs;
  const took = p50 === null ? '' : `, answered in ${ms(p50)} (p95 ${ms(p95)}, p99 ${ms(p99)})`;
  const ruleLine = ({ rule, outcome, level, seen }: LoadReport['rules'][number]) =>
    `  ${paint(colours[outcome], outcome.padEnd(12))} ${rule}${level === 'should' ? ' (should)' : ''}${sentence.includes(seen) ? '' : `: ${seen}`}`;
  const more = keys.length > maxKeys ? [`  ... and ${keys.length - maxKeys} more keys`] : [];
  const doubts = doubtsIn(report).slice(0, 5);
  const parts = [
    [`${scenario}${target && ` against ${target}`}: ${traffic.requests} requests in ${report.seconds} s${took}`],
    rules.map(ruleLine),
    [...shownKeys(keys).map(keyLine), ...more],
    doubts.map(({ text }) => `  doubt: ${text}`),
    doLines(report),
    [`${paint([colour, 'bold'], word)}: ${sentence}`],
  ];
  return `${parts.flatMap((lines) => (lines.length > 0 ? [lines.join('\n')] : [])).join('\n\n')}\n`;
}

/** Remedies, as a terminal shows them. */
export const doLines = (report: LoadReport): string[] =>
  remediesOf(report).map((text, i) => `  ${(i === 0 ? 'do' : '').padEnd(12)} ${text}`);

/** What to do about the broken rules: of an only key's bucket, which figure to change. */
export const remediesOf = ({ rules, keys }: LoadReport): string[] => [
  ...new Set(
    rules.filter(isFailed).flatMap(({ rule }) => {
      const changes = keys.length > 1 ? [] : keys.flatMap((key) => changesOf(key, rule));
      return changes.length > 0 ? changes : remediesFor([rule]);
    }),
  ),
];

function changesOf({ verdict, measured, limit }: Key, rule: string): string[] {
  const [what, declared, most] =
    rule === 'limiter/steady-rate'
      ? (['rate', limit.perSecond] as const)
      : (['burst', limit.burst, largestBurst(limit)] as const);
  const isOfBucket = measured.bucket && (what === 'rate' || rule === 'limiter/burst');
  return isOfBucket && isOff(verdict, measured[what], declared, most) ? [changeOf(what, measured[what], declared)] : [];
}

/** The reasons that neither the sentence of the verdict nor a rule says. */
export const doubtsIn = ({ reasons, sentence, rules }: LoadReport): LoadReport['reasons'] =>
  reasons.filter(({ text }) => ![sentence, ...rules.map(({ seen }) => seen)].some((said) => said.includes(text)));

export const isFailed = ({ outcome }: { readonly outcome: string }): boolean => outcome === 'fail';

/** Why rules were not judged, where a broken one is the reason. */
export function openWhile({ rules }: LoadReport): string | undefined {
  const broken = rules.find(isFailed);
  return broken && `left open while ${broken.rule} is broken`;
}

const headings = {
  keeps: ['PASS', 'green'],
  breaks: ['FAIL', 'red'],
  'cannot-tell': ['CANNOT TELL', 'yellow'],
} as const;
const maxKeys = 8;

/** The keys that a report shows. Those that do not pass come first. */
export const shownKeys = (keys: readonly Key[]): readonly Key[] =>
  [...keys].sort((a, b) => Number(a.verdict === 'pass') - Number(b.verdict === 'pass')).slice(0, maxKeys);

function keyLine({ key, counts, measured, limit }: Key): string {
  const { admitted, throttled, unknown } = counts;
  const lost = unknown > 0 ? `, ${unknown} without an answer` : '';
  const declared = `declared ${limit.perSecond} rps, burst ${limit.burst}`;
  // A key that was never throttled has shown no limit.
  if (throttled === 0) return `  ${key}: ${admitted} admitted, none throttled${lost} (${declared})`;
  const bounds = `rate ${rateText(measured)} (declared ${limit.perSecond}), burst ${burstText(measured)} (declared ${limit.burst})`;
  return `  ${key}: ${admitted} admitted, ${throttled} throttled${lost}; ${measured.bucket ? bounds : 'no token bucket would answer so'}`;
}

/** "9.93 to 10.09 rps", "at least 9.90 rps", "not bounded". */
export function rateText({ rate: { low, high } }: Key['measured']): string {
  const bounds = figure({ low, high }, 2, 0);
  return bounds === undefined ? 'not bounded' : `${bounds} rps`;
}

/** Like `rateText`. Every bucket holds at least one request, so "at least 1" is not said. */
export const burstText = ({ burst: { low, high } }: Key['measured']): string =>
  figure({ low, high }, 1, 1) ?? 'not bounded';

/** `1.5 ms`, `153 ms`; a dash where nothing was measured. */
export const ms = (value: number | null): string =>
  value === null ? '-' : `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
