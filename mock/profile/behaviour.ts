import { checks } from '../../spec/checks.ts';
import type { Profile } from '../../spec/files/profile-schema.ts';
import { type OperationId, operationIds } from '../../spec/operations.ts';
import { seededRandom } from '../../spec/random.ts';
import { createRouter } from '../../spec/routes.ts';
import { latencySampler } from '../faults/latency.ts';
import { createBucket, defaultRateLimit, type Limiter, type RateLimit, retryAfterSeconds } from '../keys/bucket.ts';
import { type ApiReply, json } from '../message.ts';
import { errorCode, errorReply, type Refusal, type RefusalCase, refusals } from '../refusal.ts';
import { changedBody } from './body-changes.ts';
import { type DeployedContract, deployedContract } from './contract.ts';
import { keepDocumentedRules } from './keep-documented-rules.ts';
import { reshapeFor } from './reshape.ts';

export type Permitted = Readonly<Partial<Record<RefusalCase, number>>>;

/**
 * Everything that a profile can change about a mock. Without a profile it follows spec/DECISIONS.md.
 * @throws ConfigurationError with one line for each contradiction to a documented rule
 */
export function behaviourOf(given: Profile | undefined) {
  if (given !== undefined) keepDocumentedRules(given, 'profile');
  const profile = given ?? {};
  const { limits = {}, upload = {}, shapes, bodies } = profile;
  const contract = deployedContract(profile);
  return {
    contract,
    router: createRouter(Object.values(contract)),
    refusalReply: refusalReplies(profile),
    permits: permitsOf(profile, contract),
    /** What is checked once the key is known, in this order. */
    order: profile.order ?? checks,
    reshape: reshapeFor(shapes, bodies),
    dressed: dressFor(profile),
    delays: delaysOf(profile),
    /** Creates the limiters of keys as the profile reads limits. @param create creates one for the limit as it is read */
    limiterOf: (create?: (limit: RateLimit) => Limiter) => limiterFor(limits, create),
    retryAfter: typeof limits.retryAfter === 'number' ? () => limits.retryAfter as number : retryAfterSeconds,
    /** The largest request body in bytes; undefined if the profile does not say. */
    bodyLimit: limits.bodyBytes,
    /** The status of a successful PUT to an upload URL. */
    putStatus: upload.putStatus ?? 200,
    /** Whether a path in which letters are encoded is the same path. */
    decodesPaths: profile.encodedLetters !== 'other',
    /** How strict the upload target is. */
    store: upload.store ?? ('strict' as const),
    /** Whether the bytes of a registered file may be replaced. */
    replacesRegistered: upload.putAfterRegister === 'replaces',
  };
}

/** Draws by how many milliseconds a reply of an operation is delayed. */
function delaysOf({ latency = {} }: Profile): Readonly<Partial<Record<OperationId, () => number>>> {
  return Object.fromEntries(Object.entries(latency).map(([id, one]) => [id, latencySampler(one, seededRandom(1))]));
}

/** Gives a reply the headers of the deployment; null if there are none. */
function dressFor({ headers, mediaTypes }: Profile): ((reply: ApiReply) => ApiReply) | null {
  if (headers === undefined && mediaTypes === undefined) return null;
  return (reply) => {
    const type = reply.status < 400 ? mediaTypes?.success : mediaTypes?.error;
    const hasType = reply.body !== null && type !== undefined;
    const own = { ...reply.headers, ...headers, ...(hasType && { 'content-type': type }) };
    const shown = Object.entries(own).filter((entry): entry is [string, string] => entry[1] !== null);
    return { ...reply, headers: Object.fromEntries(shown) };
  };
}

/** The cases that an operation permits although they are usually refused, with the status of the reply. */
function permitsOf({ permits = {}, upload = {} }: Profile, contract: DeployedContract) {
  const all: Partial<Record<OperationId, Permitted>> = {};
  for (const id of operationIds) {
    const { success = 200 } = contract[id] ?? {};
    if (permits[id]) all[id] = Object.fromEntries(permits[id].map((refusal) => [refusal, success]));
  }
  const again = { 'register-twice': upload.registerTwice, 'register-before-put': upload.registerBeforePut };
  for (const [refusal, { status = 400 } = {}] of Object.entries(again))
    if (status < 300) all.registerSiteFile = { ...all.registerSiteFile, [refusal]: status };
  return all;
}

type Reading = NonNullable<NonNullable<Profile['limits']>['reading']>;

/**
 * How many requests pass at once, for each reading of "burst 20 on top of 10 per second". A GCRA that tolerates a burst of n
 * admits n + 1 requests at once; apart from that it equals a continuous bucket of that size.
 */
const atOnce: Readonly<Record<Reading, (limit: RateLimit) => number>> = {
  'bucket-20': ({ burst }) => burst,
  'gcra-21': ({ burst }) => burst + 1,
  'bucket-30': ({ burst, perSecond }) => burst + perSecond,
  'gcra-31': ({ burst, perSecond }) => burst + perSecond + 1,
};

/** Creates limiters for a reading of the limit. */
function limiterFor(
  { reading = 'bucket-20', atOnce: more }: NonNullable<Profile['limits']>,
  create = createBucket,
): (limit: RateLimit) => Limiter {
  const size = more === undefined ? atOnce[reading] : ({ burst }: RateLimit) => (burst * more) / defaultRateLimit.burst;
  const read = (limit: RateLimit): RateLimit => ({ ...limit, burst: Math.max(1, Math.floor(size(limit))) });
  return (limit) => {
    const limiter = create(read(limit));
    return { ...limiter, limitTo: (next, now) => limiter.limitTo(read(next), now) };
  };
}

/** The reply to one case. Without a code, the default code of the status is used. */
type Answer = NonNullable<NonNullable<Profile['upload']>['registerTwice']>;

/** The replies to refusals, with the changes of a profile. */
function refusalReplies({ errors = {}, upload = {}, errorBody }: Profile) {
  const answers: Readonly<Partial<Record<RefusalCase, Answer>>> = {
    ...errors,
    'register-twice': upload.registerTwice,
    'register-before-put': upload.registerBeforePut,
  };

  return (refusal: Refusal, id: OperationId | null): ApiReply => {
    const [usual] = refusals[refusal.case];
    const answer: Answer = answers[refusal.case] ?? { status: usual };
    const status = statusFor(answer, refusal.case, id);
    // Allow belongs to a 405 (RFC 9110, 10.2.1).
    const headers = status === usual ? refusal.more.headers : undefined;
    if (answer.body === 'message') {
      // A gateway refuses before the service runs, with a body of its own form.
      const message = answer.message ?? (status === 403 ? 'Forbidden' : refusal.message);
      return json(status, { message }, headers);
    }
    const code = (status === answer.status ? answer.code : undefined) ?? errorCode(status);
    const reply = errorReply(status, code, answer.message ?? refusal.message, headers);
    if (errorBody === undefined) return reply;
    return { ...reply, body: JSON.stringify(changedBody(JSON.parse(reply.body ?? '{}'), errorBody)) };
  };
}

/** The specification gives 404 to the start of an upload for a missing or foreign site, even if the profile says otherwise. */
function statusFor({ status }: Answer, refusalCase: RefusalCase, id: OperationId | null): number {
  const isSite = refusalCase === 'unknown-site' || refusalCase === 'foreign-site';
  return isSite && id === 'startSiteFileUpload' ? 404 : status;
}
