import { auth } from './auth.ts';
import type { Law } from './law.ts';

/** Every law, by area. */
export const laws: readonly Law[] = [...auth];
