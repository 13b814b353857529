import { keyFor } from '../../target/keys.ts';
import { narrowestReader } from '../../target/light-reads.ts';
import type { Generate } from '../script.ts';
import { everyKeyAtOnce } from './keys.ts';
import { measured, rules } from './measured.ts';
import { throttledWrites } from './writes.ts';

/** Scripts about the limiter: first every key, then the reserved one at the same time as everything else. */
export const limiterScripts: Generate = function* (deployment) {
  const found = keyFor(deployment, { use: 'limits' });
  if ('missing' in found) {
    const tries = ['limiter/own-bucket-per-key', 'limiter/429-comes-before-the-handler', ...rules] as const;
    yield { id: 'limiter', tries, missing: [found.missing] };
    return;
  }
  const { key } = found;
  yield everyKeyAtOnce(deployment, key);
  yield* throttledWrites(deployment, key);
  yield* measured(key, narrowestReader(deployment));
};
