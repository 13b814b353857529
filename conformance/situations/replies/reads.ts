import type { TargetTenant } from '../../../spec/files/target.ts';
import { type OperationId, operations } from '../../../spec/operations.ts';
import type { RuleId } from '../../../spec/rules.ts';
import type { Ask } from '../../client/ask.ts';
import type { Generate } from '../../scripts/script.ts';
import type { Deployment } from '../../target/deployment.ts';
import { carries, type KeyOfTenant, keysWith } from '../../target/keys.ts';
import { tenantsOf } from '../../target/records.ts';
import { insist } from '../asking/insist.ts';
import { lawfulAsks } from '../asking/lawful.ts';
import { unusualWays } from '../asking/spellings.ts';

const feedsOf: Readonly<Partial<Record<OperationId, readonly RuleId[]>>> = {
  getConversationContext: [
    'context/get-answers-context',
    'context/strings',
    'context/labels-are-strings',
    'context/labels-are-names',
    'context/messages',
    'context/participants',
    'context/sites',
    'context/any-field-may-be-absent',
    'context/without-the-record',
  ],
  // A context must not contain the whole record, so the laws compare both.
  getConversation: [
    'service/named-endpoints-exist',
    'service/conversation-record',
    'context/get-answers-context',
    'context/without-the-record',
  ],
  getHealth: ['service/named-endpoints-exist', 'service/reference-endpoints'],
  getSite: ['service/reference-endpoints'],
  getClient: ['service/reference-endpoints'],
  // Names and ids of labels, to recognise them in a context.
  listLabels: ['context/labels-are-names'],
};

const always: readonly RuleId[] = ['transport/json-both-ways', 'transport/json-content-type', 'errors/codes'];

/** Other lawful spellings of the usual headers. */
const spellingsWith = (secret: string): readonly Pick<Ask, 'twist' | 'headers'>[] => [
  { twist: 'legal/no-accept', headers: { accept: null } },
  { twist: 'legal/header-case', headers: { 'x-api-key': null, 'X-API-Key': secret } },
];

/** Milliseconds before each round of reads. */
const pauses = [3_000, 7_000];

/** Every read on every record of a tenant, with the fitting key with the fewest scopes. */
export const readsOf = (deployment: Deployment, owner: TargetTenant): Ask[] =>
  deployment.operations.flatMap(({ id, scopes }): Ask[] => {
    const [key] = operations[id].method === 'GET' ? keysWith(owner, scopes) : [];
    return key === undefined ? [] : lawfulAsks(id, deployment, () => '', owner).map(({ ask }) => ({ ...ask, key }));
  });

/** Every read on every record of both tenants, with the fitting keys with the fewest and the most scopes. */
export const reads: Generate = function* (deployment) {
  for (const owner of tenantsOf(deployment)) {
    const whose = owner === deployment.tenant ? 'ours' : 'theirs';
    const reading = deployment.operations.filter(({ id }) => operations[id].method === 'GET');
    for (const { id, scopes } of reading) {
      const keys = keysWith(owner, scopes);
      const [narrowest, widest] = [keys[0], keys.at(-1)];
      const feeds = [...always, ...(feedsOf[id] ?? [])];
      if (narrowest === undefined || lawfulAsks(id, deployment, () => '', owner).length === 0) continue;
      yield {
        id: `reads/${whose}/${id}`,
        title: `${id} on every record of ${owner.name}, with the keys with the fewest and the most scopes`,
        feeds,
        uses: [id],
        async run(scene) {
          for (const { ask } of lawfulAsks(id, deployment, scene.newId, owner))
            for (const key of new Set([narrowest, widest])) await insist(scene, { ...ask, ...(key && { key }) });
          const [first] = lawfulAsks(id, deployment, scene.newId, owner);
          for (const spelling of first ? spellingsWith(narrowest.secret) : [])
            await insist(scene, { ...first?.ask, operation: id, key: narrowest, ...spelling });
          if (owner !== deployment.tenant) return;
          const last = lawfulAsks(id, deployment, scene.newId, owner).at(-1);
          for (const way of unusualWays(narrowest.secret))
            await scene.send({ ...last?.ask, operation: id, key: narrowest, ...way });
        },
      };
    }
    const asks = readsOf(deployment, owner);
    yield {
      id: `reads/after-a-while/${whose}`,
      title: `everything of ${owner.name} that can be read is read again after some seconds`,
      feeds: [...new Set([...always, ...reading.flatMap(({ id }) => feedsOf[id] ?? [])])],
      uses: [],
      deep: true,
      async run({ send, sleep }) {
        for (const pause of pauses) {
          await sleep(pause);
          for (const ask of asks) await send(ask);
        }
      },
    };
  }
  yield* withoutScope(deployment);
};

/** Reads with a key that lacks a scope. */
function* withoutScope(deployment: Deployment): ReturnType<Generate> {
  const { tenant } = deployment;
  for (const { id, scopes } of deployment.operations) {
    if (operations[id].method !== 'GET') continue;
    const lacking = keysWith(tenant, []).filter((key) => !carries(key, scopes));
    const [key]: readonly (KeyOfTenant | undefined)[] = scopes.length > 0 ? lacking : [];
    if (key === undefined) continue;
    yield {
      id: `reads/without-scope/${id}`,
      title: `${id} with a key that lacks ${scopes.join(' and ')}`,
      feeds: ['errors/body', 'errors/codes', ...(feedsOf[id] ?? [])],
      uses: [id],
      async run({ send, newId }) {
        for (const { ask } of lawfulAsks(id, deployment, newId).slice(0, 1)) await send({ ...ask, key });
      },
    };
  }
}
