/** Mocks that are wrong on purpose, in one known way, or right in a way of their own. */

import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { nearest } from '../../spec/text/nearest.ts';
import type { Wrong } from '../in-process.ts';
import { defects } from './defects/index.ts';
import { legalVariants } from './habits/index.ts';
import { type Chance, planted } from './planted.ts';
import type { WrongWay } from './tampering/defect.ts';

export type { Chance } from './planted.ts';
export type { WrongWay } from './tampering/defect.ts';

/** Hooks act inside the product, which a mock on a port does not have. */
const served = defects.filter(({ around, createLimiter }) => (around ?? createLimiter) !== undefined);
const habitsServed = legalVariants.filter(({ around }) => around !== undefined);

/** Every way of being wrong that {@link wrong} knows. */
export const wrongWays: readonly WrongWay[] = served.map(({ id, rule, does }) => ({ id, rule, does }));

/** Every way of being right that {@link habit} knows. */
export const habits: readonly Pick<Wrong, 'id' | 'does'>[] = habitsServed.map(({ id, does }) => ({ id, does }));

/**
 * Breaks one rule: `createMock({ wrong: wrong('labels/…', { chance: 0.1, seed: 7 }) })`.
 * @throws ConfigurationError for an id that does not exist, with the nearest one
 */
export const wrong = (id: string, chance: Chance = {}): Wrong => planted(named(served, id, '--wrong list'), chance);

/** Keeps every rule, in an unusual way. A check that fails for such a mock is too strict. @throws ConfigurationError, as {@link wrong} */
export const habit = (id: string): Wrong => planted(named(habitsServed, id, '--habit list'));

function named<T extends { readonly id: string }>(all: readonly T[], id: string, list: string): T {
  const found = all.find((one) => one.id === id);
  if (found !== undefined) return found;
  const near = nearest(
    id,
    all.map((one) => one.id),
  );
  throw new ConfigurationError([
    `there is no ${id}${near === undefined ? '.' : `; did you mean ${near}?`} \`partnerkit mock ${list}\` shows all`,
  ]);
}
