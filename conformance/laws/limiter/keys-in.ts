import { type Judgement, judge } from '../../../spec/limiter/judge.ts';
import { type Limit, restSeconds } from '../../../spec/limiter/limit.ts';
import type { Observation } from '../../../spec/limiter/observation.ts';
import { maxStep, steppedRefill } from '../../../spec/limiter/stepped-refill.ts';
import type { Exchange } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { tenantsOf } from '../../target/records.ts';
import { deploymentIn } from '../judging/asked.ts';
import { once } from '../judging/law.ts';
import { blameOf, proofs } from './blame.ts';
import { interferenceOn } from './interference.ts';
import { isThrottled, type KeyUse, sampleOf } from './key-use.ts';
import { lateReplies, lateWords } from './late-replies.ts';
import { shutAfter } from './pauses.ts';

/** The used keys of the target file. */
export const keysIn = once((history: History): readonly KeyUse[] => {
  const deployment = deploymentIn(history);
  const { tenant } = deployment;
  const startedAt = Date.parse(history.known.startedAt);
  // A key in another place than x-api-key does not authenticate, but a deployment may count the request for the key's bucket.
  const used = Map.groupBy(
    history.exchanges.filter(
      ({ key, operation, credential, status }) =>
        key !== null && operation !== 'storage' && (credential === 'key' || status !== 429),
    ),
    ({ key }) => key,
  );
  const keys = tenantsOf(deployment)
    .flatMap((owner) => owner.keys.map((key) => ({ key, owner, measured: key.use === 'limits' && owner === tenant })))
    .sort((a, b) => Number(b.measured) - Number(a.measured));
  let tick = 0;
  const uses = keys.flatMap(({ key, owner, measured }): KeyUse[] => {
    const name = `${owner.name}/${key.name}`;
    const exchanges = used.get(name) ?? [];
    const [first] = exchanges;
    if (first === undefined || key.revoked) return [];
    const { perSecond, burst } = key.rateLimit;
    const limit: Limit = { perSecond, burst, tick };
    const samples = (measured ? exchanges : exchanges.filter(maySpeak(limit))).map(sampleOf);
    // Another client may have used the key shortly before the run.
    const startedFull = first.sentAt - startedAt >= restSeconds(limit) * 1000;
    const plain = judge(limit, samples, { startedFull, ...(!measured && proofs) });
    const judged = plain.tooStrict && !plain.tooLax ? orInSteps(plain, samples, startedFull) : plain;
    const isLate = judged.kind?.name === 'delay' && judged.verdict === 'inconclusive';
    const late = isLate ? lateIn({ key: name, limit, exchanges }, history) : null;
    const { kind: _, ...others } = judged;
    const judgement = late === null ? judged : { ...others, reason: late };
    // The other keys were not measured, so how their buckets refill is not seen.
    if (measured && judgement.limit.tick) tick = maxStep;
    const shut = measured ? shutAfter({ exchanges, samples, limit }) : [];
    const use = { key: name, limit, measured, exchanges, samples, judgement, late, shut };
    return [{ ...use, blame: blameOf(use), interference: null }];
  });
  // Another client is unlikely to use several keys of this run at the same time.
  const strict = uses.filter(({ judgement: { tooStrict, tooLax } }) => tooStrict && !tooLax);
  return strict.length < minStrictKeys
    ? uses.map((use) => ({ ...use, interference: interferenceOn(use, uses) }))
    : uses;
});

/** Where replies are late, a smaller bucket may explain what a whole one that refills in steps explains as well. */
function orInSteps(plain: Judgement, samples: readonly Observation[], startedFull: boolean): Judgement {
  const stepped = steppedRefill(plain.limit, samples, { startedFull });
  return stepped === undefined ? plain : judge(stepped.known, samples, { startedFull });
}

/** What delays the replies to a key: its own limiter, or whatever delays those to other keys as well. */
function lateIn(use: Pick<KeyUse, 'key' | 'limit' | 'exchanges'>, history: History): string {
  const late = lateReplies(use, history);
  return late
    ? lateWords(use, late)
    : 'some replies were late: the limiter may hold requests back, or this deployment may be slow';
}

/**
 * Which exchanges of a key that is not reserved say something about its bucket. Another client may use such a key, so its volley only shows that
 * there is a limit. Nor is it known what a throttled request costs, so one that follows another soon says nothing.
 */
function maySpeak({ perSecond, burst }: Limit): (exchange: Exchange) => boolean {
  let silentUntil = Number.NEGATIVE_INFINITY;
  return (exchange) => {
    if (!isThrottled(exchange)) return true;
    const speaks = exchange.paced && exchange.sentAt >= silentUntil;
    // Even if throttled requests have left the bucket a whole burst below zero, it is full again by then.
    silentUntil = Math.max(silentUntil, exchange.doneAt + restSeconds({ perSecond, burst: 2 * burst }) * 1000);
    return speaks;
  };
}

/** If this many keys are too strict, the deployment is the cause, and not another client. */
const minStrictKeys = 3;

/** The measurement with the reserved key; undefined where there was none. */
export const measurementIn = (history: History): KeyUse | undefined =>
  keysIn(history).find(({ measured, exchanges }) => measured && exchanges.some(({ paced }) => !paced));
