import { withoutControls } from '../../spec/text/terminal-text.ts';
import { durationInWords } from '../../spec/text/time-in-words.ts';
import { wrapped } from '../../spec/text/wrapped.ts';
import type { LoadReport } from './report-schema.ts';
import { bucketOf, remediesOf, ruleRows } from './rule-rows.ts';

type Key = LoadReport['keys'][number];

/** Colours a text where the terminal shows colours. Lines are broken only where it has columns. */
export type Paint = ((style: Style | [Style, 'bold'], text: string) => string) & { readonly columns?: number };
type Style = 'green' | 'red' | 'yellow' | 'cyan' | 'dim' | 'bold';

const colours = { pass: 'green', fail: 'red', inconclusive: 'yellow', observed: 'cyan', 'not judged': 'dim' } as const;

/** The summary for a person at a terminal; its last line is the verdict, which no other line repeats. */
export function terminalReport(untrusted: LoadReport, paint: Paint = (_, text) => text): string {
  const report = withoutControls(untrusted);
  const { scenario, target, keys, outcome, sentence } = report;
  const { word, colour } = headings[outcome];
  const more = keys.length > maxKeys ? [`  ... and ${keys.length - maxKeys} more keys`] : [];
  const head = `${scenario}${target && ` against ${target}`}: ${factsOf(report).join(', ')}`;
  const doubts = doubtsIn(report).slice(0, 5);
  return paragraphs([
    [wrapped(head, '  ', paint)],
    ruleRows(report).map(({ rule, outcome, level, fact }) =>
      line(outcome, `${rule}${level === 'should' ? ' (should)' : ''}${fact && `: ${fact}`}`, paint, colours[outcome]),
    ),
    [...shownKeys(keys).map((key) => wrapped(keyLine(key, keys.length > 1), '    ', paint)), ...more],
    doubts.map(({ text }) => line('doubt', text, paint)),
    doLines(report, paint),
    [wrapped(`${word}: ${sentence}`, '  ', paint).replace(word, (said) => paint([colour, 'bold'], said))],
  ]);
}

/** Lines in parts, with a blank line between them. */
export const paragraphs = (parts: readonly (readonly string[])[]): string =>
  `${parts.flatMap((lines) => (lines.length > 0 ? [lines.join('\n')] : [])).join('\n\n')}\n`;

/** A line that begins with a word, which says what it is about. */
export const line = (word: string, text: string, paint: Paint, colour: Style = 'bold'): string =>
  `  ${paint(colour, word.padEnd(12))} ${wrapped(text, ' '.repeat(15), paint)}`;

/** Remedies, as a terminal shows them. */
export const doLines = (report: LoadReport, paint: Paint): string[] =>
  remediesOf(report).map((text, i) => line(i === 0 ? 'do' : '', text, paint));

/** The reasons that neither the sentence of the verdict nor a rule says. */
export const doubtsIn = ({ reasons, sentence, rules }: LoadReport): LoadReport['reasons'] =>
  reasons.filter(({ text }) => ![sentence, ...rules.map(({ seen }) => seen)].some((said) => said.includes(text)));

/** What a run is called. */
export const headings = {
  keeps: { word: 'PASS', colour: 'green', says: 'keeps the contract' },
  breaks: { word: 'FAIL', colour: 'red', says: 'breaks the contract' },
  'cannot-tell': { word: 'CANNOT TELL', colour: 'yellow', says: 'cannot tell' },
} as const;
const maxKeys = 8;

/** The keys that a report shows. Those that do not pass come first. */
export const shownKeys = (keys: readonly Key[]): readonly Key[] =>
  [...keys].sort((a, b) => Number(a.verdict === 'pass') - Number(b.verdict === 'pass')).slice(0, maxKeys);

/** @param isOneOf several keys, whose figures no rule says */
function keyLine(one: Key, isOneOf: boolean): string {
  const { key, counts, measured, limit } = one;
  const { admitted, throttled, unknown } = counts;
  const lost = unknown > 0 ? `, ${unknown} without an answer` : '';
  // A key that was never throttled has shown no limit.
  if (throttled === 0)
    return `  ${key}: ${admitted} admitted, none throttled${lost} (declared ${limit.perSecond} rps, burst ${limit.burst})`;
  const figures = isOneOf ? bucketOf(one).map(({ name, bounds, declared }) => `${name} ${bounds} (${declared})`) : [];
  const said = measured.bucket ? figures : ['no token bucket would answer so'];
  return `  ${key}: ${[`${admitted} admitted, ${throttled} throttled${lost}`, ...said].join('; ')}`;
}

/** How long a run took, how much it sent, how fast the answers came. */
export function factsOf({ seconds, traffic: { requests, durationMs } }: LoadReport): string[] {
  const { p50, p95, p99 } = durationMs;
  const words = (value: number | null) => durationInWords(value ?? 0);
  const took = p50 === null ? [] : [`median ${words(p50)}`, `p95 ${words(p95)}`, `p99 ${words(p99)}`];
  return [`${seconds} s`, `${requests} requests`, ...took];
}
