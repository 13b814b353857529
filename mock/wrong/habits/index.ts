import type { LegalVariant } from '../tampering/defect.ts';
import { access } from './access.ts';
import { addresses } from './addresses.ts';
import { labelVariants } from './labels.ts';
import { limits } from './limits.ts';
import { oddInput } from './odd-input.ts';
import { replies } from './replies.ts';

/** All legal variants. */
export const legalVariants: readonly LegalVariant[] = [
  ...access,
  ...addresses,
  ...replies,
  ...oddInput,
  ...limits,
  ...labelVariants,
];
