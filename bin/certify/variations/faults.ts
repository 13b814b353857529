import type { FaultSpec } from '../../../mock/faults/fault.ts';
import type { Mock } from '../../../mock/index.ts';
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

/** The harm done to the first requests of each part. */
const harming =
  (...harms: readonly Harm[]) =>
  (parts: readonly string[]): Arrangement => ({
    prepare: ({ mock }) => addFaults(mock, parts, harms),
  });

/** The contract has Retry-After with 429 alone. Without it the client's own back-off shows. */
const withoutRetryAfter = (reply: ApiReply): ApiReply => {
  if (reply.status !== 503) return reply;
  const { 'retry-after': _, ...headers } = reply.headers;
  return { ...reply, headers };
};

function addFaults(mock: Mock, parts: readonly string[], harms: readonly Harm[]): void {
  for (const part of parts) for (const harm of harms) mock.faults.add({ ...targetOf(part), ...harm });
}

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

const throttled: Harm = { reply: { status: 429, retryAfter: 1 }, times: 1 };
const unavailable: Harm = { reply: { status: 503, retryAfter: 1 }, times: 1 };
const unavailableTwice: Harm = { reply: { status: 503 }, times: 2 };
const down: Harm = { reply: { status: 503 } };
const storeUnavailable: Harm = { reply: { status: 503 }, times: 1 };
const reset: Harm = { drop: 'before', times: 1 };
const lostReply: Harm = { drop: 'after', times: 1 };
const cut: Harm = { damage: 'truncated', times: 1 };
const serverError: Harm = { reply: { status: 500 }, times: 1 };
const slow: Harm = { latency: 1_000, times: 1 };

const tryAgain = 'Try again after 429 and 503, growing and partly random pauses in between, and at least Retry-After.';
const repeat = 'Send it again: a GET, and a label that is put on or taken off twice, do no harm.';

/** What may go wrong, the cheapest first. */
export const faults: readonly Variation[] = [
  {
    id: 'server-error',
    kind: 'fault',
    rule: 'client/tells-failures',
    title: 'a 500 at the first request of each operation',
    when: (part) => `${part} answers 500 once`,
    advice: 'Say what could not be done, and end with a failure.',
    parts: ofApi,
    arrange: harming(serverError),
    ends: true,
    test: testOf(serverError, 'a 500 is told'),
  },
  {
    id: 'reset',
    kind: 'fault',
    rule: 'client/survives-lost-replies',
    title: 'a connection that breaks before the work is done',
    when: (part) => `the connection breaks at ${part}`,
    advice: repeat,
    parts: ofApi,
    arrange: harming(reset),
    mayFail: isPost,
    test: testOf(reset, 'a broken connection is got over'),
  },
  {
    id: 'lost-reply',
    kind: 'fault',
    rule: 'client/survives-lost-replies',
    title: 'a connection that breaks after the work was done',
    when: (part) => `the reply of ${part} is lost after the work was done`,
    advice: repeat,
    parts: ofApi,
    arrange: harming(lostReply),
    mayFail: isPost,
    test: testOf(lostReply, 'a lost reply is got over'),
  },
  {
    id: 'cut-body',
    kind: 'fault',
    rule: 'client/survives-lost-replies',
    title: 'a reply that breaks off half-way',
    when: (part) => `the reply of ${part} breaks off half-way`,
    advice: repeat,
    parts: ofApi,
    arrange: harming(cut),
    mayFail: isPost,
    test: testOf(cut, 'a reply that breaks off is got over'),
  },
  {
    id: 'storage-unavailable',
    kind: 'fault',
    rule: 'client/survives-storage',
    title: 'a store of files that answers 503 once',
    when: () => 'the store of files answers 503 once',
    advice: 'Send the PUT again: the URL is good until it expires.',
    parts: ofStorage,
    arrange: harming(storeUnavailable),
    test: testOf(storeUnavailable, 'a store that is not there for a moment is got over'),
  },
  {
    id: 'storage-reset',
    kind: 'fault',
    rule: 'client/survives-storage',
    title: 'a PUT whose connection breaks',
    when: () => 'the connection breaks during the PUT',
    advice: 'Send the PUT again: the URL is good until it expires.',
    parts: ofStorage,
    arrange: harming(reset),
    test: testOf(reset, 'a PUT that broke off is sent again'),
  },
  {
    id: 'storage-lost-reply',
    kind: 'fault',
    rule: 'client/survives-storage',
    title: 'a PUT whose reply is lost after the bytes were taken',
    when: () => 'the reply to the PUT is lost after the bytes were taken',
    advice: 'Send the PUT again: the same bytes take the place of the old.',
    parts: ofStorage,
    arrange: harming(lostReply),
    test: testOf(lostReply, 'a PUT whose reply is lost is sent again'),
  },
  {
    id: 'url-expires',
    kind: 'fault',
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
    kind: 'fault',
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
    kind: 'fault',
    rule: 'client/survives-lost-replies',
    title: 'replies that take a second',
    when: (part) => `${part} takes a second`,
    advice: 'Wait for some seconds before a reply counts as lost.',
    parts: ofApi,
    arrange: harming(slow),
    test: testOf(slow, 'a slow reply is waited for'),
  },
  {
    id: 'unavailable-twice',
    kind: 'fault',
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
    kind: 'fault',
    rule: 'client/survives-throttling',
    title: 'a 429 at the first request of each operation',
    when: (part) => `${part} answers 429 once`,
    advice: tryAgain,
    parts: ofApi,
    arrange: harming(throttled),
    feeds: true,
    test: testOf(throttled, 'a 429 is waited out'),
  },
  {
    id: 'unavailable',
    kind: 'fault',
    rule: 'client/survives-throttling',
    title: 'a 503 with Retry-After at the first request of each operation',
    when: (part) => `${part} answers 503 once`,
    advice: tryAgain,
    parts: ofApi,
    arrange: harming(unavailable),
    test: testOf(unavailable, 'a 503 is got over'),
  },
  {
    id: 'down',
    kind: 'fault',
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
