import type { FaultSpec } from '../../../mock/arguments/shapes.ts';
import type { ApiReply } from '../../../mock/message.ts';
import { isOperationId, operations } from '../../../spec/operations.ts';
import { anUpload } from '../duties/duty.ts';
import { type Arrangement, eachOf, type Used, type Variations } from './variation.ts';

/** A POST is not idempotent. A client may fail instead of repeating it, as long as it reports the failure. */
const isPost = (part: string) => isOperationId(part) && operations[part].method === 'POST';

const ofApi = ({ operations: used }: Used) => used.filter(isOperationId);
const ofStorage = ({ operations: used }: Used) => used.filter((part) => part === 'storage');

type Effect = Omit<FaultSpec, 'operationId' | 'path'>;

/** A fault at a part. The file storage is not an operation of the API, but faults can affect it as well. */
const faultAt = (part: string, effect: Effect, reshape?: Arrangement['reshape']): Arrangement => ({
  faults: [{ ...(isOperationId(part) ? { operationId: part } : { path: '/storage/*' }), ...effect }],
  reshape,
});

/** The same fault at each of these parts. */
const injecting =
  (partsOf: (used: Used) => readonly string[], effect: Effect, reshape?: Arrangement['reshape']) => (used: Used) =>
    eachOf(partsOf(used), (part) => faultAt(part, effect, reshape));

/** The contract names Retry-After only for 429. Without it the client needs its own backoff. */
function withoutRetryAfter(reply: ApiReply): ApiReply {
  const { 'retry-after': _, ...headers } = reply.headers;
  return reply.status === 503 ? { ...reply, headers } : reply;
}

/** As most servers write it; the mock writes it in small letters. */
function withCapitals(reply: ApiReply): ApiReply {
  const { 'retry-after': seconds, ...headers } = reply.headers;
  return seconds === undefined ? reply : { ...reply, headers: { ...headers, 'Retry-After': seconds } };
}

const tryAgain =
  'Repeat the request after 429 and 503. Wait at least Retry-After, and longer each time, with some randomness.';
const putAgain = 'Send the PUT again: the URL is valid until it expires, and the same bytes replace the stored ones.';
const repeat = 'Send it again: a GET and the change of a label are idempotent.';

/** Faults, the fastest to try first. */
export const faults: Variations = {
  'server-error': {
    rule: 'client/tells-failures',
    when: (part = 'an operation') => `${part} answers 500 once`,
    advice: 'Report what could not be done, and end with a failure.',
    parts: injecting(ofApi, { reply: { status: 500 }, times: 1 }),
    ends: true,
  },
  'lost-reply': {
    rule: 'client/survives-lost-replies',
    when: (part = 'an operation') => `the reply of ${part} is lost after the work was done`,
    advice: repeat,
    parts: injecting(ofApi, { drop: 'after', times: 1 }),
    mayFail: isPost,
  },
  'cut-body': {
    rule: 'client/survives-lost-replies',
    when: (part = 'an operation') => `the reply of ${part} breaks off half-way`,
    advice: repeat,
    parts: injecting(ofApi, { damage: 'truncated', times: 1 }),
    mayFail: isPost,
  },
  'storage-unavailable': {
    rule: 'client/survives-storage',
    when: () => 'the file storage answers 503 once',
    advice: putAgain,
    needs: anUpload,
    parts: injecting(ofStorage, { reply: { status: 503 }, times: 1 }),
  },
  'storage-lost-reply': {
    rule: 'client/survives-storage',
    when: () => 'the reply to the PUT is lost after the bytes were stored',
    advice: putAgain,
    needs: anUpload,
    parts: injecting(ofStorage, { drop: 'after', times: 1 }),
  },
  'url-expires': {
    rule: 'client/survives-expiry',
    when: () => 'the upload URL expires during the upload',
    advice: 'If the PUT is refused with 403, ask for another upload URL and start again.',
    needs: anUpload,
    parts: (used) =>
      eachOf(ofStorage(used), () => {
        let expired = false;
        return {
          before(mock, { url, method }) {
            if (expired || method !== 'PUT' || !url.startsWith('/storage/')) return;
            expired = true;
            mock.clock.advance('6m');
          },
        };
      }),
  },
  'key-revoked': {
    rule: 'client/stops-when-revoked',
    when: () => 'its key is revoked half-way',
    advice: 'End with a failure at the first 403 that says so: repeating the request cannot help.',
    needs: 'send two requests in one run',
    parts({ requests }) {
      const half = Math.floor(requests.filter(({ operation }) => operation !== 'storage').length / 2);
      let sent = 0;
      const before: Arrangement['before'] = (mock, { url }, keyId) => {
        if (!url.startsWith('/storage/') && sent++ === half) mock.keys.revoke(keyId);
      };
      return eachOf(half > 0 ? ['key'] : [], () => ({ before }));
    },
    ends: true,
  },
  slow: {
    rule: 'client/survives-lost-replies',
    when: (part = 'an operation') => `${part} takes a second`,
    advice: 'Wait some seconds before you treat a reply as lost.',
    parts: injecting(ofApi, { latency: 1_000, times: 1 }),
  },
  unavailable: {
    rule: 'client/survives-throttling',
    when: (part = 'an operation') => `${part} answers 503 twice`,
    advice: tryAgain,
    parts: injecting(ofApi, { reply: { status: 503 }, times: 2 }, withoutRetryAfter),
  },
  throttled: {
    rule: 'client/survives-throttling',
    when: (part = 'an operation') => `${part} answers 429 once`,
    advice: tryAgain,
    parts(used) {
      const settled = used.profile?.limits?.retryAfter;
      const seconds = (n: number) => (typeof settled === 'number' ? settled : n === 0 ? 2 : 1);
      return eachOf(ofApi(used), (part, n) =>
        faultAt(part, { reply: { status: 429, retryAfter: seconds(n) }, times: 1 }, withCapitals),
      );
    },
  },
  down: {
    rule: 'client/tells-failures',
    when: (part = 'an operation') => `${part} always answers 503`,
    advice: 'Give up after some attempts, and end with a failure.',
    parts: injecting(
      (used) => [...ofApi(used).slice(-1), ...ofStorage(used)],
      { reply: { status: 503 } },
      withoutRetryAfter,
    ),
    ends: true,
  },
};
