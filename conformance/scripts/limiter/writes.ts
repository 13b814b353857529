/** Writes among the requests that are throttled: none may change anything, at once or later. Meanwhile pauses do not fill the bucket. */
import type { RuleId } from '../../../spec/rules.ts';
import { type Request, valid } from '../../contract/request.ts';
import type { Bench, Tags } from '../../experiments/bench.ts';
import { type RecordUnderTest, recordOf } from '../../experiments/record.ts';
import { lookAfter } from '../../experiments/write.ts';
import { succeeded } from '../../history/exchange.ts';
import { carries, type Deployment, type KeyOfTenant } from '../../target/deployment.ts';
import { holderKey, type LabelAct, labelOperations } from '../../target/holder.ts';
import { holdersOf, sparesOf } from '../../target/records.ts';
import { isThrottled } from '../../verdict/limiter/uses.ts';
import type { Script, Unready } from '../script.ts';
import { lightReadsOf, overBurst, play, volley } from './shots.ts';

const rule: RuleId = 'limiter/429-comes-before-the-handler';

/** Milliseconds between volleys, none of which may fill a bucket. */
const [short, long] = [400, 1_100];
/** Milliseconds after which a throttled write may still have an effect. */
const late = 2_200;
/** Copies of a write at once, and tries to have them throttled: over a slow network, they may overtake the others. */
const [copies, rounds] = [8, 3];

/** A record that the reserved key may label. */
const recordFor = (deployment: Deployment, key: KeyOfTenant) =>
  holdersOf(deployment.tenant).find(({ holder }) =>
    Object.values(labelOperations[holder.kind]).every(
      (id) => deployment.operation(id) && carries(key, deployment.scopesOf(id)),
    ),
  );

export function* throttledWrites(deployment: Deployment, key: KeyOfTenant): Generator<Script | Unready> {
  const known = recordFor(deployment, key);
  const spares = sparesOf(deployment.tenant);
  const id = 'limiter/writes';
  const missing = [
    ...(known === undefined ? ['tenants[0].keys: a key with use: limits that may apply and remove labels'] : []),
    ...(spares.length === 0 ? ['tenants[0].spareLabel'] : []),
  ];
  if (known === undefined || missing.length > 0) {
    yield { id, tries: [rule], missing };
    return;
  }
  // One label is written, and the reply to a write of another shows it.
  const isSeen = spares.length > 1;
  if (!isSeen) yield { id: `${id}/seen`, tries: [rule], missing: ['tenants[0].spareLabels'] };
  yield {
    id,
    title: `key ${key.name} is exhausted again and again, and meanwhile a label of ${known.words} is applied and removed with it`,
    tries: ['limiter/clustering-gains-nothing', 'limiter/over-the-rate-is-429', ...(isSeen ? [rule] : [])],
    limits: 'first',
    writes: 'labels',
    locks: [holderKey(known.holder)],
    async run(b) {
      const record = await recordOf(b, known, deployment.tenant);
      const reads = await lightReadsOf(b, key);
      const { burst } = key.rateLimit;
      const exhaust = () => play(b, volley(reads, burst));
      const [x] = record.spares.map((one) => one.id);
      const written = record.isSeen && isSeen && x !== undefined ? throttled(b, record, key, reads, x) : null;
      await written?.carries(false);
      const first = await exhaust();
      // Nothing says that a write is throttled. What the network loses says nothing.
      const isOpen = first.some(isThrottled) || first.every((one) => succeeded(one) || one.status === null);
      if (!b.scene.planning && !isOpen) return;
      await b.sleep(short);
      await (written?.tries('apply', Math.ceil(burst / 2)) ?? exhaust());
      await b.sleep(long);
      await exhaust();
      await b.sleep(long);
      if (written) {
        await written.look('apply', late);
        await written.carries(true);
        await written.tries('remove', burst);
        await written.tries('apply', Math.ceil(burst / 4));
        await written.carries(false);
      } else await exhaust();
    },
  };
}

/** Writes of a label with a key that is exhausted. */
function throttled(b: Bench, record: RecordUnderTest, key: KeyOfTenant, reads: readonly Request[], label: string) {
  /** Sends a write among other requests until all copies are throttled. @returns whether they were */
  const send = async (bench: Bench, act: LabelAct, cover: number, tags: Tags = {}): Promise<boolean> => {
    const before = record.carried;
    const after = record.after(act, label);
    // Made-up replies are never throttled.
    for (let n = 0; n < (b.scene.planning ? 1 : rounds); n++) {
      const request = record.request(bench, act, label, { who: valid(key) });
      const around = play(bench, volley(reads, cover * 2 ** n));
      // A proxy may send one of many writes again, by itself: a trial counts single ones.
      const written = await play(bench, volley([request], n === 0 && tags.trial === undefined ? copies : 1), {
        ...tags,
        ...record.tags({ part: 'write', carries: after }),
      });
      for (const exchange of written) record.saw(bench, exchange);
      await around;
      if (written.every(isThrottled)) return true;
      record.carried = after;
      await record.establish(bench, before);
    }
    return false;
  };
  /** @param pause milliseconds since the write, in which an effect may have come late */
  const look = async (act: LabelAct, pause = 0) => {
    const before = record.carried;
    await lookAfter(b, record, {
      rule,
      before,
      after: before,
      inQuestion: label,
      pause,
      act: async (bench, trial) => {
        await send(bench, act, overBurst(key.rateLimit), { trial });
        await bench.sleep(pause);
      },
    });
  };
  return {
    /** Puts the label on or takes it off, by other keys. */
    carries: (is: boolean) => record.establish(b, new Set(is ? [label] : [])),
    async tries(act: LabelAct, cover: number) {
      if (await send(b, act, cover)) await look(act);
    },
    look,
  };
}
