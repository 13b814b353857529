/** The life of a key, by hooks of the target file: it is made, regenerated and revoked, and used all the time. */
import type { HookName } from '../../spec/files/hooks.ts';
import { usualLimit } from '../../spec/limiter/limit.ts';
import type { Scope } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import { lawful, nowhere, open, type Request, valid } from '../contract/request.ts';
import type { Bench } from '../experiments/bench.ts';
import { examine, mustPass } from '../experiments/trial.ts';
import { write } from '../experiments/write.ts';
import { succeeded } from '../history/exchange.ts';
import { nameAfter } from '../hooks/made-keys.ts';
import { lags } from '../numbers.ts';
import { carries, type Deployment, type KeyOfTenant, keysFor } from '../target/deployment.ts';
import { holdersOf, sparesOf, tenantsOf } from '../target/records.ts';
import { entryIn, isMarked } from '../verdict/keys.ts';
import { type Errand, errandsOf, reads } from './lawful.ts';
import { refusedOn } from './refusals.ts';
import { type Generate, onRecord } from './script.ts';

const tries: readonly RuleId[] = [
  'keys/created-with-name-and-scopes',
  'keys/secret-shown-only-once',
  'keys/regeneration-issues-a-new-secret',
  'keys/revocation-is-immediate-and-listed',
  'auth/revoked-key-is-403',
  'isolation/reads-stay-in-tenant',
];

const hooks: readonly HookName[] = ['createKey', 'regenerateKey', 'revokeKey', 'listKeys'];

const text = (value: unknown, name: string) => String((value as Readonly<Record<string, unknown>> | null)?.[name]);

/** A key that a hook creates for this run, and what becomes of it: each time it is another key to use. */
async function makeKey({ scene: { hook, deployment, newId, sleep, planning } }: Bench, scopes: readonly Scope[]) {
  const name = `check-${newId().slice(0, 8)}`;
  const made = await hook('createKey', { name, scopes });
  const id = text(made, 'id');
  const key: KeyOfTenant = {
    tenant: deployment.tenant.name,
    name,
    secret: text(made, 'secret'),
    scopes: [...scopes],
    rateLimit: usualLimit,
    revoked: false,
  };
  let current = key;
  return {
    key,
    /** Reads the list of keys until it shows this one so: it may lag. */
    async list(isShown: (entry: unknown) => boolean): Promise<void> {
      for (const wait of [0, ...lags]) {
        await sleep(wait);
        if (isShown(entryIn(await hook('listKeys', {}), { id, name })) || planning) break;
      }
    },
    async regenerate(): Promise<KeyOfTenant> {
      const secret = text(await hook('regenerateKey', { id, name }), 'secret');
      current = { ...current, name: nameAfter.regenerateKey(name), secret };
      return current;
    },
    async revoke(): Promise<KeyOfTenant> {
      await hook('revokeKey', { id, name });
      return { ...current, name: nameAfter.revokeKey(name), revoked: true };
    },
    async raise(rateLimit: KeyOfTenant['rateLimit']): Promise<KeyOfTenant> {
      await hook('raiseLimit', { id, name, ...rateLimit });
      return { ...current, name: nameAfter.raiseLimit(name), rateLimit };
    },
  };
}

/** Waits until a key is served everywhere, as a new secret must be known first. How soon that must be is open. */
async function untilServed(b: Bench, key: KeyOfTenant, errands: readonly Errand[]): Promise<void> {
  const [errand] = errands.filter(({ operation }) => carries(key, b.deployment.scopesOf(operation)));
  if (errand === undefined) return;
  const request: Request = { ...errand, who: valid(key), change: open('until it is served') };
  for (const wait of [0, ...lags]) {
    await b.sleep(wait);
    if (succeeded(await b.send(request)) || b.scene.planning) break;
  }
  await b.sleep(b.deployment.settleMilliseconds);
}

/**
 * Uses a made key for all of these at once. What it may not do is refused, and what a key of the target file with no other scopes may do succeeds.
 * What does not is tried again while the key lives, beside that other key.
 */
async function use(b: Bench, key: KeyOfTenant, errands: readonly Errand[], rule: RuleId): Promise<void> {
  await Promise.all(
    errands.map(async (errand) => {
      const { operation } = errand;
      const request = { ...errand, who: valid(key) };
      const [other] = keysFor(b.deployment, operation).filter((one) => carries(key, one.scopes));
      const isAllowed = carries(key, b.deployment.scopesOf(operation));
      if (isAllowed && other === undefined) return;
      // Whether an operation that nobody was served yet is there at all is not a question about this key.
      // Nor does one that the specification does not have say anything about keys.
      const isDocumented = b.deployment.operation(operation)?.isAddressStated;
      if (!isAllowed || other === undefined || !isDocumented || !b.has(operation)) return void (await b.send(request));
      await mustPass(b, {
        rule,
        go: (alone, trial) => alone.send({ ...request, successRule: rule }, { trial }),
        control: (alone, trial) => alone.send({ ...errand, who: valid(other) }, { trial }),
      });
    }),
  );
}

/** What no key of the tenant may read. */
const foreignIn = (deployment: Deployment): Errand[] =>
  tenantsOf(deployment)
    .filter((one) => one !== deployment.tenant)
    .flatMap((one) => errandsOf(deployment, one, ['getConversationContext']))
    .map((errand) => ({ ...errand, place: { ...errand.place, owner: 'theirs' } }));

