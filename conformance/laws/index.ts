import { type RuleId, rules } from '../../spec/rules.ts';
import { lawByEvidence } from '../verdict/laws.ts';
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

/** Rules that scripts try. */
const tried: readonly RuleId[] = [
  'keys/created-with-name-and-scopes',
  'keys/secret-shown-only-once',
  'keys/regeneration-issues-a-new-secret',
  'keys/revocation-is-immediate-and-listed',
  'labels/private-cannot-be-applied',
  'labels/private-cannot-be-removed',
  'labels/private-never-in-a-reply',
  'labels/closed-conversation-can-be-labelled',
  'limiter/limits-can-be-raised',
];

/** Every law, in the order of the contract. */
export const laws: readonly Law[] = [
  ...auth,
  ...scopes,
  ...isolation,
  ...keys,
  ...tried.map(lawByEvidence),
  ...ids,
  ...context,
  ...errors,
  ...transport,
  ...service,
  ...versioning,
  ...labels,
  ...uploadLaws,
  ...limiter,
  ...availability,
].sort((a, b) => placeOf(a) - placeOf(b));
