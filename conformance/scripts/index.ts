import type { Deployment } from '../target/deployment.ts';
import { insideScripts } from './inside.ts';
import { keyScripts } from './keys.ts';
import { labelScripts } from './labels.ts';
import { limiterScripts } from './limiter/limiter.ts';
import { readScripts } from './reads.ts';
import { refusedWriteScripts } from './refusals.ts';
import type { Generate, Script, Unready } from './script.ts';
import { uploadScripts } from './uploads.ts';

/** Every kind of script. */
const kinds: readonly Generate[] = [
  // Before any other request can have put a private label on a record.
  insideScripts,
  labelScripts,
  refusedWriteScripts,
  readScripts,
  uploadScripts,
  keyScripts,
  limiterScripts,
];

/** All scripts, and those for which the target file lacks a field. */
export function* scripts(deployment: Deployment): Generator<Script | Unready> {
  for (const generate of kinds) yield* generate(deployment);
}
