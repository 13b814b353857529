import { type Limit, restSeconds } from '../../../spec/limiter/limit.ts';
import { measurement, type Part } from '../../../spec/limiter/measurement.ts';
import { manyTokens } from '../../../spec/limiter/missing-tokens.ts';
import { type Phase, volleySize } from '../../../spec/limiter/phase.ts';
import { readRetryAfter } from '../../../spec/limiter/reply/retry-after.ts';
import type { RuleId } from '../../../spec/rules.ts';
import type { Exchange } from '../../history/exchange.ts';
import type { Deployment } from '../../target/deployment.ts';
import { type KeyOfTenant, keyFor } from '../../target/keys.ts';
import { lawfulAsks } from '../asking/lawful.ts';
import type { Ask, Generate, Scene, Situation } from '../asking/situation.ts';
import { otherKeysAtTheRate } from './other-keys-at-the-rate.ts';
import {
  createSenders,
  type Fire,
  limitOf,
  missingInAll,
  missingTo,
  proofOf,
  type Senders,
  volley,
} from './senders.ts';
import { type LabelWrites, labelsFor, removable, throttled, throttledWrite } from './throttled-writes.ts';
import { exhaust, harmlessWrites, inGroups, keysBut, volleysOfEachKind } from './volleys.ts';
import { volleysWithPauses } from './volleys-with-pauses.ts';

const feeds: readonly RuleId[] = [
  'limiter/over-the-rate-is-429',
  'limiter/429-has-retry-after',
  'limiter/429-body-is-one-message',
  'limiter/waiting-retry-after-suffices',
  'limiter/steady-rate',
  'limiter/burst',
  'limiter/burst-reading',
  'limiter/clustering-gains-nothing',
];

/** Seconds. A longer Retry-After is not tried. */
const maxWait = 60;

/** Milliseconds that separate requests which must not count as sent at the same time. */
const apart = 20;

/** Whether a key lacked tokens while another key was used, and lacks none when used alone. */
const sharesBucket = (senders: Senders) =>
  senders
    .keys()
    .some(
      (key) =>
        senders.sent(key).some(({ situation }) => situation === aloneId) &&
        missingTo(key, senders, exhaustedId) >= 1 &&
        missingTo(key, senders, aloneId) < 1,
    );

/** A read of a record that does not exist. */
function unknownRecord({ deployment, newId }: Scene, key: KeyOfTenant): Ask | undefined {
  const operation = (['getConversationContext', 'getConversation', 'getSite'] as const).find((id) =>
    deployment.operation(id)?.scopes.every((scope) => key.scopes.includes(scope)),
  );
  return operation && { operation, params: { id: newId() } };
}

/** Runs one phase of a measurement. */
async function play(phase: Phase, { now, sleep }: Scene, fire: Fire, limit: Limit): Promise<void> {
  const start = now();
  const until = (seconds: number) => sleep(Math.max(0, start + seconds * 1000 - now()));
  const sent: Promise<Exchange[]>[] = [];
  switch (phase.kind) {
    case 'steady':
      for (let i = 0; i < Math.round(phase.perSecond * phase.seconds); i++) {
        await until(i / phase.perSecond);
        sent.push(volley(1, fire));
      }
      await until(phase.seconds);
      break;
    case 'volleys':
      for (const { at, requests } of phase.volleys) {
        await until(at);
        sent.push(volley(requests, fire));
      }
      break;
    case 'idle':
      await sleep(phase.seconds * 1000);
      break;
    case 'ask': {
      // Earlier replies must surely be older, even on a clock with a resolution of milliseconds.
      await sleep(apart);
      sent.push(volley(phase.requests, fire));
      const throttled = (await Promise.all(sent))
        .flat()
        .filter(({ status }) => status === 429)
        .at(-1);
      const { seconds } = readRetryAfter(throttled?.headers['retry-after']);
      if (throttled === undefined || seconds === undefined || seconds > maxWait) break;
      // Other requests of the volley may have been decided after this one, so the tokens that they took are waited for as well, plus one.
      const taken = ((phase.requests + 1) * 1000) / limit.perSecond;
      await sleep(Math.max(0, throttled.doneAt + seconds * 1001 + taken + apart - now()));
      sent.push(volley(1, fire));
    }
  }
  await Promise.all(sent);
}

const restOf = (...keys: readonly KeyOfTenant[]) => Math.max(...keys.map((key) => restSeconds(limitOf(key)))) * 1000;

const exhaustedId = 'limiter/exhausted';
const aloneId = 'limiter/alone';

/** How often a key is used together with others, and alone. */
const rounds = 3;

/** So many times as long as a bucket takes to fill. A key that is idle for long must not collect more than a burst. */
const rests = 4;

/**
 * Another volley after a longer rest, to find a burst that changes after the first one, or with the time since the last request. Then one
 * request is sent after the Retry-After of the last throttled one, and nothing before.
 * @returns whether that request was throttled
 */
