import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { ConfigurationError } from '../spec/files/configuration-error.ts';
import { durationForms, milliseconds } from '../spec/text/duration.ts';

/** What the options are parsed to that a function adds to a command. */
export type FlagsOf<Add extends (command: Command) => { opts(): object }> =
  ReturnType<ReturnType<Add>['opts']> extends infer Flags
    ? { readonly [Name in keyof Flags]: Flags[Name] extends true | undefined ? boolean | undefined : Flags[Name] }
    : never;

/** What reads the value of an option. @param what a valid one, for whoever gives another */
export const parser =
  <T>(what: string, read: (text: string) => T | undefined) =>
  (text: string): T => {
    const value = read(text);
    if (value === undefined) throw new InvalidArgumentError(`Give ${what}.`);
    return value;
  };

/** An option that may be given several times. @param read what is given at once */
export const repeatable = <const Flags extends string, T>(
  flags: Flags,
  description: string,
  read: (text: string) => readonly T[],
  preset = 'none',
) =>
  new Option(flags, description)
    .default([], preset)
    .argParser((text: string, before: readonly T[]): readonly T[] => [...before, ...read(text)]);

/** A text of this form. */
export const textOf = (what: string, form: RegExp) => parser(what, (text) => (form.test(text) ? text : undefined));

/** A number with which this is true. */
export const numberOf = (what: string, isRight: (number: number) => boolean, form = /./) =>
  parser(what, (text) => (form.test(text) && isRight(Number(text)) ? Number(text) : undefined));

/** A duration above 0, in milliseconds. */
export const duration = parser(durationForms, (text) => milliseconds(text) || undefined);

export const positive = numberOf('a number above 0', (number) => number > 0 && Number.isFinite(number));

export const positiveInteger = numberOf('a whole number of at least 1', (number) => number > 0, /^\d+$/);

export const portNumber = numberOf('a whole number from 0 to 65535', (number) => number <= 65_535, /^\d+$/);

/** The address of a server, which may have a path, without a slash at its end. */
export const httpUrl = parser(
  'scheme, host and perhaps a path, for example https://api.example.com/partner',
  (text) => {
    const { protocol = '', origin, pathname, href = '' } = URL.parse(text) ?? {};
    return /^https?:$/.test(protocol) && `${origin}${pathname}` === href ? href.replace(/\/+$/, '') : undefined;
  },
);

/** The address of a server without a path. */
export const httpOrigin = parser('scheme and host without a path, for example http://mock.internal:8080', (text) =>
  URL.parse(text)?.origin === text.replace(/\/$/, '') ? httpUrl(text) : undefined,
);

/** @throws ConfigurationError that says how to get a target file */
export function requiredTarget({ target }: { readonly target?: string | undefined }): string {
  if (target !== undefined) return target;
  throw new ConfigurationError([
    '--target FILE is missing: the target file describes the deployment; `partnerkit init` writes one',
  ]);
}
