import { auth } from './auth.ts';
import { labels } from './labels.ts';
import type { Law } from './law.ts';
import { uploadPut } from './upload-put.ts';
import { uploadRegister } from './upload-register.ts';
import { uploadStart } from './upload-start.ts';

/** Every law, by area. */
export const laws: readonly Law[] = [...auth, ...labels, ...uploadStart, ...uploadPut, ...uploadRegister];
