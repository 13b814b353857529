import { z } from 'zod';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { readTextFile } from '../../spec/files/read-file.ts';
import { placeOf, tried } from '../../spec/files/shape-problems.ts';
import { targetSchema } from '../../spec/files/target.ts';
import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import { type Exchange, exchangeSchema, isObject } from './exchange.ts';
import { endSchema, type History, isoTime, type Known, type Skipped, skippedSchema } from './history.ts';
import { type HookCall, hookCallSchema } from './hook-call.ts';

/** A history as JSON Lines: the header, every exchange and hook, skipped scripts, the end. */
export const historyText = (history: History): string =>
  [
    beginning(history.known),
    ...history.exchanges.map((exchange) => lineOf('exchange', exchange)),
    ...history.hooks.map((call) => lineOf('hook', call)),
    ending(history),
  ].join('');

/** The header line. */
export const beginning = (known: Known): string => lineOf('history', { version: 2, ...known });

/** The last lines: skipped scripts, and the end. */
export const ending = ({ skipped, known: _, exchanges: __, hooks: ___, ...end }: History): string =>
  [...skipped.map((one) => lineOf('skipped', one)), lineOf('end', end)].join('');

/** A line. Those after the header may stand in any order. */
export const lineOf = (type: keyof typeof lineSchemas, line: object) => `${JSON.stringify({ type, ...line })}\n`;

/**
 * What each line must have. A history may come from anywhere, and what is missing in it must be named by its line, not by an error of the laws.
 * A later version may say more.
 */
const lineSchemas = {
  history: z.object({
    startedAt: isoTime,
    // Where environment variables were inserted is no part of a file.
    target: z.preprocess((value) => {
      const { variables: _, ...target } = Object(value);
      return target;
    }, targetSchema),
  }),
  exchange: exchangeSchema.refine(({ sentAt, doneAt }) => sentAt <= doneAt, {
    path: ['doneAt'],
    message: 'is before sentAt',
  }),
  hook: hookCallSchema,
  skipped: skippedSchema,
  end: endSchema,
} as const;

/**
 * Reads what `historyText` wrote.
 * @param where what errors call it, such as the name of its file
 * @throws ConfigurationError that names the line
 */
export function parseHistory(text: string, where: string): History {
  const lines = text.split('\n');
  const read = lines.flatMap((line, index) => {
    const problem = (what: string) => new ConfigurationError([`${where}:${index + 1}: ${what}`]);
    const parsed = jsonOrUndefined(line);
    // Half a line at the end, of a run that was killed while it wrote.
    if (line === '' || (parsed === undefined && index > 0 && index === lines.length - 1)) return [];
    if (!isObject(parsed) || typeof parsed.type !== 'string')
      throw problem('this is not a line of a history: expected JSON with a type');
    const { type, ...rest } = parsed;
    if (index === 0 && type !== 'history') throw problem('a history must begin with a line of type "history"');
    if (!isLineType(type)) throw problem(`unknown type "${type}"`);
    if (type === 'history' && rest.version !== 2)
      throw problem(
        `this history has version ${rest.version}; this partnerkit reads version 2, whose lines say what each request was for: run again with --history`,
      );
    const [first] = tried<unknown>(lineSchemas[type], parsed).problems;
    if (first !== undefined) throw problem(`${placeOf(first.path)}: ${first.message}`);
    return [{ type, rest }];
  });
  const found = <T>(type: keyof typeof lineSchemas) =>
    read.filter((line) => line.type === type).map(({ rest }) => rest as T);
  const header = found<{ readonly version: 2 } & Known>('history').at(-1);
  if (header === undefined)
    throw new ConfigurationError([`${where}: the file is empty; give a file that a run wrote with --history`]);
  const { version: _, ...known } = header;
  const exchanges = found<Exchange>('exchange').sort((a, b) => a.n - b.n);
  return {
    // A killed run writes no end.
    interrupted: true,
    finishedAt: new Date(exchanges.at(-1)?.doneAt ?? Date.parse(known.startedAt)).toISOString(),
    left: [],
    exercised: [],
    ...found<z.output<typeof endSchema>>('end').at(-1),
    known,
    exchanges,
    hooks: found<HookCall>('hook').sort((a, b) => a.startedAt - b.startedAt),
    skipped: found<Skipped>('skipped'),
  };
}

const isLineType = (type: string): type is keyof typeof lineSchemas => Object.hasOwn(lineSchemas, type);

/** Bytes. */
const maxHistory = 512 * 1024 * 1024;

/**
 * Reads a history file.
 * @throws ConfigurationError when the file cannot be read or is not a history
 */
export function readHistory(file: string): History {
  return parseHistory(readTextFile(file, maxHistory), file);
}
