/**
 * Reads. Who may read is served, the same to every key of the tenant, and who may not is refused, right before and after a lawful read of the
 * same, in other spellings, and many at once.
 */
import type { TargetTenant } from '../../spec/files/target.ts';
import type { OperationId } from '../../spec/operations.ts';
import { type RuleId, rules } from '../../spec/rules.ts';
import {
  belowId,
  type Change,
  lawful,
  open,
  otherMethodId,
  type Request,
  valid,
  type Who,
} from '../contract/request.ts';
import { hiddenIn, showsWithout, signWithout } from '../contract/shown.ts';
import type { Bench } from '../experiments/bench.ts';
import { inTurn, recordOf } from '../experiments/record.ts';
import { examine } from '../experiments/trial.ts';
import type { Exchange, Trial } from '../history/exchange.ts';
import type { Owner } from '../history/facts.ts';
import { type KeyOfTenant, keysFor, revokedKeysOf, scopeRules } from '../target/deployment.ts';
import { holderKey } from '../target/holder.ts';
import { holdersOf, sparesOf, tenantsOf } from '../target/records.ts';
import { allLabels } from './all-labels.ts';
import { pathOf, refusedFor, spellings } from './callers.ts';
import { type Errand, errandsOf } from './lawful.ts';
import { refusedOn } from './refusals.ts';
import type { Generate } from './script.ts';

/** Something of a tenant that can be read. */
type Readable = Errand & { readonly tenant: TargetTenant };

const keyFor = (b: Bench, { operation, tenant }: Readable): KeyOfTenant =>
  inTurn(keysFor(b.deployment, operation, tenant), b.turn(`reads of ${tenant.name}`));

const requestOf = ({ operation, place }: Readable, key: KeyOfTenant): Request => ({
  operation,
  place,
  who: valid(key),
});

const read = (b: Bench, readable: Readable, how: { key?: KeyOfTenant; change?: Change } = {}): Promise<Exchange> => {
  const { key = keyFor(b, readable), change } = how;
  return b.send({ ...requestOf(readable, key), ...(change && { change }) });
};

/** Whether both tenants have a record with this id, so that each reads its own. */
const isShared = (b: Bench, { operation, place }: Readable) =>
  /Site$/.test(operation) && tenantsOf(b.deployment).every(({ sites }) => sites?.legacy === place.params.id);

/** Who must not read this, and in which words. @param alike records that the operation reads: what is odd is shared among them */
function refusalsOf(b: Bench, readable: Readable, alike: number): Request[] {
  const { operation, place, tenant } = readable;
  return refusedFor(b, {
    operation,
    tenant,
    alike,
    crosses: Object.keys(place.params).length > 0 && !isShared(b, readable),
    ask: (who, owner) => ({ operation, who, place: owner === 'theirs' ? { ...place, owner } : place }),
    changes: spellings(pathOf(b, { operation, place }), tenant.name),
  });
}

/** Requests that must be refused between two lawful ones. */
const perLawful = 4;

/** The refusals of one record, some of them right after a lawful read of it or right before one. */
async function between(b: Bench, readable: Readable, alike: number) {
  for (const [i, request] of b.shuffled(refusalsOf(b, readable, alike)).entries()) {
    if (i % perLawful === 0) await read(b, readable);
    await b.send(request);
  }
  await read(b, readable);
}

/** Unknown ids, ids of another form, and paths and methods that no operation has. What is odd is shared among records that are alike. */
async function unknown(b: Bench, readable: Readable, alike: number) {
  const { operation, place } = readable;
  const { id } = place.params;
  const path = pathOf(b, { operation, place });
  const odd = [
    ...['?include=all', '?includePrivate=true'].map((query) => open(query, { query })),
    ...spellings(path).filter(({ means }) => typeof means === 'object'),
    open(belowId, { path: `${path}/x` }),
    // A PATCH without a body does nothing, even where it is served.
    open(otherMethodId, { method: 'PATCH' }),
  ];
  const keys = keysFor(b.deployment, operation, readable.tenant).length;
  for (const change of b.share(`odd ${operation}`, odd, alike, keys)) await read(b, readable, { change });
  const key = keyFor(b, readable);
  await b.send({ operation, place, who: { key, credential: 'other-case', caller: 'other-case' } });
  if (id === undefined) return;
  const who: Who = valid(key);
  const prefix = id.replace(/[0-9a-f]{8}-.*/i, '');
  const ask = (owner: Owner, other: string) => b.send({ operation, who, place: { owner, params: { id: other } } });
  await ask('nobody', `${/^\d+$/.test(id) ? 'ovaid-' : prefix}${b.scene.newId()}`);
  const bare = prefix === '' || prefix === id ? [] : [id.slice(prefix.length)];
  for (const other of b.share(
    `ids of ${operation}`,
    ['nothing', '%', `${id}x`, '1', `${id.slice(0, -1)}%`, ...bare],
    alike,
    keys,
  ))
    await ask('malformed', other);
}

