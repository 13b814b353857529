import { judge } from '../../../spec/limiter/judge.ts';
import { type Limit, restSeconds } from '../../../spec/limiter/limit.ts';
import { missingAtFirst, missingTokens } from '../../../spec/limiter/missing-tokens.ts';
import type { Observation } from '../../../spec/limiter/observation.ts';
import type { Ask } from '../../client/ask.ts';
import type { Scene } from '../../experiments/scene.ts';
import { type Exchange, succeeded } from '../../history/exchange.ts';
import { carries, type KeyOfTenant } from '../../target/keys.ts';
import { lightReads } from '../../target/light-reads.ts';
import { tenantsOf } from '../../target/records.ts';
import { lawfulAsks } from '../asking/lawful.ts';

/** Characters. An operation with longer replies is too heavy to be sent a thousand times. */
const maxReply = 50_000;

export const limitOf = ({ rateLimit }: KeyOfTenant): Limit => ({
  perSecond: rateLimit.perSecond,
  burst: rateLimit.burst,
});

/** Milliseconds after which the buckets of all these keys are full. */
export const restOf = (...keys: readonly KeyOfTenant[]) =>
  Math.max(...keys.map((key) => restSeconds(limitOf(key)))) * 1000;

/** Held by situations that measure the key, so that none takes tokens from another. */
export const lockOf = ({ tenant, name }: KeyOfTenant) => `key ${tenant}/${name}`;

/** The situation in which every key sends its first volley. */
export const exhaustedId = 'limiter/exhausted';

/** Sends one request without waiting for the pacer. Operations and clients take turns, to find a limiter that counts only some of them. */
export type Fire = (ask?: Ask, more?: Pick<Ask, 'headers' | 'query' | 'twist'>) => Promise<Exchange>;

/** User agents. A limiter must not have a bucket for each, because a client can choose its user agent. */
const clients = ['partnerkit-conformance', 'partnerkit-conformance (another client)'];

/** Unpaced requests, by key. */
export interface Senders {
  /**
   * Finds the operations that succeed with the key, by sending each once. The returned function sends them in turn.
   * @param options.like another key, whose operations are used without sending each once
   * @param options.inARow requests of one operation before those of the next: 1 by default
   */
  senderFor(
    scene: Scene,
    key: KeyOfTenant,
    options?: { readonly like?: KeyOfTenant; readonly inARow?: number },
  ): Promise<Fire>;
  /** The unpaced requests with the key so far. */
  sent(key: KeyOfTenant): readonly Exchange[];
  keys(): readonly KeyOfTenant[];
}

export function createSenders(): Senders {
  const asksByKey = new Map<string, readonly Ask[]>();
  const exchangesByKey = new Map<string, Exchange[]>();
  const keys = new Map<string, KeyOfTenant>();
  return {
    async senderFor(scene, key, { like, inARow = 1 } = {}) {
      const name = nameOf(key);
      const known = like && asksByKey.get(nameOf(like))?.map(({ operation }) => operation);
      const asks = asksByKey.get(name) ?? (await lightAsks(scene, key, known));
      asksByKey.set(name, asks);
      keys.set(name, key);
      const sent = exchangesByKey.get(name) ?? [];
      exchangesByKey.set(name, sent);
      let turn = 0;
      return async (ask, more) => {
        // Each user agent sends every operation.
        const agent = clients[Math.floor(turn / asks.length) % clients.length] as string;
        const headers = { 'user-agent': agent, ...more?.headers };
        const next = ask ?? { ...(asks[Math.floor(turn++ / inARow) % asks.length] as Ask), ...more, headers };
        const exchange = await scene.send(next);
        sent.push(exchange);
        return exchange;
      };
    },
    sent: (key) => exchangesByKey.get(nameOf(key)) ?? [],
    keys: () => [...keys.values()],
  };
}

const nameOf = ({ tenant, name }: KeyOfTenant) => `${tenant}/${name}`;

export const samplesOf = (exchanges: readonly Exchange[]): Observation[] =>
  exchanges.map(({ sentAt, doneAt, status }) => ({ sentAt, doneAt, status: status ?? 0 }));

const samplesIn = (key: KeyOfTenant, { sent }: Senders, situation?: string): Observation[] =>
  samplesOf(sent(key).filter((one) => situation === undefined || one.situation === situation));

/** What the replies so far, or those of one situation, prove about the bucket, which by default was full before the first request. */
export const proofOf = (
  key: KeyOfTenant,
  senders: Senders,
  { situation, startedFull = true }: { readonly situation?: string; readonly startedFull?: boolean } = {},
) => judge(limitOf(key), samplesIn(key, senders, situation), { startedFull });

/** The tokens that the bucket should have held when any request of this situation was throttled. */
export const missingInAll = (key: KeyOfTenant, senders: Senders, situation: string) =>
  missingTokens(limitOf(key), samplesIn(key, senders, situation));

/** The tokens that the bucket of a rested key should have held in its first volley in this situation. */
export const missingTo = (key: KeyOfTenant, senders: Senders, situation: string) =>
  missingAtFirst(limitOf(key), samplesIn(key, senders, situation));

/**
 * Whether other keys take tokens of this one. Then a measurement would show the other requests of this run, and slow them down.
 */
export const isShared = (scene: Scene, key: KeyOfTenant, senders: Senders): boolean =>
  missingTo(key, senders, exhaustedId) >= 1 && scene.fails('limiter/own-bucket-per-key');

/** Lawful reads with small replies, one per operation. @param known operations with small replies */
async function lightAsks(scene: Scene, key: KeyOfTenant, known?: readonly Ask['operation'][]): Promise<readonly Ask[]> {
  const { deployment, newId } = scene;
  const candidates = lightReads.flatMap((operation) => {
    const deployed = deployment.operation(operation);
    if (deployed === undefined || !carries(key, deployed.scopes)) return [];
    const owner = tenantsOf(deployment).find(({ name }) => name === key.tenant);
    const [lawful] = lawfulAsks(operation, deployment, newId, owner);
    return lawful === undefined ? [] : [{ ...lawful.ask, key, unpaced: true as const }];
  });
  const light = candidates.filter(({ operation }) => known?.includes(operation));
  if (light.length > 0) return light;
  const tried = await Promise.all(candidates.map(async (ask) => ({ ask, exchange: await scene.send(ask) })));
  const answered = tried.flatMap(({ ask, exchange }) =>
    succeeded(exchange) ? [{ ask, size: exchange.body?.length ?? 0 }] : [],
  );
  answered.sort((a, b) => a.size - b.size);
  const small = answered.filter(({ size }, index) => index === 0 || size <= maxReply).map(({ ask }) => ask);
  return small.length > 0 ? small : candidates;
}

/** Sends requests at the same time. */
export const volley = (requests: number, send: Fire, askOf?: (index: number) => Ask | undefined): Promise<Exchange[]> =>
  Promise.all(Array.from({ length: requests }, (_, index) => send(askOf?.(index))));
