import type { RuleId } from '../../../spec/rules.ts';
import { mapValues } from '../../../spec/text/map-values.ts';
import { type Credential, elsewhere, otherHeaders } from '../../history/exchange.ts';
import type { Generate, Situation, Wanting } from '../../scripts/script.ts';
import type { Deployment } from '../../target/deployment.ts';
import { holderKey, holderParams, labelOperations, labelWriteOf } from '../../target/holder.ts';
import { keysFor, keysWith, revokedKeysOf } from '../../target/keys.ts';
import { holdersOf, sparesOf } from '../../target/records.ts';
import { lawfulAsks } from '../asking/lawful.ts';
import { fieldFor } from '../asking/wanting.ts';
import { refusedWrites, type WrongWay } from './refused-writes.ts';
import { lookAlike, unknownKeys } from './unknown-keys.ts';

/** Credentials that do not authenticate. */
const credentials: readonly Credential[] = [
  'none',
  'empty',
  'unknown',
  'part-of-a-key',
  'other-case',
  'bearer',
  'basic',
  'authorization',
  'elsewhere',
];

const feeds: readonly RuleId[] = [
  'auth/no-key-is-403',
  'auth/unknown-key-is-403',
  'auth/key-in-other-case',
  'auth/bearer-is-not-supported',
  'auth/header-is-required',
  'auth/forbidden-has-the-error-body',
];

/** Each operation with each wrong credential, and each record with each, which covers all pairs, and with the commonest also all triples. */
export const wrongKeys: Generate = function* (deployment) {
  const { tenant, stranger } = deployment;
  const revoked = revokedKeysOf(tenant);
  if (revoked.length === 0)
    yield { id: 'wrong-keys/revoked', feeds: ['auth/revoked-key-is-403'], missing: ['tenants[0].keys: a revoked key'] };
  const fed: readonly RuleId[] = revoked.length > 0 ? [...feeds, 'auth/revoked-key-is-403'] : feeds;
  /** The wrong ways for one record. @param turn rotates the keys */
  const ways = (operation: Situation['uses'][number], turn: number): WrongWay[] => {
    // Keys without the scopes would be refused for another reason.
    const keys = keysFor(deployment, operation, tenant);
    const other = keysWith(stranger ?? tenant, [])[0]?.secret ?? '';
    return [
      ...credentials.flatMap((credential, i): WrongWay[] => {
        const key = keys[(i + turn) % keys.length];
        if (key === undefined) return [];
        const headers = headersFor(credential, key.secret, other, turn);
        return [{ credential, key, ...(headers && { headers }) }];
      }),
      // A valid key as Bearer token must not help a wrong key of the same form in x-api-key.
      ...keys.slice(0, 1).map(
        (key): WrongWay => ({
          credential: 'unknown',
          key,
          headers: { authorization: `Bearer ${key.secret}`, 'x-api-key': lookAlike(key.secret) },
        }),
      ),
      ...revoked.map((key) => ({ key })),
    ];
  };

  const plain = deployment.operations.filter(({ id }) => labelWriteOf(id, {}) === null);
  for (const [position, { id }] of plain.entries()) {
    const situation: Situation = {
      id: `wrong-keys/${id}`,
      title: `${id} on every record, and on one that does not exist, without a key and with keys that do not authenticate`,
      feeds: fed,
      uses: [id],
      async run({ send, sleep, newId, fails }) {
        const asks = lawfulAsks(id, deployment, newId);
        for (const [turn, { ask }] of asks.entries())
          for (const [i, way] of ways(id, position + turn).entries()) {
            if (turn > 0 && (i + turn) % 2 === 0 && !common.has(way.credential)) continue;
            const { status } = await send({ ...ask, ...way });
            const isBroken = way.credential === 'unknown' && (status ?? 0) >= 500;
            // Longer than a restart takes, but only until it is shown.
            for (let time = 1; isBroken && time < askedAgain && !fails('auth/unknown-key-is-403'); time++) {
              await sleep(pause);
              await send({ ...ask, ...way });
            }
            // Each place is tried alone, to find the one that was accepted.
            if (way.credential === 'elsewhere' && status !== 403)
              for (const credential of elsewhere)
                for (const headers of credential === 'other-header' ? eachAlone : [{}])
                  await send({ ...ask, ...way, credential, headers });
          }
        const [first] = asks;
        if (first?.ask.params === undefined) return;
        // The operations share the ways, so that each way is tried on a record that does not exist.
        const params = mapValues(first.ask.params, (value) => value.replace(uuid, '') + newId());
        for (const [turn, way] of ways(id, 0).entries())
          if (turn % sharing === position % sharing) await send({ ...first.ask, params, ...way });
      },
    };
    const askable = lawfulAsks(id, deployment, () => '').length > 0;
    yield askable ? situation : { id: situation.id, feeds: fed, missing: [fieldFor(id)] };
  }
  yield* ofLabels(deployment, fed, (operation, turn) => ways(operation, plain.length + turn));
  const theirs = stranger === undefined || revoked.length === 0 ? [] : revokedKeysOf(stranger);
  if (theirs.length > 0)
    yield {
      id: 'wrong-keys/theirs',
      title: `every operation on records of ${stranger?.name} with the revoked keys of that tenant`,
      feeds: ['auth/revoked-key-is-403'],
      uses: [],
      async run({ send, newId }) {
        for (const { id } of plain)
          for (const { ask } of lawfulAsks(id, deployment, newId, stranger).slice(0, 1))
            for (const key of theirs) await send({ ...ask, key });
      },
    };
};