/** Many requests at once, those that must be refused twice: neither load nor repetition may get a refused request served. */
async function crowds(b: Bench, readables: readonly Readable[]) {
  const refused = readables.flatMap((one) => refusalsOf(b, one, 1).filter(({ change }) => change === undefined));
  const kinds = [...Map.groupBy(refused, ({ who, place }) => `${who.caller} ${place.owner === 'theirs'}`).values()];
  const [rounds, size] = [2, 10];
  for (let round = 0; round < rounds; round++) {
    const some = kinds.flatMap((kind) => b.shuffled(kind).slice(0, 1));
    const lawfulReads = Array.from({ length: size }, (_, i) => readables[(i + round) % readables.length] as Readable);
    await b.together([...lawfulReads.map((one) => requestOf(one, keyFor(b, one))), ...some, ...some]);
  }
}

/** The same read in other words. */
const inOtherWords: readonly Change[] = [
  lawful('an encoded id', { encoded: true }),
  open('Authorization beside the key', { headers: { authorization: 'Bearer x' } }),
  open('no Accept', { headers: { accept: null } }),
];

/** The same, by every key, and in other words. What one key is shown and another is not, is asked for by both in turn. */
async function everyKey(b: Bench, readable: Readable): Promise<void> {
  const keys = keysFor(b.deployment, readable.operation, readable.tenant);
  const replies: Exchange[] = [];
  for (const key of keys) replies.push(await read(b, readable, { key }));
  // How other words are read does not depend on the tenant.
  for (const change of readable.tenant === b.deployment.tenant ? inOtherWords : []) await read(b, readable, { change });
  const hidden = hiddenIn(replies, b.deployment);
  if (hidden === null) return;
  const by = (name: string) => keys.find((one) => `${one.tenant}/${one.name}` === name);
  const sign = signWithout(hidden.fact);
  const ask = async (bench: Bench, name: string, trial: Trial) =>
    showsWithout(await bench.send(requestOf(readable, by(name) ?? keyFor(b, readable)), { trial }), sign);
  await examine(b, {
    rule: 'keys/partner-scoped',
    sign,
    script: (alone, trial) => ask(alone, hidden.from, trial),
    control: (alone, trial) => ask(alone, hidden.shownTo, trial),
  });
}

/** Secrets in URLs, which servers in front may log: only those of the narrowest keys. */
async function secretsInUrls(b: Bench, readables: readonly Readable[]) {
  const inQuery = (key: KeyOfTenant): Who => ({ key, credential: 'query', caller: 'elsewhere' });
  for (const readable of readables) {
    const [key] = keysFor(b.deployment, readable.operation, readable.tenant);
    if (key) await b.send({ ...requestOf(readable, key), who: inQuery(key) });
  }
  const { tenant } = b.deployment;
  for (const known of holdersOf(tenant)) {
    const record = await recordOf(b, known, tenant);
    const [label] = record.spares;
    const [key] = record.keys(b, record.operation('remove'));
    if (record.isSeen && label && key)
      await refusedOn(b, record, (act) =>
        act === 'remove' ? [record.request(b, act, label.id, { who: inQuery(key) })] : [],
      );
  }
}

