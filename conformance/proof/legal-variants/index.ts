import { access } from './access.ts';
import { addresses } from './addresses.ts';
import { combined } from './combined.ts';
import { labelVariants } from './labels.ts';
import type { LegalVariant } from './legal-variant.ts';
import { limits } from './limits.ts';
import { oddInput } from './odd-input.ts';
import { replies } from './replies.ts';
import { untold } from './untold.ts';
import { uploads } from './upload.ts';

/** All legal variants. */
export const legalVariants: readonly LegalVariant[] = [
  ...access,
  ...addresses,
  ...replies,
  ...oddInput,
  ...uploads,
  ...limits,
  ...combined,
  ...untold,
  ...labelVariants,
];