async function volleyAndRetry({ now, sleep }: Scene, fire: Fire, limit: Limit): Promise<boolean> {
  await sleep(rests * 1000 * restSeconds(limit));
  const first = await exhaust(fire, limit, 1);
  // Earlier replies must surely be older. The bucket is empty now, so this one is throttled.
  await sleep(apart);
  const second = await fire();
  const { seconds } = readRetryAfter(second.headers['retry-after']);
  if (second.status !== 429 || seconds === undefined || seconds > maxWait) return false;
  // Throttled requests may take tokens as well. If these are not refilled by then, they are waited for.
  const taken = [...first, second].filter(({ status }) => status === 429).length + 1;
  const wait = Math.max(seconds * 1001, (taken * 1000) / limit.perSecond) + apart;
  await sleep(Math.max(0, second.doneAt + wait - now()));
  return (await fire()).status === 429;
}

/** Milliseconds after which the effect of a throttled write is looked for once more. */
const later = 900;

/** Milliseconds between volleys with a key that is exhausted. No pause may fill its bucket. */
const pauses = [150, 400];

/** One part of the measurement. All parts together are one run against the bucket of the key. */
const measured = ({ name, phases }: Part, key: KeyOfTenant, senders: Senders): Situation => ({
  id: `limiter/${name}`,
  title: titles[name],
  feeds,
  uses: [],
  limits: 'parallel',
  async run(scene) {
    // Other requests of this run take tokens of a shared bucket, so the rest would measure those, and slow them down.
    if (name !== 'recovery' && sharesBucket(senders)) return;
    if (name === 'clustering') {
      // A limiter that behaved like a bucket in the volley from rest and under overload has no windows, unless it refills in steps.
      const exhausted = senders.sent(key).some(({ situation }) => situation === exhaustedId);
      const { verdict, limit } = proofOf(key, senders);
      if (exhausted && (scene.planning || (verdict === 'pass' && !limit.tick))) return;
      await scene.sleep(restOf(key));
    }
    const fire = await senders.senderFor(scene, key);
    for (const phase of phases) await play(phase, scene, fire, limitOf(key));
  },
});

const again = (key: KeyOfTenant, senders: Senders): Situation => ({
  id: 'limiter/again',
  title: 'after a longer rest, another volley is sent, and a throttled request is repeated after its Retry-After',
  feeds,
  uses: [],
  limits: 'parallel',
  async run(scene) {
    if (sharesBucket(senders)) return;
    const fire = await senders.senderFor(scene, key);
    // Repetitions tell a smaller burst or a key that is shut from another client, which does not take the same tokens each time.
    for (let round = 0; round < rounds; round++) {
      const isShut = await volleyAndRetry(scene, fire, limitOf(key));
      const isStrict = round === 0 && proofOf(key, senders, 'limiter/again').tooStrict !== undefined;
      if (scene.planning || !(isShut || isStrict)) break;
    }
  },
});

const titles: Readonly<Record<Part['name'], string>> = {
  clustering:
    'if the limiter may not be a bucket, volleys are sent with a rested key, and around the ends of possible windows',
  sustained: 'requests are sent at one and a half times the rate',
  recovery: 'a throttled request is repeated after its Retry-After',
  paced: 'a rested key is used at its rate and no faster',
};

/**
 * Two keys, before anything else is sent. One key, whose bucket is full, is exhausted after the other was used; then the other is used again.
 * If a key lacks tokens that the other may have taken, each is used alone. Writes are among the throttled requests.
 */
