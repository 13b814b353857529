import { hash } from 'node:crypto';
import type { Honest } from '../trials/trial.ts';
import { firewalls, fronts, networks, rollouts } from './fronts.ts';
import { colleagues, keys } from './others.ts';
import { data, lag, thin } from './records.ts';
import { stores } from './stores.ts';

/** Whether a deployment belongs to the sealed third, which nobody tries: the hash of its name says so, and nobody chose it. */
const isSealed = (name: string): boolean => Number.parseInt(hash('md5', name).slice(0, 8), 16) % 3 === 0;

const all = Object.entries({
  fronts,
  firewalls,
  rollouts,
  keys,
  stores,
  networks,
  lag,
  colleagues,
  data,
  thin,
}).flatMap(([kind, some]) =>
  some.map((one): Honest => ({ ...one, id: `${kind}/${one.id}`, ...(kind === 'colleagues' && { isShared: true }) })),
);
const nameOf = ({ id }: Honest) => id.split('/')[1] ?? '';

/** Honest deployments, by kinds. */
export const strangers: readonly Honest[] = all.filter((one) => !isSealed(nameOf(one)));
export const sealed: readonly Honest[] = all.filter((one) => isSealed(nameOf(one)));
