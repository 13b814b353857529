import type { Check } from '../check.ts';
import { auth } from './auth.ts';
import { context } from './context.ts';
import { errors } from './errors.ts';
import { ids } from './ids.ts';
import { isolation } from './isolation.ts';
import { labels } from './labels.ts';
import { limiter } from './limiter.ts';
import { limits } from './limits.ts';
import { scopes } from './scopes.ts';
import { service } from './service.ts';
import { transport } from './transport.ts';
import { upload } from './upload.ts';
import { versioning } from './versioning.ts';

/** Every check, by area. */
export const checks: readonly Check[] = [
  ...auth,
  ...scopes,
  ...isolation,
  ...context,
  ...ids,
  ...service,
  ...transport,
  ...errors,
  ...versioning,
  ...labels,
  ...upload,
  ...limits,
  ...limiter,
];
