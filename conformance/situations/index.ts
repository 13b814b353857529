import type { Deployment } from '../target/deployment.ts';
import { labels } from './labels.ts';
import type { Generate, Situation, Wanting } from './situation.ts';
import { uploads } from './uploads.ts';
import { wrongKeys } from './wrong-keys.ts';

/** Every kind of situation. */
const kinds: readonly Generate[] = [labels, wrongKeys, uploads];

/** All situations that this target file allows for, and those that it lacks something for. */
export function* situations(deployment: Deployment): Generator<Situation | Wanting> {
  for (const generate of kinds) yield* generate(deployment);
}
