import { fromCache } from '../../../mock/wrong/tampering/from-cache.ts';
import { lagging } from '../../../mock/wrong/tampering/lagging.ts';
import { type Stranger, strangers } from './stranger.ts';

export const settles = (settleMilliseconds: number): Pick<Stranger, 'target'> => ({
  target: (target) => ({ ...target, settleMilliseconds }),
});
export const replicas = (...lags: readonly number[]) => lagging((read) => lags[read % lags.length] ?? 0);
/** A number from 0 to 1 that looks like chance. */
const chance = (read: number) => (Math.imul(read + 1, 2_654_435_761) >>> 8) / 2 ** 24;
export const further = 'contexts lag further than the target file says';
const context = { id: 'getConversationContext', ok: true } as const;
export const cache = (milliseconds: number) => fromCache({ keeps: context, answers: context, milliseconds });

/** Reads lag behind writes: by a second, unless the target file says more (decisions.md, Second reading). The replies of writes never do. */
export const lag = strangers({
  'by-200-ms': ['answers contexts as they were 200 ms ago', lagging(() => 200)],
  'by-900-ms': ['answers contexts as they were 900 ms ago', lagging(() => 900)],
  'two-replicas': ['has two replicas, the second 200 ms behind', replicas(0, 200)],
  'any-replica': ['answers contexts from anywhere in the last 950 ms', lagging((read) => 950 * chance(read))],
  'seldom-behind': ['is 700 ms behind one time in ten', lagging((read) => (chance(read) < 0.1 ? 700 : 0))],
  'by-2-s-as-told': ['is 2 s behind, and its target file says so', { around: lagging(() => 2_000), ...settles(2_500) }],
  'replica-3-s-as-told': ['has a replica 3 s behind, and says so', { around: replicas(3_000, 0), ...settles(3_000) }],
  'by-3-s-untold': ['answers contexts as they were 3 s ago', lagging(() => 3_000), further],
  'replica-2-s-untold': ['has two replicas, the second 2 s behind', replicas(0, 2_000), further],
  'closed-behind': [
    'has an archive 900 ms behind',
    lagging((_, { params }) => (params.id?.startsWith('c0000002') ? 900 : 0)),
  ],
  cache: ['keeps contexts for 900 ms', cache(900)],
});
