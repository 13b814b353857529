import type { Defect } from '../tampering/defect.ts';
import { callers, leaks } from './callers.ts';
import { labelWrites, replicas } from './label-writes.ts';
import { limits } from './limiter.ts';
import { product } from './product.ts';
import { spellings, transport } from './reading.ts';
import { refusals } from './refusals.ts';
import { forms, served } from './replies.ts';
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
