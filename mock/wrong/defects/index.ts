import type { Defect } from '../tampering/defect.ts';
import { callers } from './callers.ts';
import { forms } from './forms.ts';

import { labelWrites } from './label-writes.ts';
import { leaks } from './leaks.ts';
import { limits } from './limiter.ts';
import { product } from './product.ts';
import { refusals } from './refusals.ts';
import { replicas } from './replicas.ts';
import { served } from './served.ts';
import { spellings } from './spellings.ts';
import { transport } from './transport.ts';
import { uploads } from './uploads.ts';

/** Every defect. */
export const defects: readonly Defect[] = [
  ...refusals,
  ...served,
  ...forms,
  ...leaks,
  ...callers,
  ...spellings,
  ...labelWrites,
  ...replicas,
  ...uploads,
  ...transport,
  ...limits,
  ...product,
];
