/**
 * Takes assertions away while checks run, one at a time, by their numbers; and notes which of them threw. The versions of
 * `checks/` that `mutants.ts` makes call this. One per thread, and no two runs at the same time.
 */

let away: number | null = null;
const throwers = new WeakMap<object, Set<number>>();
const thrown = new Set<number>();

/** Runs something without one assertion; with all of them where it is null. */
export async function without<T>(number: number | null, run: () => Promise<T>): Promise<T> {
  away = number;
  try {
    return await run();
  } finally {
    away = null;
  }
}

/** The assertions that this error came through, from the inside out. */
export const throwersOf = (error: unknown): readonly number[] => [
  ...((typeof error === 'object' && error !== null && throwers.get(error)) || []),
];

/** The assertions that threw since this was asked the last time, those whose errors were caught among them. */
export function thrownSince(): readonly number[] {
  const all = [...thrown];
  thrown.clear();
  return all;
}

export const isThere = (number: number) => number !== away;

/** The expectation, or nothing in its place. */
export const expectation =
  <Args extends unknown[]>(number: number, expect: (...args: Args) => unknown) =>
  (...args: Args): unknown => {
    if (!isThere(number)) return undefined;
    try {
      const result = expect(...args);
      return result instanceof Promise ? result.catch((error: unknown) => rethrow(number, error)) : result;
    } catch (error) {
      return rethrow(number, error);
    }
  };

/** The function that makes an error. */
export const maker =
  <Args extends unknown[], E extends object>(number: number, make: (...args: Args) => E) =>
  (...args: Args): E =>
    noted(number, make(...args));

/** The class of an error. */
export function error<Args extends unknown[], E extends object>(
  number: number,
  type: new (...args: Args) => E,
): new (
  ...args: Args
) => E {
  return new Proxy(type, { construct: (target, args) => noted(number, new target(...(args as Args))) });
}

function rethrow(number: number, error: unknown): never {
  throw noted(number, error as object);
}

function noted<E extends object>(number: number, error: E): E {
  thrown.add(number);
  throwers.set(error, (throwers.get(error) ?? new Set()).add(number));
  return error;
}
