import { insideScripts } from '../scripts/inside.ts';
import { keyScripts } from '../scripts/keys.ts';
import { labelScripts } from '../scripts/labels.ts';
import { limiterScripts } from '../scripts/limiter/limiter.ts';
import { readScripts } from '../scripts/reads.ts';
import { refusedWriteScripts } from '../scripts/refusals.ts';
import type { Generate, Situation, Wanting } from '../scripts/script.ts';
import { sizeScripts } from '../scripts/sizes.ts';
import { uploadScripts } from '../scripts/uploads.ts';
import type { Deployment } from '../target/deployment.ts';

/** Every kind of script. */
const kinds: readonly Generate[] = process.env.KERNEL_ONLY
  ? [labelScripts, refusedWriteScripts, readScripts, uploadScripts, sizeScripts]
  : [
      // Before any other request can have put a private label on a record.
      insideScripts,
      labelScripts,
      refusedWriteScripts,
      readScripts,
      uploadScripts,
      sizeScripts,
      keyScripts,
      limiterScripts,
    ];

/** All situations, and those for which the target file lacks a field. */
export function* situations(deployment: Deployment): Generator<Situation | Wanting> {
  for (const generate of kinds) yield* generate(deployment);
}
