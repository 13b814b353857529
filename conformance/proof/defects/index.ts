import type { Defect } from '../tampering/defect.ts';
import { isolation } from './access/isolation.ts';
import { keys } from './access/keys.ts';
import { scopes } from './access/scopes.ts';
import { deviations } from './deviations.ts';
import { instances } from './labels/instances.ts';
import { privateLabels } from './labels/private-labels.ts';
import { labelReplies } from './labels/replies.ts';
import { writes } from './labels/writes.ts';
import { otherBuckets } from './limiter/buckets.ts';
import { repliesOverTheRate } from './limiter/replies.ts';
import { product } from './product.ts';
import { context } from './replies/context.ts';
import { errors } from './replies/errors.ts';
import { transport } from './replies/transport.ts';
import { uploads } from './uploads.ts';

/** Every defect, by area. */
export const defects: readonly Defect[] = [
  ...keys,
  ...scopes,
  ...isolation,
  ...context,
  ...writes,
  ...privateLabels,
  ...labelReplies,
  ...instances,
  ...uploads,
  ...errors,
  ...transport,
  ...otherBuckets,
  ...repliesOverTheRate,
  ...deviations,
  ...product,
];
