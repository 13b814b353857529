import type { Deployment } from '../target/deployment.ts';
import { burstWithoutScope } from './access/burst-without-scope.ts';
import { everyKey } from './access/every-key.ts';
import { keysAtOnce } from './access/keys-at-once.ts';
import { otherTenant } from './access/other-tenant.ts';
import { otherTenantsFiles } from './access/other-tenants-files.ts';
import { wrongKeys } from './access/wrong-keys.ts';
import type { Generate, Situation, Wanting } from './asking/situation.ts';
import { labels } from './labels/labels.ts';
import { limiter } from './limiter/limiter.ts';
import { closing, privateInside } from './product/inside.ts';
import { keyLife } from './product/key-life.ts';
import { bodies } from './replies/bodies.ts';
import { nearIds } from './replies/near-ids.ts';
import { misrouted } from './replies/near-misses.ts';
import { reads } from './replies/reads.ts';
import { sizes } from './replies/sizes.ts';
import { uploads } from './uploads/uploads.ts';

/** Every kind of situation. */
const kinds: readonly Generate[] = [
  // Before any other request can have put a private label on a record.
  privateInside,
  labels,
  wrongKeys,
  // Early, because one key may send most of these requests.
  uploads,
  everyKey,
  burstWithoutScope,
  otherTenant,
  otherTenantsFiles,
  keysAtOnce,
  reads,
  nearIds,
  bodies,
  misrouted,
  sizes,
  keyLife,
  closing,
  limiter,
];

/** All situations, and those for which the target file lacks a field. */
export function* situations(deployment: Deployment): Generator<Situation | Wanting> {
  for (const generate of kinds) yield* generate(deployment);
}
