import type { Deployment } from '../target/deployment.ts';
import { everyKey } from './every-key.ts';
import { keysAtOnce } from './keys-at-once.ts';
import { labels } from './labels.ts';
import { otherTenant } from './other-tenant.ts';
import { otherTenantsFiles } from './other-tenants-files.ts';
import type { Generate, Situation, Wanting } from './situation.ts';
import { uploads } from './uploads.ts';
import { wrongKeys } from './wrong-keys.ts';

/** Every kind of situation. */
const kinds: readonly Generate[] = [labels, wrongKeys, everyKey, otherTenant, otherTenantsFiles, keysAtOnce, uploads];

/** All situations that this target file allows for, and those that it lacks something for. */
export function* situations(deployment: Deployment): Generator<Situation | Wanting> {
  for (const generate of kinds) yield* generate(deployment);
}
