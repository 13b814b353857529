import { rules } from '../../spec/rules.ts';
import { auth } from './auth.ts';
import { availability } from './availability.ts';
import { context } from './context.ts';
import { errors } from './errors.ts';
import { ids } from './ids.ts';
import { isolation } from './isolation.ts';
import { keys } from './keys.ts';
import { labels } from './labels.ts';
import type { Law } from './law.ts';
import { limiter } from './limiter.ts';
import { scopes } from './scopes.ts';
import { service } from './service.ts';
import { sizes } from './sizes.ts';
import { transport } from './transport.ts';
import { uploadPut } from './upload-put.ts';
import { uploadRegister } from './upload-register.ts';
import { uploadStart } from './upload-start.ts';
import { versioning } from './versioning.ts';

const places = new Map(rules.map(({ id }, place) => [id, place]));
const placeOf = ({ rule }: Law) => places.get(rule) ?? 0;

/** Every law, in the order of the contract. */
export const laws: readonly Law[] = [
  ...auth,
  ...scopes,
  ...isolation,
  ...keys,
  ...ids,
  ...context,
  ...errors,
  ...transport,
  ...service,
  ...versioning,
  ...sizes,
  ...labels,
  ...uploadStart,
  ...uploadPut,
  ...uploadRegister,
  ...limiter,
  ...availability,
].sort((a, b) => placeOf(a) - placeOf(b));
