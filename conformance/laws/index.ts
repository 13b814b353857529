import { rules } from '../../spec/rules.ts';
import { limiter } from '../verdict/limiter-laws.ts';
import { auth } from './access/auth.ts';
import { isolation } from './access/isolation.ts';
import { keyLife } from './access/key-life.ts';
import { keys } from './access/keys.ts';
import { scopes } from './access/scopes.ts';
import type { Law } from './judging/law.ts';
import { labels } from './labels/labels.ts';
import { availability } from './replies/availability.ts';
import { context } from './replies/context.ts';
import { errors } from './replies/errors.ts';
import { ids } from './replies/ids.ts';
import { service } from './replies/service.ts';
import { sizes } from './replies/sizes.ts';
import { transport } from './replies/transport.ts';
import { versioning } from './replies/versioning.ts';
import { uploadPut } from './uploads/upload-put.ts';
import { uploadRegister } from './uploads/upload-register.ts';
import { uploadStart } from './uploads/upload-start.ts';

const places = new Map(rules.map(({ id }, place) => [id, place]));
const placeOf = ({ rule }: Law) => places.get(rule) ?? 0;

/** Every law, in the order of the contract. */
export const laws: readonly Law[] = [
  ...auth,
  ...scopes,
  ...isolation,
  ...keys,
  ...keyLife,
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
