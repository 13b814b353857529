import { hash } from 'node:crypto';
import type { Honest } from '../trials/trial.ts';
import { colleagues } from './colleagues.ts';
import { data } from './data.ts';
import { firewalls } from './firewalls.ts';
import { fronts } from './fronts.ts';
import { keys } from './keys.ts';
import { lag } from './lag.ts';
import { networks } from './networks.ts';
import { rollouts } from './rollouts.ts';
import * as sealedOnes from './sealed/index.ts';
import { stores } from './stores.ts';
import type { Stranger } from './stranger.ts';
import { thin } from './thin.ts';

const open = { fronts, firewalls, rollouts, keys, stores, networks, lag, colleagues, data, thin };

/** Strangers as legal variants, whose shoulds nobody has looked at. */
const variants = (kinds: Readonly<Record<keyof typeof open, readonly Stranger[]>>): readonly Honest[] =>
  Object.entries(kinds).flatMap(([kind, all]) =>
    all.map(({ prevents, ...one }) => ({
      ...one,
      id: `${kind}/${one.id}`,
      warns: 'any' as const,
      ...(prevents && { unjudged: 'any' as const }),
      ...(kind === 'colleagues' && { isShared: true as const }),
    })),
  );

/** Honest deployments, by kinds. */
export const strangers = variants(open);
/** A third of each kind, which nobody has tried. */
export const sealed = variants(sealedOnes);

/** Whether a deployment belongs to the sealed third: the hash of its name says so, and nobody chose it. */
export const isSealed = (name: string): boolean => Number.parseInt(hash('md5', name).slice(0, 8), 16) % 3 === 0;