/** For each of the other headers, the change of a request that leaves it as the only one of them. */
const eachAlone = otherHeaders.map((name) =>
  Object.fromEntries(otherHeaders.filter((other) => other !== name).map((other) => [other, null])),
);

/** No key, an unknown one, a Bearer token, and a revoked key. Each record of an operation gets these, and further records every second of the others. */
const common: ReadonlySet<WrongWay['credential']> = new Set(['none', 'unknown', 'bearer', undefined]);

/** How often a request with a key that nobody has is sent that is answered 5xx, and the milliseconds in between. */
const [askedAgain, pause] = [3, 6_000];

/** This many operations or holders share the wrong ways for requests that would change nothing anyway. */
const sharing = 4;

/** Schemes for a key in Authorization. */
const schemes = ['', 'ApiKey ', 'Token ', 'Api-Key ', 'X-API-Key ', 'Key '];

/** @param other a secret of another key */
function headersFor(credential: Credential, secret: string, other: string, turn: number): WrongWay['headers'] {
  if (credential === 'unknown') {
    const values = unknownKeys(secret, other);
    // After all of them a new UUID.
    const value = values[turn % (values.length + 1)];
    return value === undefined ? undefined : { 'x-api-key': value };
  }
  if (credential === 'authorization') return { authorization: `${schemes[turn % schemes.length]}${secret}` };
  // Every second time the key is one character too long in place of too short.
  return credential === 'part-of-a-key' && turn % 2 === 1 ? { 'x-api-key': `${secret}${secret.at(-1)}` } : undefined;
}

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function* ofLabels(
  deployment: Deployment,
  fed: readonly RuleId[],
  ways: (operation: Situation['uses'][number], turn: number) => WrongWay[],
): Generator<Situation | Wanting> {
  const [spare] = sparesOf(deployment.tenant);
  // Legacy sites are among the first, because the other tenant may have one with the same id, and they share a lock.
  for (const [turn, record] of [...holdersOf(deployment.tenant).entries()].reverse()) {
    const { apply, remove } = labelOperations[record.holder.kind];
    const id = `wrong-keys/labels/${record.slug}`;
    const both = [apply, remove].every((one) => deployment.operation(one) !== undefined);
    if (spare === undefined) yield { id, feeds: fed, missing: ['tenants[0].spareLabel'] };
    else if (both)
      yield {
        id,
        title: `a label is applied to and removed from ${record.words} with keys that do not authenticate`,
        feeds: fed,
        uses: [apply, remove],
        // All share the pacer of requests without a key. Run one after another, they lock fewer records at the same time.
        locks: [holderKey(record.holder), 'without a key'],
        writes: 'labels',
        async run(scene) {
          const all = ways(apply, turn);
          const idle = all.filter((_, i) => i % sharing === turn % sharing);
          await refusedWrites(scene, record, all, idle);
          // The key is checked before the label, so a label that does not exist must get the same refusal.
          const [key] = keysFor(deployment, apply);
          const params = holderParams(record.holder, scene.newId());
          for (const [operation, credential] of [
            [apply, 'none'],
            [remove, 'unknown'],
          ] as const)
            await scene.send({ operation, params, credential, ...(key && { key }) });
        },
      };
    // Without both operations a label could not be removed again, so a label that does not exist is used.
    else
      for (const one of [apply, remove])
        yield {
          id: `${id}/${one}`,
          title: `a label that does not exist is applied to or removed from ${record.words} with keys that do not authenticate`,
          feeds: fed,
          uses: [one],
          async run({ send, newId }) {
            for (const way of ways(one, turn))
              await send({ operation: one, params: holderParams(record.holder, newId()), ...way });
          },
        };
  }
}