function* ownBuckets(
  deployment: Deployment,
  key: KeyOfTenant,
  other: KeyOfTenant,
  senders: Senders,
): Generator<Situation> {
  const limit = limitOf(key);
  const harmless = harmlessWrites(deployment, key);
  const everyOther = keysBut(deployment, other);
  const few = Math.max(1, Math.floor(other.rateLimit.burst / 4));
  const [labelWrites, ...onOthers] = labelsFor(deployment, key);
  const upload = deployment.operation('startSiteFileUpload');
  const [start] = upload?.scopes.every((scope) => key.scopes.includes(scope))
    ? lawfulAsks('startSiteFileUpload', deployment, () => '').map(({ ask }) => ask)
    : [];
  const locks = [labelWrites, ...onOthers, ...harmless].flatMap((writes) => writes?.lock ?? []);
  const common: Pick<Situation, 'feeds' | 'uses' | 'limits'> = {
    feeds: ['limiter/own-bucket-per-key', 'limiter/429-comes-before-the-handler', ...feeds],
    uses: [],
    limits: 'first',
  };
  yield {
    ...common,
    ...(locks.length > 0 && { writes: 'labels', locks }),
    id: exhaustedId,
    title: `key ${key.name} is exhausted with reads and writes, while key ${other.name} is used below its limit, and every other key sends a volley`,
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
      // Meanwhile every other key shows that it has a limit and a bucket of its own.
      await inGroups(everyOther, async (one) => exhaust(await senders.senderFor(scene, one, key), limitOf(one)));
      for (const [round, pause] of pauses.entries()) {
        await scene.sleep(pause);
        sent.push(volley(few, fireOther));
        // A reply about a record that does not exist must not fill the bucket.
        if (round === 0 && unknown) await fire(throttled(unknown, key));
        // A volley of removals of an absent label and one of starts, which store nothing, to find a limiter that does not count them.
        const write = round === 0 ? writes?.remove : start;
        sent.push(volley(limit.burst, fire, () => write && throttled(write, key)));
      }
      await Promise.all(sent);
      if (writes === undefined) return;
      const { before, carried } = writes;
      await throttledWrite(scene, writes, before, key, senders);
      const writtenAt = scene.now();
      for (const one of elsewhere) await throttledWrite(scene, one, one.before, key, senders);
      if (early.length === 0) {
        await scene.send(carried.apply);
        // Replies may show the label late. After this pause, a reply without the label shows an effect of the removal.
        await scene.sleep(deployment.settleMilliseconds);
      }
      await throttledWrite(scene, { ...carried, apply: carried.remove, remove: carried.apply }, before, key, senders);
      // The throttled removal has no effect on a correct deployment, so the label is removed here.
      await scene.send(carried.remove);
      // A throttled write may also have an effect later.
      await scene.sleep(Math.max(0, writtenAt + later - scene.now()));
      await writes.show(scene, before);
    },
  };
  yield {
    ...common,
    id: 'limiter/apart',
    title: `if a key lacked tokens in its volley, it is used with the other keys at the same time and alone, ${rounds} times each in turn`,
    async run(scene) {
      if (scene.planning) return;
      const missing = (one: KeyOfTenant) => missingInAll(one, senders, exhaustedId);
      const lacksMany = (one: KeyOfTenant, lacking: number) => lacking >= manyTokens(limitOf(one));
      const suspect =
        [key, other].find((one) => lacksMany(one, missingTo(one, senders, exhaustedId))) ??
        everyOther.toSorted((a, b) => missing(b) - missing(a)).find((one) => lacksMany(one, missing(one)));
      if (suspect === undefined) return;
      // Longer by a burst, because throttled requests may have taken tokens as well.
      await scene.sleep((1000 * limit.burst) / limit.perSecond);
      const others = [key, other, ...everyOther].filter((one) => one !== suspect);
      const fire = await senders.senderFor(scene, suspect, key);
      for (let round = 0; round < rounds; round++) {
        await scene.sleep(restOf(key, other, ...everyOther));
        // Above their limits, as at first, and before it: the last key to send lacks the tokens that others took.
        await inGroups(others, async (one) => exhaust(await senders.senderFor(scene, one, key), limitOf(one)));
        await volley(suspect.rateLimit.burst, fire);
        await scene.sleep(restOf(key, other, ...everyOther));
        await volley(suspect.rateLimit.burst, fire);
      }
    },
  };
  yield {
    ...common,
    id: aloneId,
    title: `if key ${key.name} or key ${other.name} lacks tokens that the other took, each is used alone`,
    async run(scene) {
      if (scene.planning || ![key, other].some((one) => missingTo(one, senders, exhaustedId) >= 1)) return;
      const [fire, fireOther] = [await senders.senderFor(scene, key), await senders.senderFor(scene, other)];
      // Longer by a burst, because throttled requests may have taken tokens as well.
      await scene.sleep(restOf(key, other) + (1000 * limit.burst) / limit.perSecond);
      await volley(other.rateLimit.burst, fireOther);
      await scene.sleep(restOf(key, other));
      await volley(volleySize(limit), fire);
    },
  };
}

/** Situations about the rate limiter: first two keys, then the measurement with the reserved key at the same time as everything else. */
export const limiter: Generate = function* (deployment) {
  const found = keyFor(deployment, { use: 'limits' });
  if ('missing' in found) {
    yield {
      id: 'limiter',
      feeds: ['limiter/own-bucket-per-key', 'limiter/429-comes-before-the-handler', ...feeds],
      missing: [found.missing],
    };
    return;
  }
  const { key } = found;
  const senders = createSenders();
  const others = deployment.tenant.keys.filter(({ revoked, use }) => !revoked && use === undefined);
  const [other] = others.sort((a, b) => a.scopes.length - b.scopes.length);
  if (other === undefined)
    yield {
      id: exhaustedId,
      feeds: ['limiter/own-bucket-per-key'],
      missing: ['tenants[0].keys: a second key'],
    };
  else yield* ownBuckets(deployment, key, { ...other, tenant: deployment.tenant.name }, senders);
  if (labelsFor(deployment, key).length === 0) {
    const missing = ['tenants[0].keys: a key with use: limits that may apply and remove labels'];
    yield { id: 'limiter/throttled-writes', feeds: ['limiter/429-comes-before-the-handler'], missing };
  }
  // The volleys around the ends of windows come last, because the earlier replies show whether they are needed.
  const parts = measurement(limitOf(key)).toSorted(
    (a, b) => Number(a.name === 'clustering') - Number(b.name === 'clustering'),
  );
  for (const part of parts) yield measured(part, key, senders);
  yield again(key, senders);
  yield* volleysWithPauses(deployment, key);
  yield otherKeysAtTheRate(deployment, key, senders);
};
