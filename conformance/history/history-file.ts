import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { placeOf, shapeProblems } from '../../spec/files/shape-problems.ts';
import type { HookCall } from '../hooks/hook-call.ts';
import type { Exchange } from './exchange.ts';
import type { History, Known, Skipped } from './history.ts';
import { lineShapes } from './line-shapes.ts';

type Ending = Pick<History, 'interrupted' | 'finishedAt' | 'left' | 'exercised' | 'blocked'>;

/** One line of a history file. */
type Line =
  | ({ readonly type: 'history'; readonly version: 2 } & Known)
  | ({ readonly type: 'exchange' } & Exchange)
  | ({ readonly type: 'hook' } & HookCall)
  | ({ readonly type: 'skipped' } & Skipped)
  | ({ readonly type: 'end' } & Ending);

/** A history as JSON Lines: the header, every exchange and hook, skipped scripts, the end. */
export const historyText = (history: History): string =>
  [
    beginning(history.known),
    ...history.exchanges.map(exchangeLine),
    ...history.hooks.map(hookLine),
    ending(history),
  ].join('');

/** The header line. */
export const beginning = (known: Known): string => lineOf({ type: 'history', version: 2, ...known });

/** The line of one exchange. Lines after the header may stand in any order. */
export const exchangeLine = (exchange: Exchange): string => lineOf({ type: 'exchange', ...exchange });

/** The line of one hook call. */
export const hookLine = (call: HookCall): string => lineOf({ type: 'hook', ...call });

/** The last lines: skipped scripts, and the end. */
export const ending = ({
  skipped,
  interrupted,
  finishedAt,
  left,
  exercised,
  blocked,
}: Omit<History, 'known' | 'exchanges' | 'hooks'>): string =>
  [
    ...skipped.map((one) => lineOf({ type: 'skipped', ...one })),
    lineOf({ type: 'end', interrupted, finishedAt, left, exercised, ...(blocked !== undefined && { blocked }) }),
  ].join('');

const lineOf = (line: Line) => `${JSON.stringify(line)}\n`;

/**
 * Reads what `historyText` wrote.
 * @param where what errors call it, such as the name of its file
 * @throws ConfigurationError that names the line
 */
export function parseHistory(text: string, where: string): History {
  let known: Known | undefined;
  const exchanges: Exchange[] = [];
  const hooks: HookCall[] = [];
  const skipped: Skipped[] = [];
  // A killed run writes no end.
  let end: Ending = {
    interrupted: true,
    finishedAt: '',
    left: [],
    exercised: [],
  };
  const lines = text.split('\n');
  lines.forEach((line, index) => {
    if (line === '') return;
    const problem = (what: string) => new ConfigurationError([`${where}:${index + 1}: ${what}`]);
    const parsed = parseLine(line);
    // Half a line at the end, of a run that was killed while it wrote.
    if (parsed === undefined && index > 0 && index === lines.length - 1) return;
    if (parsed === undefined) throw problem('this is not a line of a history: expected JSON with a type');
    const { type, ...rest } = parsed;
    if (index === 0 && type !== 'history') throw problem('a history must begin with a line of type "history"');
    const misshapen = misshapenIn(parsed);
    if (type === 'history') {
      const { version, ...header } = rest as Extract<Line, { type: 'history' }>;
      if (version !== 2)
        throw problem(
          `this history has version ${version}; this partnerkit reads version 2, whose lines say what each request was for: run again with --history`,
        );
      if (misshapen !== null) throw problem(misshapen);
      known = header;
    } else if (misshapen !== null) throw problem(misshapen);
    else if (type === 'exchange') exchanges.push(rest as unknown as Exchange);
    else if (type === 'hook') hooks.push(rest as unknown as HookCall);
    else if (type === 'skipped') skipped.push(rest as unknown as Skipped);
    else if (type === 'end') end = { ...end, ...(rest as typeof end) };
    else throw problem(`unknown type "${type}"`);
  });
  if (known === undefined)
    throw new ConfigurationError([`${where}: the file is empty; give a file that a run wrote with --history`]);
  const finishedAt = end.finishedAt || new Date(exchanges.at(-1)?.doneAt ?? Date.parse(known.startedAt)).toISOString();
  exchanges.sort((a, b) => a.n - b.n);
  hooks.sort((a, b) => a.startedAt - b.startedAt);
  return { ...end, known, exchanges, hooks, skipped, finishedAt };
}

/** What no run writes so; null where the line is as runs write it. */
function misshapenIn(line: Line): string | null {
  const shape = Object.hasOwn(lineShapes, line.type) ? lineShapes[line.type] : undefined;
  const error = shape?.safeParse(line, { reportInput: true }).error;
  const [first] = error === undefined ? [] : shapeProblems(error);
  return first === undefined ? null : `${placeOf(first.path)}: ${first.message}`;
}

function parseLine(line: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'type' in value ? (value as Line) : undefined;
  } catch {
    return undefined;
  }
}
