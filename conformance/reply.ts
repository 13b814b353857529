import type { Exchange } from './evidence.ts';

/** A reply as checks read it. */
export interface Reply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as JSON; undefined where it is none. */
  readonly json: unknown;
  readonly exchange: Exchange;
  /** Made up for a plan: nothing was sent, and whatever is expected of it holds. */
  readonly planned: boolean;
  /** What to say in front of an expectation: `PUT /v1/site/10042/label/... (applySiteLabel)`. */
  readonly what: string;
}

export const succeeded = (reply: Reply) => reply.status >= 200 && reply.status < 300;

/** Every value in the reply at any depth, each with the names of the properties that lead there. */
export function* valuesOf(
  value: unknown,
  path: readonly (string | number)[] = [],
): Generator<readonly [readonly (string | number)[], unknown]> {
  yield [path, value];
  if (Array.isArray(value)) for (const [i, item] of value.entries()) yield* valuesOf(item, [...path, i]);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) yield* valuesOf(item, [...path, name]);
  }
}

/** Whether a string stands anywhere in the reply as a whole value. */
export function hasValue(reply: Reply, wanted: string): boolean {
  for (const [, value] of valuesOf(reply.json))
    if (typeof value === 'string' && value.toLowerCase() === wanted.toLowerCase()) return true;
  return false;
}
