/**
 * Reads. Who may read is served, the same to every key of the tenant, and who may not is refused, right before and after a lawful read of the
 * same, in other words, and in a crowd.
 */
import type { TargetTenant } from '../../spec/files/target.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import { type Change, lawful, nowhere, open, type Place, type Request, valid, type Who } from '../contract/request.ts';
import { Bench } from '../experiments/bench.ts';
import { inTurn } from '../experiments/shelf.ts';
import type { Exchange } from '../history/exchange.ts';
import type { Owner } from '../history/facts.ts';
import type { Deployment } from '../target/deployment.ts';
import { type KeyOfTenant, keysFor } from '../target/keys.ts';
import { scopeRules } from '../target/named-scopes.ts';
import { tenantsOf } from '../target/records.ts';
import { keysWithout, pathOf, someWrongCallers, spellings, wrongCallers } from './callers.ts';
import type { Generate } from './script.ts';

/** Something that can be read. */
interface Readable {
  readonly operation: OperationId;
  readonly place: Place;
  readonly tenant: TargetTenant;
}

/** Everything of a tenant that can be read. */
export function readablesOf(deployment: Deployment, tenant: TargetTenant): Readable[] {
  const { conversations, sites, clientSite } = tenant;
  const of = (operation: OperationId, ...ids: readonly (string | undefined)[]): Readable[] =>
    ids.flatMap((id) => (id === undefined ? [] : [{ operation, place: { owner: 'ours', params: { id } }, tenant }]));
  const both = [conversations?.open, conversations?.closed];
  return [
    { operation: 'getHealth' as const, place: nowhere, tenant },
    { operation: 'listLabels' as const, place: nowhere, tenant },
    ...of('getConversationContext', ...both),
    ...of('getConversation', ...both),
    ...of('getSite', sites?.current, sites?.legacy),
    ...of('getClient', clientSite?.client),
  ].filter(({ operation }) => deployment.operation(operation) && keysFor(deployment, operation, tenant).length > 0);
}

const keyFor = (b: Bench, { operation, tenant }: Readable): KeyOfTenant =>
  inTurn(keysFor(b.deployment, operation, tenant), b.turn(`reads of ${tenant.name}`));

const read = (b: Bench, readable: Readable, how: { key?: KeyOfTenant; change?: Change } = {}): Promise<Exchange> => {
  const { operation, place } = readable;
  const { key = keyFor(b, readable), change } = how;
  return b.send({ operation, place, who: valid(key), ...(change && { change }) });
};

/** Whether both tenants have a record with this id, so that each reads its own. */
const isShared = (b: Bench, { operation, place }: Readable) =>
  /Site$/.test(operation) && tenantsOf(b.deployment).every(({ sites }) => sites?.legacy === place.params.id);

/** Who must not read this, and in which words. */
function refusalsOf(b: Bench, readable: Readable): Request[] {
  const { operation, place, tenant } = readable;
  const isOurs = tenant === b.deployment.tenant;
  const nobody = wrongCallers(b.deployment, b.scene.newId);
  const lacking = keysWithout(b, operation, tenant);
  const foreign =
    Object.keys(place.params).length === 0 || isShared(b, readable)
      ? []
      : tenantsOf(b.deployment)
          .filter((one) => one !== tenant)
          .flatMap((one) => keysFor(b.deployment, operation, one))
          .map(valid);
  const theirs: Place = { ...place, owner: 'theirs' };
  const plain: Request[] = [
    ...(isOurs ? someWrongCallers(b) : nobody.slice(0, 1)).map((who): Request => ({ operation, place, who })),
    ...lacking.map((who): Request => ({ operation, place, who })),
    ...foreign.map((who): Request => ({ operation, place: theirs, who })),
  ];
  // Half of the spellings for each record, the other half for the next.
  const turn = b.turn('spellings of reads');
  const odd = spellings(pathOf(b, { operation, place }))
    .filter(({ id }, i) => /capitals|query|encoded/.test(id) || i % 2 === turn % 2)
    .flatMap((change, i): Request[] => [
      ...(isOurs ? nobody.slice(0, 1).map((who): Request => ({ operation, place, who, change })) : []),
      ...lacking.slice(0, 1).map((who): Request => ({ operation, place, who, change })),
      ...(isOurs || i % 2 === 0 ? foreign.slice(0, 1) : []).map(
        (who): Request => ({ operation, place: theirs, who, change }),
      ),
    ]);
  return [...plain, ...odd];
}

/** The refusal between two lawful reads of the same. */
async function between(b: Bench, readable: Readable, request: Request) {
  const isBefore = b.turn('between') % 2 === 0 || request.change !== undefined;
  const good = isBefore ? await read(b, readable) : undefined;
  // Whoever may not read it, may not either if he knows the ETag of what he would read.
  const tag = good?.headers.etag;
  const change = tag && !request.change ? open('its ETag', { headers: { 'if-none-match': tag } }) : request.change;
  await b.send({ ...request, ...(change && { change }) });
  if (!isBefore) await read(b, readable);
}

