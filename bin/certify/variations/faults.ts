import type { FaultSpec } from '../../../mock/faults/fault.ts';
import type { ApiReply } from '../../../mock/message.ts';
import { isOperationId, operations } from '../../../spec/operations.ts';
import type { Arrangement, Used, Variation } from './variation.ts';

/** The store of files stands beside the operations. */
const storage = 'storage';

/** A POST cannot be repeated without thought; who does not may fail, and say so. */
const isPost = (part: string) => isOperationId(part) && operations[part].method === 'POST';

const targetOf = (part: string): FaultSpec => (isOperationId(part) ? { operationId: part } : { path: '/storage/*' });

const ofApi = ({ operations: used }: Used) => used.filter((part) => part !== storage);
const ofStorage = ({ operations: used }: Used) => used.filter((part) => part === storage);

type Harm = Omit<FaultSpec, 'operationId' | 'path'>;

/** Does this to the first requests of each part. */
const harming =
  (harm: Harm) =>
  (parts: readonly string[]): Arrangement => ({
    prepare({ mock }) {
      for (const part of parts) mock.faults.add({ ...targetOf(part), ...harm });
    },
  });

/** The contract has Retry-After with 429 alone. Without it the client's own back-off shows. */
const withoutRetryAfter = (reply: ApiReply): ApiReply => {
  if (reply.status !== 503) return reply;
  const { 'retry-after': _, ...headers } = reply.headers;
  return { ...reply, headers };
};

/** A test of vitest that does the same harm. */
const testOf =
  (harm: Harm, aim: string) =>
  (part: string): string =>
    [
      "import { test } from 'partnerkit/vitest';",
      '',
      `test('${aim}', async ({ partner }) => {`,
      `  await partner.faults.add(${JSON.stringify({ ...targetOf(part), ...harm })});`,
      '  // Your client here, with partner.url and partner.apiKey.',
      '  await partner.faults.verifyUsed();',
      '});',
    ].join('\n');

/** A harm, here and in a test of vitest. */
const doing = (harm: Harm, aim: string) => ({ arrange: harming(harm), test: testOf(harm, aim) });

const throttled: Harm = { reply: { status: 429, retryAfter: 1 }, times: 1 };
const unavailable: Harm = { reply: { status: 503, retryAfter: 1 }, times: 1 };
const unavailableTwice: Harm = { reply: { status: 503 }, times: 2 };
const down: Harm = { reply: { status: 503 } };
const reset: Harm = { drop: 'before', times: 1 };
const lostReply: Harm = { drop: 'after', times: 1 };
const cut: Harm = { damage: 'truncated', times: 1 };
const slow: Harm = { latency: 1_000, times: 1 };

const tryAgain = 'Try again after 429 and 503, growing and partly random pauses in between, and at least Retry-After.';
const repeat = 'Send it again: a GET, and a label that is put on or taken off twice, do no harm.';

