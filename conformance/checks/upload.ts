import type { Check } from '../check.ts';
import { uploadPut } from './upload-put.ts';
import { uploadRegister } from './upload-register.ts';
import { uploadStart } from './upload-start.ts';

/** The three steps of the upload flow. */
export const upload: readonly Check[] = [...uploadStart, ...uploadPut, ...uploadRegister];
