import type { Limit } from '../spec/limiter/limit.ts';
import type { Observation } from '../spec/limiter/observation.ts';
import type { OperationId } from '../spec/operations.ts';
import type { CallOptions, CheckContext } from './check.ts';
import { TransportError } from './client/http.ts';
import { Inconclusive } from './outcome.ts';
import { type Reply, succeeded } from './reply.ts';
import type { KeyOfTenant } from './target/keys.ts';

/** One request past the pacer: what the envelope needs of it, and its reply where one came. */
export interface Shot {
  readonly sample: Observation;
  readonly reply: Reply | null;
}

/** Sends requests with one key, without ever waiting for a reply before the next. */
export interface Shooter {
  readonly key: KeyOfTenant;
  readonly limit: Limit;
  /** One request, now; another operation than the usual one where given. */
  fire(id?: OperationId, options?: CallOptions): Promise<Shot>;
  /** So many in one tick. */
  volley(count: number): Promise<Shot>[];
  /** So many, each after the other by the interval (ms), whatever comes back meanwhile. */
  steady(count: number, interval: number): Promise<Promise<Shot>[]>;
  /** Waits until a key that nobody uses is full again: burst / rate + 1 s. */
  rest(): Promise<void>;
}

type Needed = Pick<CheckContext, 'call' | 'now' | 'sleep' | 'deployment' | 'planning'>;

/**
 * Finds an operation that the key may call, which costs it a request or a few.
 * @throws Inconclusive when there is none
 */
export async function shooterOf(context: Needed, key: KeyOfTenant): Promise<Shooter> {
  const { call, now, sleep, deployment } = context;
  const limit: Limit = { perSecond: key.rateLimit.perSecond, burst: key.rateLimit.burst };
  let stopped = false;

  const send = async (id: OperationId, options: CallOptions): Promise<Shot> => {
    const sentAt = now();
    try {
      const reply = await call(id, { ...options, as: key, unpaced: true });
      return {
        sample: {
          sentAt: reply.exchange.sentAt,
          doneAt: reply.exchange.doneAt,
          status: reply.planned ? 200 : reply.status,
        },
        reply,
      };
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      stopped ||= error.problem === 'aborted';
      return { sample: { sentAt, doneAt: now(), status: 0 }, reply: null };
    }
  };

  const rest = () => sleep((limit.burst / limit.perSecond + 1) * 1000);

  const open = deployment.tenant.conversations?.open;
  const candidates: readonly (readonly [OperationId, CallOptions])[] = [
    ['listLabels', {}],
    ...(open === undefined ? [] : ([['getConversationContext', { params: { id: open } }]] as const)),
    ['getHealth', {}],
  ];
  let last = 'no operation to call';
  for (let attempt = 0; attempt < 3; attempt++) {
    if (attempt > 0) await rest();
    for (const [id, options] of candidates.filter(([id]) => deployment.operation(id) !== undefined)) {
      const { reply } = await send(id, options);
      if (stopped) throw new Inconclusive('interrupted');
      if (reply !== null && (reply.planned || succeeded(reply))) {
        return {
          key,
          limit,
          fire: (other = id, own = options) => send(other, own),
          volley: (count) => Array.from({ length: count }, () => send(id, options)),
          async steady(count, interval) {
            const shots: Promise<Shot>[] = [];
            const start = now();
            for (let i = 0; i < count; i++) {
              await sleep(Math.max(0, start + i * interval - now()));
              if (stopped) throw new Inconclusive('interrupted');
              shots.push(send(id, options));
            }
            return shots;
          },
          rest,
        };
      }
      last = reply === null ? `${id}: no reply` : `${reply.what} answered ${reply.status}`;
    }
  }
  throw new Inconclusive(`key ${key.name} gets no success from any operation it could be measured with: ${last}`);
}

export const samplesOf = (shots: readonly Shot[]): Observation[] => shots.map(({ sample }) => sample);
