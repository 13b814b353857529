import type { Deployment } from '../target/deployment.ts';
import { bodies } from './bodies.ts';
import { everyKey } from './every-key.ts';
import { keysAtOnce } from './keys-at-once.ts';
import { labels } from './labels.ts';
import { limiter } from './limiter.ts';
import { nearIds } from './near-ids.ts';
import { misrouted } from './near-misses.ts';
import { otherTenant } from './other-tenant.ts';
import { otherTenantsFiles } from './other-tenants-files.ts';
import { reads } from './reads.ts';
import type { Generate, Situation, Wanting } from './situation.ts';
import { sizes } from './sizes.ts';
import { uploads } from './uploads.ts';
import { wrongKeys } from './wrong-keys.ts';

/** Every kind of situation. */
const kinds: readonly Generate[] = [
  labels,
  wrongKeys,
  everyKey,
  otherTenant,
  otherTenantsFiles,
  keysAtOnce,
  reads,
  nearIds,
  misrouted,
  bodies,
  sizes,
  uploads,
  limiter,
];

/** All situations that this target file allows for, and those that it lacks something for. */
export function* situations(deployment: Deployment): Generator<Situation | Wanting> {
  for (const generate of kinds) yield* generate(deployment);
}