const served: Readonly<Partial<Record<OperationId, readonly RuleId[]>>> = {
  getConversationContext: rules
    .filter(({ id, verification }) => id.startsWith('context/') && verification.includes('conformance'))
    .map(({ id }) => id),
  getConversation: ['service/named-endpoints-exist', 'service/conversation-record'],
  getHealth: ['service/named-endpoints-exist', 'service/reference-endpoints'],
  getSite: ['service/reference-endpoints'],
  getClient: ['service/reference-endpoints'],
  listLabels: ['labels/listing-gives-public-labels', 'labels/record-is-id-and-name', 'scopes/where-none-is-named'],
};

const always: readonly RuleId[] = [
  'auth/key-in-x-api-key',
  'keys/partner-scoped',
  'transport/json-both-ways',
  'transport/json-content-type',
  'versioning/v1-prefix',
  'isolation/reads-stay-in-tenant',
  'labels/private-never-in-a-reply',
  'context/without-the-record',
];

/** What a deployment answers to ids, paths and methods that it does not know. */
const inQuestion: readonly RuleId[] = [
  'auth/key-in-other-case',
  'errors/invalid-request-is-400',
  'errors/routing',
  'errors/unknown-is-404',
  'ids/malformed-is-refused',
];

const revokedRule: RuleId = 'auth/revoked-key-is-403';

const always403: readonly RuleId[] = [
  'auth/no-key-is-403',
  'auth/unknown-key-is-403',
  'auth/bearer-is-not-supported',
  'auth/header-is-required',
  'auth/forbidden-has-the-error-body',
  'errors/body',
  'errors/codes',
  'isolation/reads-stay-in-tenant',
];

/** Scripts about reads. */
export const readScripts: Generate = function* (deployment) {
  const hasRevoked = tenantsOf(deployment).some((tenant) => revokedKeysOf(tenant).length > 0);
  const refusals: readonly RuleId[] = [...always403, ...(hasRevoked ? [revokedRule] : [])];
  if (!hasRevoked)
    yield { id: 'refusals/revoked-key', tries: [revokedRule], missing: ['tenants[0].keys: a revoked key'] };
  for (const [index, tenant] of tenantsOf(deployment).entries()) {
    const whose = index === 0 ? 'ours' : 'theirs';
    const readables = errandsOf(deployment, tenant).map((errand): Readable => ({ ...errand, tenant }));
    for (const [operation, all] of Map.groupBy(readables, (one) => one.operation)) {
      const rule = scopeRules[operation];
      const scopes: readonly RuleId[] = rule
        ? [rule, 'scopes/missing-scope-is-403', 'scopes/named-scopes-suffice']
        : [];
      yield {
        id: `reads/${whose}/${operation}`,
        title: `${operation} of everything of ${tenant.name}, by every key that may, and in other words`,
        tries: [...always, ...inQuestion, ...scopes, ...(served[operation] ?? [])],
        uses: [operation],
        async run(b) {
          await Promise.all(all.map((one) => everyKey(b, one)));
          const [list] = all;
          const expected = sparesOf(tenant).map(({ id }) => id);
          if (operation === 'listLabels' && list)
            await allLabels((change) => read(b, list, change ? { change } : {}), expected);
          // How odd requests are read does not depend on the tenant.
          if (index > 0) return;
          await Promise.all(all.map((one) => unknown(b, one, all.length)));
        },
      };
      yield {
        id: `refusals/reads/${whose}/${operation}`,
        title: `${operation} of everything of ${tenant.name} in every way that must be refused, between lawful reads`,
        tries: [...refusals, ...scopes],
        uses: [operation],
        async run(b) {
          await Promise.all(all.map((one) => between(b, one, all.length)));
        },
      };
    }
    if (readables.length === 0 || index > 0) continue;
    yield {
      id: 'reads/crowds',
      title: 'lawful reads, and those that must be refused, many at once',
      tries: [...always, ...refusals],
      run: (b) => crowds(b, readables),
    };
    yield {
      id: 'refusals/secrets-in-urls',
      title: 'the narrowest keys in the query string, for reads and for removals of labels',
      tries: ['auth/header-is-required'],
      locks: holdersOf(tenant).map(({ holder }) => holderKey(holder)),
      writes: 'risk',
      run: (b) => secretsInUrls(b, readables),
    };
  }
};
