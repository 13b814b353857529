import { hash } from 'node:crypto';
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

export type { Stranger } from './stranger.ts';

const open = { fronts, firewalls, rollouts, keys, stores, networks, lag, colleagues, data, thin };

type Kind = keyof typeof open;

export const kinds = Object.keys(open) as Kind[];
/** Honest deployments by kinds. */
export const strangers: Readonly<Record<Kind, readonly Stranger[]>> = open;
/** A third of each kind, which nobody has tried. */
export const sealed: Readonly<Record<Kind, readonly Stranger[]>> = sealedOnes;

/** Whether a deployment belongs to the sealed third: the hash of its name says so, and nobody chose it. */
export const isSealed = (id: string): boolean => Number.parseInt(hash('md5', id).slice(0, 8), 16) % 3 === 0;
