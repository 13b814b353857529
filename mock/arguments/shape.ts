import { remedy } from '../../spec/text/remedy.ts';

/** A problem of a value, and its place. */
interface Wrong {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * Returns all problems of a value. Zod would do the same, but takes as long to load as the whole mock, and these checks run
 * in every test that uses a mock.
 */
export type Shape = (value: unknown) => Wrong[];

const right: Wrong[] = [];
const wrong = (message: string): Wrong[] => [{ path: [], message }];
const within = (step: string | number, problems: readonly Wrong[]): Wrong[] =>
  problems.map(({ path, message }) => ({ path: [step, ...path], message }));

/** Checks a value with a test. */
export const fits =
  (test: (value: never) => boolean, message: string): Shape =>
  (value) =>
    test(value as never) ? right : wrong(message);

export const anything: Shape = () => right;

export const text =
  (maxLength = 2_000): Shape =>
  (value) => {
    if (typeof value !== 'string') return wrong('must be a text');
    if (value === '') return wrong('must not be empty');
    return value.length > maxLength ? wrong(`must have at most ${maxLength} characters`) : right;
  };

export const whole =
  (min: number, max = Number.POSITIVE_INFINITY): Shape =>
  (value) => {
    if (!Number.isInteger(value)) return wrong('must be a whole number');
    if (Number(value) < min) return wrong(min === 0 ? 'must not be negative' : `must be at least ${min}`);
    return Number(value) > max ? wrong(`must be at most ${max}`) : right;
  };

/** Checks that the value is one of these words. */
export const oneOf =
  (words: readonly string[]): Shape =>
  (value) => {
    if (typeof value !== 'string') return wrong(`must be one of ${words.join(', ')}`);
    return words.includes(value) ? right : wrong(`unknown value "${value.slice(0, 40)}"; ${remedy(value, words)}`);
  };

export const listOf =
  (shape: Shape): Shape =>
  (value) =>
    Array.isArray(value) ? value.flatMap((item, index) => within(index, shape(item))) : wrong('must be a list');

/** Checks that at least one of the shapes fits. */
export const either =
  (message: string, ...shapes: readonly Shape[]): Shape =>
  (value) =>
    shapes.some((shape) => shape(value).length === 0) ? right : wrong(message);

/** Checks an object with these properties and no others. Properties that are not required may be undefined. */
export const object =
  (properties: Readonly<Record<string, Shape>>, required: readonly string[] = []): Shape =>
  (value) => {
    const names = Object.keys(properties);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return wrong(`must be an object with ${names.join(', ')}`);
    }
    const given = value as Readonly<Record<string, unknown>>;
    const unknown = Object.keys(given).filter((name) => !Object.hasOwn(properties, name));
    return [
      ...unknown.slice(0, 20).map((name) => ({
        path: [name.slice(0, 40)],
        message: `unknown property; ${remedy(name.slice(0, 40), names)}`,
      })),
      ...names.flatMap((name) => {
        if (given[name] === undefined) return required.includes(name) ? within(name, wrong('is missing')) : right;
        return within(name, properties[name]?.(given[name]) ?? right);
      }),
    ];
  };
