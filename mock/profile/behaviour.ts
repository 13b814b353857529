import type { Profile } from '../../spec/files/profile-schema.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { Router } from '../../spec/routes.ts';
import type { Limiter, RateLimit } from '../keys/bucket.ts';
import type { ApiReply } from '../message.ts';
import type { Refusal, RefusalCase } from '../refusal.ts';
import type { Store } from '../storage/put-rules.ts';
import { type DeployedContract, deployedContract, deployedRouter } from './contract.ts';
import { keepDocumentedRules } from './keep-documented-rules.ts';
import { limiterFor, retryAfterFor } from './limiter.ts';
import { refusalReplies } from './refusal-reply.ts';
import { type Reshape, reshapeFor } from './reshape.ts';

/** Everything that a profile can change about a mock. Without a profile it follows spec/DECISIONS.md. */
export interface Behaviour {
  readonly contract: DeployedContract;
  readonly router: Router<OperationId>;
  readonly refusalReply: (refusal: Refusal, id: OperationId | null) => ApiReply;
  /** The cases that the profile permits although they are usually refused, with the status of the reply. */
  readonly permits: Readonly<Partial<Record<RefusalCase, number>>>;
  readonly reshape: Reshape | null;
  /** Creates the limiters of keys as the profile reads limits. @param create creates one for the limit as it is read */
  readonly limiterOf: (create?: (limit: RateLimit) => Limiter) => (limit: RateLimit) => Limiter;
  readonly retryAfter: (waitMilliseconds: number) => number;
  /** The largest request body in bytes; undefined if the profile does not say. */
  readonly bodyLimit: number | undefined;
  /** The status of a successful PUT to an upload URL. */
  readonly putStatus: number;
  /** How strict the upload target is. */
  readonly store: Store;
}

/**
 * The behaviour of a mock with that profile.
 * @param where the name of the profile in errors, for example its file
 * @throws ConfigurationError with one line for each contradiction to a documented rule
 */
export function behaviourOf(given: Profile | undefined, where = 'profile'): Behaviour {
  if (given !== undefined) keepDocumentedRules(given, where);
  const profile = given ?? {};
  const { limits = {}, upload = {}, shapes } = profile;
  const contract = deployedContract(profile);
  return {
    contract,
    router: deployedRouter(contract, where),
    refusalReply: refusalReplies(profile),
    permits: {
      ...permitted('register-twice', upload.registerTwice?.status),
      ...permitted('register-before-put', upload.registerBeforePut?.status),
    },
    reshape: reshapeFor(shapes, where),
    limiterOf: (create) => limiterFor(limits.reading ?? 'bucket-20', create),
    retryAfter: retryAfterFor(limits.retryAfter),
    bodyLimit: limits.bodyBytes,
    putStatus: upload.putStatus ?? 200,
    store: upload.store ?? 'strict',
  };
}

const permitted = (refusalCase: RefusalCase, status: number | undefined) =>
  status !== undefined && status < 300 ? { [refusalCase]: status } : {};
