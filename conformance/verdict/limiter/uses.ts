/** The requests of each key, in runs that each begin with a full bucket, and what one of them proves. */
import { envelope } from '../../../spec/limiter/envelope.ts';
import { type Judgement, judge } from '../../../spec/limiter/judge.ts';
import { untilFirstThrottled } from '../../../spec/limiter/kind.ts';
import type { Limit } from '../../../spec/limiter/limit.ts';
import { proofs, steppedRefill } from '../../../spec/limiter/measure.ts';
import type { Observation } from '../../../spec/limiter/observation.ts';
import type { Exchange } from '../../history/exchange.ts';
import { perObject } from '../../per-object.ts';
import { tenantsOf } from '../../target/records.ts';
import type { Traffic } from '../traffic.ts';

export type Run = readonly Exchange[];

export type KeyUse = ReturnType<typeof usesOf>[number];

export const isThrottled = ({ status }: { readonly status: number | null }) => status === 429;

/** What a cache answers says as much of the limiter as "not modified": before it or behind it, a token was taken or not. */
export const sampleOf = ({ sentAt, doneAt, status, operation, headers }: Exchange): Observation => ({
  sentAt,
  doneAt,
  status: isCached(headers) ? 304 : (status ?? 0),
  operation: operation ?? undefined,
});

/** A reply of some Age (RFC 9111) is a cache's. */
export const isCached = ({ age }: Exchange['headers']): boolean => Number(age) > 0;

/** The keys of the target file that were used, the reserved one first, each with its requests in the order of sending. */
export const usesOf = perObject(({ exchanges, known, deployment }: Traffic) => {
  // A key in another place than x-api-key does not authenticate, but a deployment may count the request for the key's bucket.
  const counted = exchanges.filter(
    ({ operation, credential, status }) => operation !== 'storage' && (credential === 'key' || status !== 429),
  );
  const byKey = Map.groupBy(counted, ({ key }) => key);
  return tenantsOf(deployment)
    .flatMap((owner) => owner.keys.map((key) => ({ ...key, owner })))
    .flatMap(({ name, rateLimit: { perSecond, burst }, use, revoked, owner }) => {
      const key = `${owner.name}/${name}`;
      const own: Run = byKey.get(key) ?? [];
      const limit: Limit = { perSecond, burst };
      // Nothing but measurements of this run uses such a key.
      const isReserved = use === 'limits' && owner === deployment.tenant;
      const runs: readonly Run[] = runsOf(own, limit, Date.parse(known.startedAt));
      return own.length === 0 || revoked ? [] : [{ key, limit, isReserved, exchanges: own, runs }];
    })
    .sort((a, b) => Number(b.isReserved) - Number(a.isReserved));
});

/** A run begins where the bucket was surely full, even if each throttled request took a token. */
function runsOf(exchanges: Run, { perSecond, burst }: Limit, startedAt: number): Run[] {
  const runs: Exchange[][] = [];
  // Somebody may have used the key just before.
  let [busyUntil, throttled] = [startedAt, 0];
  for (const one of exchanges) {
    const seconds = (burst + throttled) / perSecond + 0.2;
    if (one.sentAt - busyUntil >= seconds * 1000) {
      runs.push([]);
      throttled = 0;
    }
    runs.at(-1)?.push(one);
    if (isThrottled(one)) throttled++;
    busyUntil = Math.max(busyUntil, one.doneAt);
  }
  return runs;
}

/**
 * The tokens that the bucket surely held when the first request of this run was throttled; 0 where it may have been empty. What comes after the
 * first says less: it is open what a throttled request costs.
 */
export function missingIn(run: Run, limit: Limit): number {
  const samples = untilFirstThrottled(run.map(sampleOf));
  if (samples.length === 0) return 0;
  const { tooStrict } = proofs(limit, envelope(samples, limit, {}));
  // A bucket may get the tokens of a second at once, if that explains the whole run.
  return tooStrict === undefined || steppedRefill(limit, run.map(sampleOf)) !== undefined ? 0 : tooStrict.tokens;
}

export const firstThrottled = (run: Run): Exchange | undefined => run.find(isThrottled);

/** What all requests of a key prove, whatever they could not have shown. */
export const provedBy = perObject(
  ({ limit, exchanges }: KeyUse): Judgement => judge(limit, exchanges.map(sampleOf), { mustShow: {} }),
);

/** The measurement of the reserved key; null where there was none. */
export const measurementOf = perObject((traffic: Traffic): { use: KeyUse; judgement: Judgement } | null => {
  const use = usesOf(traffic).find(({ isReserved, exchanges }) => isReserved && exchanges.some(({ paced }) => !paced));
  if (use === undefined) return null;
  const { limit, exchanges } = use;
  const rested = (exchanges[0]?.sentAt ?? 0) - Date.parse(traffic.known.startedAt);
  const startedFull = rested >= (1000 * limit.burst) / limit.perSecond;
  return { use, judgement: judge(limit, exchanges.map(sampleOf), { startedFull }) };
});

/** The scripts that measure a key again, and others with the same requests at the same moments. */
export const againId = 'limiter/again';
const isOfAgain = ({ script }: Exchange) => script.startsWith(againId);
export const isAgain = (run: Run) => run.some(isOfAgain);

/** What another client of the key may have caused counts only if it comes again, and with all others that send the same at the same moments. */
export function seenAgain(use: KeyUse, uses: readonly KeyUse[], shows: (run: Run, use: KeyUse) => boolean) {
  const again = use.runs.filter(isAgain);
  // Other requests of the key may end such a run.
  const scripts = new Set(again.flatMap((run) => run.filter(isOfAgain).map(({ script }) => script)));
  const shown = again.filter((run) => shows(run, use));
  const others = uses.flatMap((one) => {
    const own = one === use ? [] : one.runs.filter((run) => run.some(({ script }) => scripts.has(script)));
    return own.length > 0 ? [{ use: one, key: one.key, shown: own.filter((run) => shows(run, one)) }] : [];
  });
  const isProved = shown.length > 0 && others.length > 0 && others.every((one) => one.shown.length > 0);
  return { shown, others, isProved };
}
