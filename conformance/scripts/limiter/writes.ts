/** Writes among the requests that are throttled: none may change anything, at once or later. Meanwhile pauses do not fill the bucket. */

import type { RuleId } from '../../../spec/rules.ts';
import { valid } from '../../contract/request.ts';
import type { Bench, Tags } from '../../experiments/bench.ts';
import { type RecordUnderTest, recordOf } from '../../experiments/record.ts';
import { examineStep } from '../../experiments/write.ts';
import { succeeded } from '../../history/exchange.ts';
import type { Deployment } from '../../target/deployment.ts';
import { holderKey, holderParams, type LabelAct, labelOperations } from '../../target/holder.ts';
import { carries, type KeyOfTenant, keysFor } from '../../target/keys.ts';
import { holdersOf, sparesOf } from '../../target/records.ts';
import type { Script, Unready } from '../script.ts';
import { lightReadsOf, limitOf, modestKeys, overBurst, play, type Sent, volley } from './shots.ts';

const rule: RuleId = 'limiter/429-comes-before-the-handler';

/** Milliseconds between volleys, none of which may fill a bucket. */
const [short, long] = [400, 1_100];
/** Milliseconds after which a throttled write may still have an effect. */
const later = 2_200;
/** Copies of a write at once, and tries to have them throttled: over a slow network, they may overtake the others. */
const [copies, tries] = [8, 3];

/** A record that the reserved key may label. */
const recordFor = (deployment: Deployment, key: KeyOfTenant) =>
  holdersOf(deployment.tenant).find(({ holder }) =>
    Object.values(labelOperations[holder.kind]).every(
      (id) => deployment.operation(id) && carries(key, deployment.scopesOf(id)),
    ),
  );

/** A label write of another kind, whose key must be throttled as for other requests. */
function otherRemoval(deployment: Deployment, reserved: KeyOfTenant) {
  const [spare] = sparesOf(deployment.tenant);
  for (const known of holdersOf(deployment.tenant).toReversed()) {
    const operation = labelOperations[known.holder.kind].remove;
    const scopes = deployment.scopesOf(operation);
    const key = keysFor(deployment, operation).find((one) =>
      modestKeys(deployment).some(({ name }) => name === one.name),
    );
    if (spare && key && deployment.operation(operation) && !carries(reserved, scopes))
      return { known, key, operation, spare };
  }
  return null;
}

export function* throttledWrites(deployment: Deployment, key: KeyOfTenant): Generator<Script | Unready> {
  const known = recordFor(deployment, key);
  const id = 'limiter/writes';
  const missing =
    known === undefined ? ['tenants[0].keys: a key with use: limits that may apply and remove labels'] : [];
  if (sparesOf(deployment.tenant).length === 0) missing.push('tenants[0].spareLabel');
  if (known === undefined || missing.length > 0) {
    yield { id, tries: [rule], missing };
    return;
  }
  // One label is written, and the reply to a write of another shows it.
  const isSeen = sparesOf(deployment.tenant).length > 1;
  if (!isSeen) yield { id: `${id}/seen`, tries: [rule], missing: ['tenants[0].spareLabels'] };
  const other = otherRemoval(deployment, key);
  yield {
    id,
    title: `key ${key.name} is exhausted again and again, and meanwhile a label of ${known.words} is applied and removed with it`,
    tries: ['limiter/clustering-gains-nothing', 'limiter/over-the-rate-is-429', ...(isSeen ? [rule] : [])],
    uses: [],
    limits: 'first',
    writes: 'labels',
    locks: [holderKey(known.holder), ...(other ? [holderKey(other.known.holder)] : [])],
    async run(b) {
      const record = await recordOf(b, known, deployment.tenant);
      const reads = await lightReadsOf(b, key);
      const { burst } = limitOf(key);
      const exhaust = (size = burst) => play(b, volley(key, reads, size));
      const [x] = record.spares.map((one) => one.id);
      const canLook = record.isSeen && isSeen && x !== undefined;
      const writes = new Throttled(b, record, key, reads);
      if (canLook) await record.establish(b, new Set());
      const first = await exhaust();
      // Nothing says that a write is throttled.
      if (!b.scene.planning && first.every((one) => one.status !== 429) && !first.every(succeeded)) return;
      await b.sleep(short);
      if (canLook) await writes.tried('apply', x, Math.ceil(burst / 2));
      else await exhaust();
      await b.sleep(long);
      await exhaust();
      await b.sleep(long);
      if (canLook) {
        await writes.later('apply', x, later - 2 * long);
        await record.establish(b, new Set([x]));
        await writes.tried('remove', x, burst);
        await writes.tried('apply', x, Math.ceil(burst / 4));
        await record.establish(b, new Set());
      } else await exhaust();
      if (other === null) return;
      const request: Sent = {
        operation: other.operation,
        place: { owner: 'ours', params: holderParams(other.known.holder) },
        label: { kind: 'spare', id: other.spare.id },
      };
      const sent = await play(b, volley(other.key, [request], Math.ceil(1.2 * limitOf(other.key).burst)));
      if (!b.scene.planning && sent.every(succeeded))
        await play(b, volley(other.key, [request], overBurst(limitOf(other.key)) + 3 - sent.length));
    },
  };
}

/** Writes of a label with a key that is exhausted. */
class Throttled {
  readonly b: Bench;
  readonly record: RecordUnderTest;
  readonly key: KeyOfTenant;
  readonly reads: readonly Sent[];

  constructor(b: Bench, record: RecordUnderTest, key: KeyOfTenant, reads: readonly Sent[]) {
    this.b = b;
    this.record = record;
    this.key = key;
    this.reads = reads;
  }

  /** Sends a write among other requests until all copies are throttled. @returns whether they were */
  async send(b: Bench, act: LabelAct, label: string, cover: number, tags: Tags = {}): Promise<boolean> {
    const { record, key, reads } = this;
    const before = record.carried;
    // Made-up replies are never throttled.
    const most = b.scene.planning ? 1 : tries;
    for (let n = 0; n < most; n++) {
      const after = record.after(act, label);
      const { who: _, ...request } = record.request(b, act, label, { who: valid(key) });
      const around = play(b, volley(key, reads, cover * 2 ** n));
      // A proxy may send one of many writes again, by itself: a trial counts single ones.
      const written = await play(b, volley(key, [request], n === 0 && tags.trial === undefined ? copies : 1), {
        ...tags,
        ...record.tags({ part: 'write', carries: after }),
      });
      for (const exchange of written) record.saw(b, exchange);
      await around;
      if (written.every(({ status }) => status === 429)) return true;
      record.carried = after;
      await record.establish(b, before);
    }
    return false;
  }

  async tried(act: LabelAct, label: string, cover: number) {
    if (await this.send(this.b, act, label, cover)) await this.look(act, label, 0);
  }

  /** Looks once more, when an effect may have come late. */
  async later(act: LabelAct, label: string, milliseconds: number) {
    await this.b.sleep(Math.max(0, milliseconds));
    await this.look(act, label, later);
  }

  async look(act: LabelAct, label: string, pause: number) {
    const { b, record, key } = this;
    const before = record.carried;
    const differences = await record.look(b, { rule, inQuestion: label });
    if (differences.length === 0) return;
    await examineStep(b, record, differences, {
      rule,
      before,
      after: before,
      inQuestion: label,
      pause,
      act: async (bench, trial) => {
        await this.send(bench, act, label, overBurst(limitOf(key)), { trial });
        await bench.sleep(pause);
        return [];
      },
    });
  }
}