/** One request of each operation that changes nothing. @param turn rotates the records */
const errandsIn = (deployment: Deployment, turn: number): Errand[] => {
  const all = errandsOf(deployment, deployment.tenant, [...reads, 'startSiteFileUpload']);
  const groups = Map.groupBy(all, ({ operation }) => operation).values();
  return [...groups].flatMap((some) => some[turn % some.length] ?? []);
};

async function lifeOf(b: Bench, scopes: readonly Scope[]) {
  const [some, others] = [errandsIn(b.deployment, 0), errandsIn(b.deployment, 1)];
  const made = await makeKey(b, scopes);
  await untilServed(b, made.key, some);
  await use(b, made.key, some, 'keys/created-with-name-and-scopes');
  await Promise.all(foreignIn(b.deployment).map((errand) => b.send({ ...errand, who: valid(made.key) })));
  const isListed = (entry: unknown) => entry !== undefined;
  await made.list(isListed);
  const renewed = await made.regenerate();
  await untilServed(b, renewed, some);
  await use(b, renewed, others, 'keys/regeneration-issues-a-new-secret');
  // Whether the old secret stops at once is open.
  const replaced = { key: made.key, credential: 'replaced', caller: 'valid' } as const;
  const change = open('the secret before');
  await Promise.all(some.map((errand) => b.send({ ...errand, who: replaced, change })));
  await made.list(isListed);
  // A deployment that caches keys would accept the revoked key for some time, so the key is used right before.
  await use(b, renewed, some, 'keys/regeneration-issues-a-new-secret');
  const who = valid(await made.revoke());
  await Promise.all(some.map((errand) => b.send({ ...errand, who })));
  await Promise.all(others.map((errand) => b.send({ ...errand, who })));
  await made.list(isMarked);
}

/** Milliseconds in which a bucket with this limit fills. */
const filling = ({ rateLimit: { burst, perSecond } }: KeyOfTenant) => (1000 * burst) / perSecond;

/** As many requests as its burst by each key, at once. */
const burstOf = (keys: readonly KeyOfTenant[]): Request[] =>
  keys.flatMap((key) =>
    Array.from({ length: key.rateLimit.burst }, () => ({
      operation: 'listLabels' as const,
      who: valid(key),
      place: nowhere,
      change: lawful('at once', { unpaced: true }),
    })),
  );

/** The limit of a key is doubled and used up. The control is as many requests by two keys with half of it each. */
async function raised(b: Bench) {
  const rule: RuleId = 'limiter/limits-can-be-raised';
  const sign = 'no usable reply';
  const made = await makeKey(b, []);
  const { perSecond, burst } = made.key.rateLimit;
  // A limit that was read with the first request must be raised, too.
  await untilServed(b, made.key, [{ operation: 'listLabels', place: nowhere }]);
  // A new key has a limit, too.
  await b.together(burstOf([made.key, made.key]));
  const key = await made.raise({ perSecond: 2 * perSecond, burst: 2 * burst });
  // The bucket may keep its old level when the limit is raised.
  await b.sleep(b.deployment.settleMilliseconds + filling(key));
  const isThrottled = async (bench: Bench, keys: readonly KeyOfTenant[], tags = {}) => {
    const requests = burstOf(keys);
    const replies = await bench.together(
      requests,
      requests.map(() => tags),
    );
    return replies.some(({ status }) => status === 429);
  };
  if (!(await isThrottled(b, [key])) || b.scene.planning) return;
  const pair = [(await makeKey(b, [])).key, (await makeKey(b, [])).key];
  const rested = (keys: readonly KeyOfTenant[]) => async (alone: Bench, trial: object) => {
    await alone.sleep(filling(key));
    return isThrottled(alone, keys, { trial });
  };
  await examine(b, { rule, sign, script: rested([key]), control: rested(pair) });
}

/** Scripts about keys that a hook makes. */
export const keyScripts: Generate = function* (deployment) {
  const { tenant } = deployment;
  const all = [...new Set(deployment.operations.flatMap(({ scopes }) => scopes))];
  for (const [slug, scopes] of [
    ['all-scopes', all],
    // The last one opens nothing that a rule names.
    ['one-scope', all.slice(-1)],
  ] as const)
    yield {
      id: `keys/life/${slug}`,
      title: `a key with ${slug === 'all-scopes' ? 'every scope' : scopes[0]} is made, regenerated and revoked, and used all the time`,
      tries,
      hooks,
      run: (b) => lifeOf(b, scopes),
    };
  const [spare] = sparesOf(tenant);
  // One record of each kind.
  for (const [known] of Map.groupBy(holdersOf(tenant), ({ holder }) => holder.kind).values()) {
    if (known === undefined || spare === undefined) continue;
    const id = `keys/revoked-writes/${known.slug}`;
    const title = `labels of ${known.words} are written with a key that was revoked a moment ago`;
    yield onRecord({ id, title, tries, hooks: ['createKey', 'revokeKey'] }, known, tenant, async (b, record) => {
      const made = await makeKey(b, all);
      await untilServed(b, made.key, errandsIn(deployment, 0));
      for (const act of ['apply', 'remove'] as const) await write(b, record, act, spare.id, { who: valid(made.key) });
      const who = valid(await made.revoke());
      await refusedOn(b, record, (act) => record.spares.map((one) => record.request(b, act, one.id, { who })));
    });
  }
  yield {
    id: 'keys/raised-limit',
    title: 'the limit of a key is doubled, and then used up at once',
    tries: ['limiter/limits-can-be-raised', 'limiter/over-the-rate-is-429', 'limiter/burst'],
    hooks: ['createKey', 'raiseLimit', 'revokeKey'],
    uses: ['listLabels'],
    run: raised,
  };
};
