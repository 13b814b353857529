import type { RuleId } from '../../../spec/rules.ts';
import { type Credential, elsewhere } from '../../history/exchange.ts';
import type { Deployment } from '../../target/deployment.ts';
import { holderKey, holderParams, labelOperations, labelWriteOf } from '../../target/holder.ts';
import { keysWith } from '../../target/keys.ts';
import { holdersOf, sparesOf } from '../../target/records.ts';
import { lawfulAsks } from '../asking/lawful.ts';
import type { Generate, Situation, Wanting } from '../asking/situation.ts';
import { fieldFor } from '../asking/wanting.ts';
import { refusedWrites, type WrongWay } from './refused-writes.ts';

/** Every way of showing a key that does not authenticate, beside a revoked one. */
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
  'auth/bearer-is-not-supported',
  'auth/header-is-required',
  'auth/forbidden-has-the-error-body',
];

/** Each operation on each record in each of these ways, so that all triples are covered; keys rotate through them. */
export const wrongKeys: Generate = function* (deployment) {
  const { tenant } = deployment;
  const revoked = tenant.keys.filter((key) => key.revoked).map((key) => ({ ...key, tenant: tenant.name }));
  if (revoked.length === 0)
    yield { id: 'wrong-keys/revoked', feeds: ['auth/revoked-key-is-403'], missing: ['tenants[0].keys: a revoked key'] };
  const fed: readonly RuleId[] = revoked.length > 0 ? [...feeds, 'auth/revoked-key-is-403'] : feeds;
  /** The ways for one record; `turn` says which keys they show. */
  const ways = (operation: Situation['uses'][number], turn: number): WrongWay[] => {
    // With a key that lacks a scope the way that it is shown would not be what refuses it.
    const keys = keysWith(tenant, deployment.operation(operation)?.scopes ?? []);
    return [
      ...credentials.flatMap((credential, i): WrongWay[] => {
        const key = keys[(i + turn) % keys.length];
        if (key === undefined) return [];
        const headers = headersFor(credential, key.secret, turn);
        return [{ credential, key, ...(headers && { headers }) }];
      }),
      // A good key as Bearer token makes a wrong one in the header no better, nor does its shape.
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
      title: `${id} on every record with no key, and with keys that do not authenticate; on one that nobody has with some of them`,
      feeds: fed,
      uses: [id],
      async run({ send, newId }) {
        const asks = lawfulAsks(id, deployment, newId);
        for (const [turn, { ask }] of asks.entries())
          for (const way of ways(id, position + turn)) {
            const { status } = await send({ ...ask, ...way });
            // Which of them it was, the deployment is asked again.
            if (way.credential === 'elsewhere' && status !== 403)
              for (const credential of elsewhere) await send({ ...ask, ...way, credential });
          }
        const [first] = asks;
        if (first?.ask.params === undefined) return;
        // Operations take turns, so that each way is tried on a record that nobody has.
        const params = mapValues(first.ask.params, (known) => known.replace(uuid, '') + newId());
        for (const [turn, way] of ways(id, 0).entries())
          if (turn % inTurn === position % inTurn) await send({ ...first.ask, params, ...way });
      },
    };
    const askable = lawfulAsks(id, deployment, () => '').length > 0;
    yield askable ? situation : { id: situation.id, feeds: fed, missing: [fieldFor(id)] };
  }
  yield* ofLabels(deployment, fed, ways);
};

/** So many operations share the ways on records that nobody has, and so many holders those of writes that would change nothing. */
const inTurn = 4;

/** What may stand before a key in Authorization: nothing, or a scheme that people give keys. */
const schemes = ['', 'ApiKey ', 'Token ', 'Api-Key ', 'X-API-Key ', 'Key '];

function headersFor(credential: Credential, secret: string, turn: number): WrongWay['headers'] {
  if (credential === 'authorization') return { authorization: `${schemes[turn % schemes.length]}${secret}` };
  // A key with something after it is as little a key as a part of one.
  return credential === 'part-of-a-key' && turn % 2 === 1 ? { 'x-api-key': `${secret}${secret.at(-1)}` } : undefined;
}

/** A key of the same shape that nobody has: behind its prefix every letter and digit is another one, of a hexadecimal one a hexadecimal one. */
function lookAlike(secret: string): string {
  const prefix = /^([a-z]+[_-])*/i.exec(secret)?.[0] ?? '';
  return prefix + secret.slice(prefix.length).replace(/[a-z0-9]/gi, (one) => next[one] ?? one);
}

const next: Readonly<Record<string, string>> = Object.fromEntries(
  ['0123456789', 'abcdef', 'ghijklmnopqrstuvwxyz', 'ABCDEF', 'GHIJKLMNOPQRSTUVWXYZ'].flatMap((all) =>
    [...all].map((one, i) => [one, all[(i + 1) % all.length] ?? one]),
  ),
);

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const mapValues = (record: Readonly<Record<string, string>>, change: (value: string) => string) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

function* ofLabels(
  deployment: Deployment,
  fed: readonly RuleId[],
  ways: (operation: Situation['uses'][number], turn: number) => WrongWay[],
): Generator<Situation | Wanting> {
  const [spare] = sparesOf(deployment.tenant);
  for (const [turn, known] of holdersOf(deployment.tenant).entries()) {
    const { apply, remove } = labelOperations[known.holder.kind];
    const id = `wrong-keys/labels/${known.slug}`;
    const both = [apply, remove].every((one) => deployment.operation(one) !== undefined);
    if (spare === undefined) yield { id, feeds: fed, missing: ['tenants[0].spareLabel'] };
    else if (both)
      yield {
        id,
        title: `a label put on and taken off ${known.words} with keys that do not authenticate`,
        feeds: fed,
        uses: [apply, remove],
        // All wait for one pacer: one after the other they keep fewer records from other situations.
        locks: [holderKey(known.holder), 'without a key'],
        writes: 'labels',
        async run(scene) {
          const all = ways(apply, turn);
          // Holders take turns here, too.
          const idle = all.filter((_, i) => i % inTurn === turn % inTurn);
          await refusedWrites(scene, known, all, idle);
        },
      };
    // Where what was put on could not be taken off again, a label that nobody has is tried: it can be on nothing.
    else
      for (const one of [apply, remove])
        yield {
          id: `${id}/${one}`,
          title: `a label that nobody has, put on or taken off ${known.words} with keys that do not authenticate`,
          feeds: fed,
          uses: [one],
          async run({ send, newId }) {
            for (const way of ways(one, turn))
              await send({ operation: one, params: holderParams(known.holder, newId()), ...way });
          },
        };
  }
}