/** Unknown ids, and ids of another form. */
async function unknown(b: Bench, readable: Readable) {
  const { operation, place } = readable;
  const { id } = place.params;
  for (const query of ['?include=all', '?includePrivate=true'])
    await read(b, readable, { change: open(query, { query }) });
  if (id === undefined) return;
  const who: Who = valid(keyFor(b, readable));
  const prefix = id.replace(/[0-9a-f]{8}-.*/i, '');
  const ask = (owner: Owner, other: string) => b.send({ operation, who, place: { owner, params: { id: other } } });
  await ask('nobody', `${/^\d+$/.test(id) ? 'ovaid-' : prefix}${b.scene.newId()}`);
  for (const other of ['nothing', '%', `${id}x`, '1', `${id.slice(0, -1)}%`]) await ask('malformed', other);
  for (const below of ['/labels-of-nothing', '/x'])
    await b.send({
      operation,
      who,
      place,
      change: open('a path below', { path: `${pathOf(b, { operation, place })}${below}` }),
    });
}

/** Many requests at once, those that must be refused twice: load opens no door, and asking again neither. */
async function crowds(b: Bench, readables: readonly Readable[]) {
  const refused = readables.flatMap((one) => refusalsOf(b, one).filter(({ change }) => change === undefined));
  const [rounds, size] = [3, 8];
  for (let round = 0; round < rounds; round++) {
    const some = b.shuffled(refused).slice(0, size);
    const lawfulReads = b.shuffled(readables).slice(0, size);
    await Promise.all([...lawfulReads.map((one) => read(b, one)), ...[...some, ...some].map((one) => b.send(one))]);
  }
}

/** The same, by every key, and in other words. */
async function everyKey(b: Bench, readable: Readable) {
  for (const key of keysFor(b.deployment, readable.operation, readable.tenant)) await read(b, readable, { key });
  await read(b, readable, { change: lawful('an encoded id', { encoded: true }) });
  await read(b, readable, { change: open('Authorization beside the key', { headers: { authorization: 'Bearer x' } }) });
  await read(b, readable, { change: open('no Accept', { headers: { accept: null } }) });
  for (const key of keysFor(b.deployment, readable.operation, readable.tenant).toReversed())
    await read(b, readable, { key });
}

const served: Readonly<Partial<Record<OperationId, readonly RuleId[]>>> = {
  getConversationContext: [
    'context/get-answers-context',
    'context/strings',
    'context/labels-are-strings',
    'context/labels-are-names',
    'context/messages',
    'context/participants',
    'context/sites',
    'context/any-field-may-be-absent',
  ],
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

const refusals: readonly RuleId[] = [
  'auth/no-key-is-403',
  'auth/unknown-key-is-403',
  'auth/revoked-key-is-403',
  'auth/bearer-is-not-supported',
  'auth/header-is-required',
  'auth/forbidden-has-the-error-body',
  'errors/body',
  'errors/codes',
  'isolation/reads-stay-in-tenant',
];

/** Scripts about reads. */
export const readScripts: Generate = function* (deployment) {
  for (const [index, tenant] of tenantsOf(deployment).entries()) {
    const whose = index === 0 ? 'ours' : 'theirs';
    const readables = readablesOf(deployment, tenant);
    for (const [operation, all] of Map.groupBy(readables, (one) => one.operation)) {
      const rule = scopeRules[operation];
      const scopes: readonly RuleId[] = rule
        ? [rule, 'scopes/missing-scope-is-403', 'scopes/named-scopes-suffice']
        : [];
      yield {
        id: `reads/${whose}/${operation}`,
        title: `${operation} of everything of ${tenant.name}, by every key that may, and in other words`,
        feeds: [...always, ...scopes, ...(served[operation] ?? [])],
        uses: [operation],
        async run(scene) {
          const b = new Bench(scene, scene.state);
          for (const one of all) await everyKey(b, one);
          for (const one of all) await unknown(b, one);
        },
      };
      yield {
        id: `refusals/reads/${whose}/${operation}`,
        title: `${operation} of everything of ${tenant.name} in every way that must be refused, between lawful reads`,
        feeds: [...refusals, ...scopes],
        uses: [operation],
        async run(scene) {
          const b = new Bench(scene, scene.state);
          const requests = all.flatMap((readable) => refusalsOf(b, readable).map((request) => ({ readable, request })));
          for (const { readable, request } of b.shuffled(requests)) await between(b, readable, request);
        },
      };
    }
    if (readables.length > 0 && index === 0)
      yield {
        id: 'reads/crowds',
        title: 'lawful reads, and those that must be refused, many at once',
        feeds: [...always, ...refusals],
        uses: [],
        run: (scene) => crowds(new Bench(scene, scene.state), readables),
      };
  }
};