/** What may go wrong, the cheapest first. */
export const faults: readonly Omit<Variation, 'kind'>[] = [
  {
    id: 'server-error',
    rule: 'client/tells-failures',
    title: 'a 500 at the first request of each operation',
    when: (part) => `${part} answers 500 once`,
    advice: 'Say what could not be done, and end with a failure.',
    parts: ofApi,
    ...doing({ reply: { status: 500 }, times: 1 }, 'a 500 is told'),
    ends: true,
  },
  {
    id: 'reset',
    rule: 'client/survives-lost-replies',
    title: 'a connection that breaks before the work is done',
    when: (part) => `the connection breaks at ${part}`,
    advice: repeat,
    parts: ofApi,
    ...doing(reset, 'a broken connection is got over'),
    mayFail: isPost,
  },
  {
    id: 'lost-reply',
    rule: 'client/survives-lost-replies',
    title: 'a connection that breaks after the work was done',
    when: (part) => `the reply of ${part} is lost after the work was done`,
    advice: repeat,
    parts: ofApi,
    ...doing(lostReply, 'a lost reply is got over'),
    mayFail: isPost,
  },
  {
    id: 'cut-body',
    rule: 'client/survives-lost-replies',
    title: 'a reply that breaks off half-way',
    when: (part) => `the reply of ${part} breaks off half-way`,
    advice: repeat,
    parts: ofApi,
    ...doing(cut, 'a reply that breaks off is got over'),
    mayFail: isPost,
  },
  {
    id: 'storage-unavailable',
    rule: 'client/survives-storage',
    title: 'a store of files that answers 503 once',
    when: () => 'the store of files answers 503 once',
    advice: 'Send the PUT again: the URL is good until it expires.',
    parts: ofStorage,
    ...doing({ reply: { status: 503 }, times: 1 }, 'a store that is not there for a moment is got over'),
  },
  {
    id: 'storage-reset',
    rule: 'client/survives-storage',
    title: 'a PUT whose connection breaks',
    when: () => 'the connection breaks during the PUT',
    advice: 'Send the PUT again: the URL is good until it expires.',
    parts: ofStorage,
    ...doing(reset, 'a PUT that broke off is sent again'),
  },
  {
    id: 'storage-lost-reply',
    rule: 'client/survives-storage',
    title: 'a PUT whose reply is lost after the bytes were taken',
    when: () => 'the reply to the PUT is lost after the bytes were taken',
    advice: 'Send the PUT again: the same bytes take the place of the old.',
    parts: ofStorage,
    ...doing(lostReply, 'a PUT whose reply is lost is sent again'),
  },
  {
    id: 'url-expires',
    rule: 'client/survives-expiry',
    title: 'an upload URL that expires while the bytes are on their way',
    when: () => 'the upload URL expires while the bytes are on their way',
    advice: 'Ask for another upload URL where the PUT is refused with 403, and begin again with it.',
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
    title: 'a key that is revoked half-way',
    when: () => 'its key is revoked half-way',
    advice: 'End with a failure at the first 403 that says so: no attempt will change it.',
    parts: ({ requests }) => (requests.filter(({ operation }) => operation !== storage).length > 1 ? ['key'] : []),
    arrange: (_, { requests }) => {
      const api = requests.filter(({ operation }) => operation !== storage).length;
      let sent = 0;
      return {
        before({ mock, keyId }, { url }) {
          if (!url.startsWith('/storage/') && sent++ === Math.floor(api / 2)) mock.revokeKey(keyId);
        },
      };
    },
    ends: true,
  },
  {
    id: 'slow',
    rule: 'client/survives-lost-replies',
    title: 'replies that take a second',
    when: (part) => `${part} takes a second`,
    advice: 'Wait for some seconds before a reply counts as lost.',
    parts: ofApi,
    ...doing(slow, 'a slow reply is waited for'),
  },
  {
    id: 'unavailable-twice',
    rule: 'client/survives-throttling',
    title: 'a 503 without Retry-After, twice in a row at each operation',
    when: (part) => `${part} answers 503 twice`,
    advice: tryAgain,
    parts: ofApi,
    arrange: (parts) => ({ ...harming(unavailableTwice)(parts), reshape: withoutRetryAfter }),
    feeds: true,
    measures: 'service/clients-back-off',
    test: testOf(unavailableTwice, 'two 503 are got over'),
  },
  {
    id: 'throttled',
    rule: 'client/survives-throttling',
    title: 'a 429 at the first request of each operation',
    when: (part) => `${part} answers 429 once`,
    advice: tryAgain,
    parts: ofApi,
    ...doing(throttled, 'a 429 is waited out'),
    feeds: true,
  },
  {
    id: 'unavailable',
    rule: 'client/survives-throttling',
    title: 'a 503 with Retry-After at the first request of each operation',
    when: (part) => `${part} answers 503 once`,
    advice: tryAgain,
    parts: ofApi,
    ...doing(unavailable, 'a 503 is got over'),
  },
  {
    id: 'down',
    rule: 'client/tells-failures',
    title: 'an operation that answers 503 for good',
    when: (part) => `${part} answers 503 for good`,
    advice: 'Give up after some attempts, and end with a failure.',
    parts: (used) => ofApi(used).slice(-1),
    arrange: (parts) => ({ ...harming(down)(parts), reshape: withoutRetryAfter }),
    ends: true,
    within: 8_000,
  },
];
