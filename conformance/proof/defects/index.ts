import type { Defect } from '../tampering/defect.ts';
import { isolation } from './access/isolation.ts';
import { keyElsewhere } from './access/key-elsewhere.ts';
import { leaks } from './access/leaks.ts';
import { noKey } from './access/no-key.ts';
import { scopes } from './access/scopes.ts';
import { validKey } from './access/valid-key.ts';
import { wrongKey } from './access/wrong-key.ts';
import { instances } from './labels/instances.ts';
import { labelCompany } from './labels/label-company.ts';
import { labelReplies } from './labels/label-replies.ts';
import { labelStates } from './labels/label-states.ts';
import { labels } from './labels/labels.ts';
import { privateLabels } from './labels/private-labels.ts';
import { carriedOut } from './limiter/carried-out.ts';
import { requestsHeldBack } from './limiter/held-back.ts';
import { otherBuckets } from './limiter/other-buckets.ts';
import { otherSharing } from './limiter/other-sharing.ts';
import { repliesOverTheRate } from './limiter/replies-over-the-rate.ts';
import { product } from './product.ts';
import { context } from './replies/context.ts';
import { deviations } from './replies/deviations.ts';
import { errors } from './replies/errors.ts';
import { ids } from './replies/ids.ts';
import { sizes } from './replies/sizes.ts';
import { transport } from './replies/transport.ts';
import { storage } from './uploads/storage.ts';
import { upload } from './uploads/upload.ts';

/** Every defect, by area. */
export const defects: readonly Defect[] = [
  ...noKey,
  ...wrongKey,
  ...keyElsewhere,
  ...validKey,
  ...scopes,
  ...isolation,
  ...leaks,
  ...ids,
  ...context,
  ...labels,
  ...labelStates,
  ...privateLabels,
  ...labelReplies,
  ...labelCompany,
  ...instances,
  ...upload,
  ...storage,
  ...errors,
  ...transport,
  ...sizes,
  ...otherBuckets,
  ...otherSharing,
  ...repliesOverTheRate,
  ...carriedOut,
  ...requestsHeldBack,
  ...deviations,
  ...product,
];
