import { remedy } from '../../spec/text/remedy.ts';

/** What is wrong with a value, and where in it. */
interface Wrong {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * Says everything that is wrong with a value; nothing where it is right. Zod would do the same, but takes as long to load as
 * the whole mock, and these run in every test that a mock is part of.
 */
export type Shape = (value: unknown) => Wrong[];

const right: Wrong[] = [];
const wrong = (message: string): Wrong[] => [{ path: [], message }];
const within = (step: string | number, problems: readonly Wrong[]): Wrong[] =>
  problems.map(({ path, message }) => ({ path: [step, ...path], message }));

/** Passes where the value fits. */
export const fits =
  (test: (value: never) => boolean, message: string): Shape =>
  (value) =>
    test(value as never) ? right : wrong(message);

export const anything: Shape = () => right;

export const text =
  (longest = 2_000): Shape =>
  (value) => {
    if (typeof value !== 'string') return wrong('must be a text');
    if (value === '') return wrong('must not be empty');
    return value.length > longest ? wrong(`must have at most ${longest} characters`) : right;
  };

export const whole =
  (least: number, most = Number.POSITIVE_INFINITY): Shape =>
  (value) => {
    if (!Number.isInteger(value)) return wrong('must be a whole number');
    if (Number(value) < least) return wrong(least === 0 ? 'must not be negative' : `must be at least ${least}`);
    return Number(value) > most ? wrong(`must be at most ${most}`) : right;
  };

/** One of these words. */
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

/** Right where one of the shapes is. */
export const either =
  (message: string, ...shapes: readonly Shape[]): Shape =>
  (value) =>
    shapes.some((shape) => shape(value).length === 0) ? right : wrong(message);

/** An object with these properties and no others; those that are not required may be undefined. */
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
