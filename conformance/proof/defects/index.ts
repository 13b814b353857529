import type { Defect } from '../defect.ts';
import { access } from './access.ts';
import { auth } from './auth.ts';
import { context } from './context.ts';
import { deviations } from './deviations.ts';
import { errors } from './errors.ts';
import { ids } from './ids.ts';
import { isolation } from './isolation.ts';
import { labelCompany } from './label-company.ts';
import { labelReplies } from './label-replies.ts';
import { labelStates } from './label-states.ts';
import { labels } from './labels.ts';
import { leniency } from './leniency.ts';
import { limiting } from './limiter.ts';
import { privateLabels } from './private-labels.ts';
import { product } from './product.ts';
import { rareAsks } from './rare-asks.ts';
import { replies } from './replies.ts';
import { scopes } from './scopes.ts';
import { storage } from './storage.ts';
import { upload } from './upload.ts';
import { wrongStatus } from './wrong-status.ts';

/** Every defect, by area. */
export const defects: readonly Defect[] = [
  ...auth,
  ...access,
  ...scopes,
  ...isolation,
  ...ids,
  ...context,
  ...labels,
  ...labelStates,
  ...privateLabels,
  ...labelReplies,
  ...labelCompany,
  ...upload,
  ...storage,
  ...errors,
  ...leniency,
  ...wrongStatus,
  ...limiting,
  ...replies,
  ...deviations,
  ...product,
  ...rareAsks,
];
