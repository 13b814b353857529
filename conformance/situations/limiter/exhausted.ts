import { volleySize } from '../../../spec/limiter/phase.ts';
import type { Ask } from '../../client/ask.ts';
import type { Scene } from '../../experiments/scene.ts';
import type { Exchange } from '../../history/exchange.ts';
import type { Situation } from '../../scripts/script.ts';
import type { Deployment } from '../../target/deployment.ts';
import { carries, type KeyOfTenant } from '../../target/keys.ts';
import { lawfulAsks } from '../asking/lawful.ts';
import { heldWrites } from './held-writes.ts';
import { limiterRules } from './limiter-rules.ts';
import { exhaustedId, limitOf, restOf, type Senders, volley } from './senders.ts';
import { type LabelWrites, labelsFor, removable, throttled, throttledWrite } from './throttled-writes.ts';
import { exhaust, harmlessWrites, inGroups, keysToOverload, ofEachKind, volleysOfEachKind } from './volleys.ts';

/** A read of a record that does not exist. */
function unknownRecord({ deployment, newId }: Scene, key: KeyOfTenant): Ask | undefined {
  const operation = (['getConversationContext', 'getConversation', 'getSite'] as const).find(
    (id) => deployment.operation(id) && carries(key, deployment.scopesOf(id)),
  );
  return operation && { operation, params: { id: newId() } };
}

/** Milliseconds between volleys with a key that is exhausted. No pause may fill its bucket. */
const pauses = [150, 400];

/** Requests with the key that stays below its limit, which may be very high. */
const maxFew = 20;

/** Milliseconds after which the effect of a throttled write is looked for once more. */
const later = 2_200;

/**
 * Before anything else is sent. One key, whose bucket is full, is exhausted after another was used; then the other is used again. Writes are
 * among the throttled requests.
 */
export function exhausted(deployment: Deployment, key: KeyOfTenant, other: KeyOfTenant, senders: Senders): Situation {
  const limit = limitOf(key);
  const harmless = harmlessWrites(deployment, key);
  const few = Math.min(maxFew, Math.max(1, Math.floor(other.rateLimit.burst / 4)));
  const [labelWrites, ...onOthers] = labelsFor(deployment, key);
  const upload = deployment.operation('startSiteFileUpload');
  const [start] =
    upload && carries(key, upload.scopes)
      ? lawfulAsks('startSiteFileUpload', deployment, () => '').map(({ ask }) => ask)
      : [];
  const locks = [labelWrites, ...onOthers, ...harmless].flatMap((writes) => writes?.lock ?? []);
  return {
    ...(locks.length > 0 && { writes: 'labels', locks }),
    id: exhaustedId,
    title: `key ${key.name} is exhausted with reads and writes, while key ${other.name} is used below its limit, and every other key sends a volley`,
    feeds: ['limiter/own-bucket-per-key', 'limiter/429-comes-before-the-handler', ...limiterRules],
    uses: [],
    limits: 'first',
    async run(scene) {
      const writes = await removable(scene, labelWrites);
      // The first write waits for the journal. Later writes of the same label are sent at once.
      const early = writes?.second ? [writes.carried.apply] : [];
      const elsewhere: (LabelWrites & { readonly before: Exchange })[] = [];
      for (const one of onOthers) {
        const possible = await removable(scene, one);
        if (possible !== undefined) elsewhere.push(possible);
      }
      const unknown = unknownRecord(scene, key);
      if (writes) for (const ask of [writes.apply, writes.remove, ...early]) await scene.send(ask);
      const [fire, fireOther] = await Promise.all([senders.senderFor(scene, key), senders.senderFor(scene, other)]);
      await Promise.all([scene.sleep(restOf(key, other)), volleysOfEachKind(scene, harmless, senders, key)]);
      await volley(2 * few, fireOther);
      const sent: Promise<unknown>[] = [volley(volleySize(limit), fire)];
      let removed: Promise<readonly Exchange[]> = Promise.resolve([]);
      // Meanwhile every other key shows that it has a limit and a bucket of its own.
      await inGroups(keysToOverload(deployment, other), async (one) =>
        exhaust(await senders.senderFor(scene, one, { like: key }), limitOf(one)),
      );
      for (const [round, pause] of pauses.entries()) {
        await scene.sleep(pause);
        sent.push(volley(few, fireOther));
        // A reply about a record that does not exist must not fill the bucket.
        if (round === 0 && unknown) await fire(throttled(unknown, key));
        // A volley of removals of an absent label and one of starts, which store nothing, to find a limiter that does not count them.
        const write = round === 0 ? writes?.remove : start;
        const wrote = volley(ofEachKind(limit), fire, () => write && throttled(write, key));
        if (round === 0) removed = wrote;
        sent.push(wrote);
      }
      await Promise.all(sent);
      if (writes === undefined) return;
      await heldWrites(scene, writes.remove, key, fire, await removed);
      const { before, carried } = writes;
      await throttledWrite(scene, writes, before, key, senders);
      const writtenAt = scene.now();
      for (const one of elsewhere) await throttledWrite(scene, one, one.before, key, senders);
      if (early.length === 0) {
        await scene.send(carried.apply);
        // Replies may show the label late. After this pause, a reply without the label shows an effect of the removal.
        await scene.sleep(deployment.settleMilliseconds);
      }
      // Neither a throttled apply of a label that is carried may take it off, nor a throttled removal.
      await throttledWrite(scene, { ...carried, remove: carried.apply }, before, key, senders);
      await throttledWrite(scene, { ...carried, apply: carried.remove, remove: carried.apply }, before, key, senders);
      // The throttled removal has no effect on a correct deployment, so the label is removed here.
      await scene.send(carried.remove);
      // A throttled write may also have an effect later.
      await scene.sleep(Math.max(0, writtenAt + later - scene.now()));
      await writes.show(scene, before);
    },
  };
}
