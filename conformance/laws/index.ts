import { rules } from '../../spec/rules.ts';
import { evidenceLaws } from '../verdict/laws.ts';
import { uploadLaws } from '../verdict/upload-answers.ts';
import { auth } from './access/auth.ts';
import { isolation } from './access/isolation.ts';
import { keys } from './access/keys.ts';
import { scopes } from './access/scopes.ts';
import type { Law } from './judging/law.ts';
import { labels } from './labels/labels.ts';
import { limiter } from './limiter/limiter.ts';
import { availability } from './replies/availability.ts';
import { context } from './replies/context.ts';
import { errors } from './replies/errors.ts';
import { ids } from './replies/ids.ts';
import { service } from './replies/service.ts';
import { transport } from './replies/transport.ts';
import { versioning } from './replies/versioning.ts';

const places = new Map(rules.map(({ id }, place) => [id, place]));
const placeOf = ({ rule }: Law) => places.get(rule) ?? 0;

const byScripts = new Set(evidenceLaws.map(({ rule }) => rule));

/** Every law, in the order of the contract. A rule that scripts try is judged by what they show, and by nothing else. */
export const laws: readonly Law[] = [
  ...[
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
    ...labels,
    ...limiter,
    ...availability,
  ].filter(({ rule }) => !byScripts.has(rule)),
  ...evidenceLaws,
  ...uploadLaws,
].sort((a, b) => placeOf(a) - placeOf(b));
