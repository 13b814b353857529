import type { FaultSpec } from '../../../mock/faults/fault.ts';
import type { ApiReply } from '../../../mock/message.ts';
import { isOperationId, operations } from '../../../spec/operations.ts';
import type { Arrangement, Used, Variation } from './variation.ts';

/** The file storage is not an operation of the API, but faults can affect it as well. */
const storage = 'storage';

/** A POST is not idempotent. A client may fail instead of repeating it, as long as it reports the failure. */
const isPost = (part: string) => isOperationId(part) && operations[part].method === 'POST';

const targetOf = (part: string): FaultSpec => (isOperationId(part) ? { operationId: part } : { path: '/storage/*' });

const ofApi = ({ operations: used }: Used) => used.filter((part) => part !== storage);
const ofStorage = ({ operations: used }: Used) => used.filter((part) => part === storage);

type Effect = Omit<FaultSpec, 'operationId' | 'path'>;

/** Injects a fault into each part. */
const injecting =
  (effect: Effect) =>
  (parts: readonly string[]): Arrangement => ({
    prepare({ mock }) {
      for (const part of parts) mock.faults.add({ ...targetOf(part), ...effect });
    },
  });

/** The contract names Retry-After only for 429. Without it the client needs its own backoff. */
const withoutRetryAfter = (reply: ApiReply): ApiReply => {
  if (reply.status !== 503) return reply;
  const { 'retry-after': _, ...headers } = reply.headers;
  return { ...reply, headers };
};

const lostReply: Effect = { drop: 'after', times: 1 };

/** As most servers write it; the mock writes it in small letters. */
const withCapitals = (reply: ApiReply): ApiReply => {
  const { 'retry-after': seconds, ...headers } = reply.headers;
  return seconds === undefined ? reply : { ...reply, headers: { ...headers, 'Retry-After': seconds } };
};

const tryAgain =
  'Repeat the request after 429 and 503. Wait at least Retry-After, and longer each time, with some randomness.';
const putAgain = 'Send the PUT again: the URL is valid until it expires, and the same bytes replace the stored ones.';
const repeat = 'Send it again: a GET and the change of a label are idempotent.';

/** Faults, the fastest to try first. */
export const faults: readonly Omit<Variation, 'kind'>[] = [
  {
    id: 'server-error',
    rule: 'client/tells-failures',
    when: (part = 'an operation') => `${part} answers 500 once`,
    advice: 'Report what could not be done, and end with a failure.',
    parts: ofApi,
    arrange: injecting({ reply: { status: 500 }, times: 1 }),
    ends: true,
  },
  {
    id: 'lost-reply',
    rule: 'client/survives-lost-replies',
    when: (part = 'an operation') => `the reply of ${part} is lost after the work was done`,
    advice: repeat,
    parts: ofApi,
    arrange: injecting(lostReply),
    mayFail: isPost,
  },
  {
    id: 'cut-body',
    rule: 'client/survives-lost-replies',
    when: (part = 'an operation') => `the reply of ${part} breaks off half-way`,
    advice: repeat,
    parts: ofApi,
    arrange: injecting({ damage: 'truncated', times: 1 }),
    mayFail: isPost,
  },
  {
    id: 'storage-unavailable',
    rule: 'client/survives-storage',
    when: () => 'the file storage answers 503 once',
    advice: putAgain,
    parts: ofStorage,
    arrange: injecting({ reply: { status: 503 }, times: 1 }),
  },
  {
    id: 'storage-lost-reply',
    rule: 'client/survives-storage',
    when: () => 'the reply to the PUT is lost after the bytes were stored',
    advice: putAgain,
    parts: ofStorage,
    arrange: injecting(lostReply),
  },
  {
    id: 'url-expires',
    rule: 'client/survives-expiry',
    when: () => 'the upload URL expires during the upload',
    advice: 'If the PUT is refused with 403, ask for another upload URL and start again.',
    parts: ofStorage,
    arrange: () => {
      let expired = false;
      return {
        before({ mock }, { url, method }) {
          if (expired || method !== 'PUT' || !url.startsWith('/storage/')) return;
          expired = true;
          mock.clock.advance('6m');
        },
      };
    },
  },
  {
    id: 'key-revoked',
    rule: 'client/stops-when-revoked',
    when: () => 'its key is revoked half-way',
    advice: 'End with a failure at the first 403 that says so: repeating the request cannot help.',
    parts: ({ requests }) => (requests.filter(({ operation }) => operation !== storage).length > 1 ? ['key'] : []),
    arrange: (_, { requests }) => {
      const api = requests.filter(({ operation }) => operation !== storage).length;
      let sent = 0;
      return {
        before({ mock, keyId }, { url }) {
          if (!url.startsWith('/storage/') && sent++ === Math.floor(api / 2)) mock.keys.revoke(keyId);
        },
      };
    },
    ends: true,
  },
  {
    id: 'slow',
    rule: 'client/survives-lost-replies',
    when: (part = 'an operation') => `${part} takes a second`,
    advice: 'Wait some seconds before you treat a reply as lost.',
    parts: ofApi,
    arrange: injecting({ latency: 1_000, times: 1 }),
  },
  {
    id: 'unavailable',
    rule: 'client/survives-throttling',
    when: (part = 'an operation') => `${part} answers 503 twice`,
    advice: tryAgain,
    parts: ofApi,
    arrange: (parts) => ({ ...injecting({ reply: { status: 503 }, times: 2 })(parts), reshape: withoutRetryAfter }),
    showsDuties: true,
    measures: 'service/clients-back-off',
  },
  {
    id: 'throttled',
    rule: 'client/survives-throttling',
    when: (part = 'an operation') => `${part} answers 429 once`,
    advice: tryAgain,
    parts: ofApi,
    arrange: (parts, { profile }) => ({
      prepare({ mock }) {
        const settled = profile?.limits?.retryAfter;
        for (const [n, part] of parts.entries()) {
          const retryAfter = typeof settled === 'number' ? settled : n === 0 ? 2 : 1;
          mock.faults.add({ ...targetOf(part), reply: { status: 429, retryAfter }, times: 1 });
        }
      },
      reshape: withCapitals,
    }),
    showsDuties: true,
  },
  {
    id: 'down',
    rule: 'client/tells-failures',
    when: (part = 'an operation') => `${part} always answers 503`,
    advice: 'Give up after some attempts, and end with a failure.',
    parts: (used) => [...ofApi(used).slice(-1), ...ofStorage(used)],
    arrange: (parts) => ({ ...injecting({ reply: { status: 503 } })(parts), reshape: withoutRetryAfter }),
    ends: true,
  },
];
