import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { durationForms, milliseconds } from '../spec/text/duration.ts';

/** What the options are parsed to that a function adds to a command. */
export type FlagsOf<Add extends (command: Command) => { opts(): object }> =
  ReturnType<ReturnType<Add>['opts']> extends infer Flags
    ? { readonly [Name in keyof Flags]: Flags[Name] extends true | undefined ? boolean | undefined : Flags[Name] }
    : never;

/** A duration above 0, in milliseconds. */
export function duration(value: string): number {
  const number = milliseconds(value) ?? 0;
  if (number <= 0) throw new InvalidArgumentError(`Give ${durationForms}.`);
  return number;
}

export function positive(value: string): number {
  const number = Number(value);
  if (!(number > 0 && Number.isFinite(number))) throw new InvalidArgumentError('Give a number above 0.');
  return number;
}

export function positiveInteger(value: string): number {
  if (!/^[1-9]\d*$/.test(value)) throw new InvalidArgumentError('Give a whole number of at least 1.');
  return Number(value);
}

/** The address of a server, which may have a path, without a slash at its end. */
export function httpUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.origin + url.pathname !== url.href) {
    throw new InvalidArgumentError(
      'Give scheme, host and perhaps a path, for example https://api.example.com/partner.',
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** The address of a server without a path. */
export function httpOrigin(value: string): string {
  if (!URL.canParse(value) || new URL(value).origin !== value.replace(/\/$/, '')) {
    throw new InvalidArgumentError('Give scheme and host without a path, for example http://mock.internal:8080.');
  }
  return httpUrl(value);
}

export function portNumber(value: string): number {
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65_535) throw new InvalidArgumentError('Give a whole number from 0 to 65535.');
  return port;
}
