import { auth } from './auth.ts';
import { isolation } from './isolation.ts';
import { keys } from './keys.ts';
import { labels } from './labels.ts';
import type { Law } from './law.ts';
import { scopes } from './scopes.ts';
import { uploadPut } from './upload-put.ts';
import { uploadRegister } from './upload-register.ts';
import { uploadStart } from './upload-start.ts';

/** Every law, by area. */
export const laws: readonly Law[] = [
  ...auth,
  ...scopes,
  ...isolation,
  ...keys,
  ...labels,
  ...uploadStart,
  ...uploadPut,
  ...uploadRegister,
];
