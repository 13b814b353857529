import type { TargetTenant } from '../../spec/files/target.ts';
import { operations, type Scope } from '../../spec/operations.ts';
import { terminalLine } from '../../spec/text/terminal-text.ts';
import type { Ask } from '../client/ask.ts';
import { type Exchange, objectIn, succeeded } from '../history/exchange.ts';
import { lawfulAsks } from '../scripts/lawful.ts';
import { carries, type Deployment, type KeyOfTenant, keysFor } from '../target/deployment.ts';
import { labelOperations } from '../target/holder.ts';
import { holdersOf, tenantsOf } from '../target/records.ts';
import { type Asking, assertReachable, PreflightError } from './reachable.ts';

/** The target file does not describe the deployment. */
export class UntrueTarget extends Error {
  override readonly name = 'UntrueTarget';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const lines = problems.map((problem) => terminalLine(problem));
    super(`the target file does not describe the deployment:\n${lines.map((line) => `  ${line}`).join('\n')}`);
    this.problems = lines;
  }
}

/** Says what is wrong in the target file, as `field: what came back, what to do`. */
type Check = (deployment: Deployment, asking: Asking & { isServed(): boolean }) => Promise<readonly string[]>;

/** How often a check that has found problems is repeated. */
const repeats = 5;

/**
 * Checks that the API is at baseUrl, and that each key, id and label of the target file exists.
 * @throws PreflightError in one sentence: what was tried, what came back, what to do
 * @throws UntrueTarget with fields and replies. A reply that a broken deployment could explain as well is no problem of the target file
 */
export async function preflight(deployment: Deployment, asking: Asking): Promise<void> {
  let isServed = false;
  const send: Asking['send'] = async (ask) => {
    const exchange = await asking.send(ask);
    isServed ||= succeeded(exchange);
    return exchange;
  };
  const noting = { ...asking, send, isServed: () => isServed };
  await assertReachable(deployment, noting);
  const found: string[] = [];
  for (const check of [keyProblems, recordProblems, strangerProblems, spareLabelProblems, uploadTypeProblems]) {
    let problems = await check(deployment, noting);
    // A deployment that answers now so and now otherwise is to be judged, and a target file is always wrong.
    for (let i = 0; i < repeats && problems.length > 0; i++) {
      const again = new Set((await check(deployment, noting)).map(nameOf));
      problems = problems.filter((problem) => again.has(nameOf(problem)));
    }
    found.push(...problems);
  }
  if (found.length > 0) throw new UntrueTarget(found);
}

/** The field, and what is wrong with it as far as it is the same each time. */
const nameOf = (problem: string) => problem.split(': ', 2).join();
export const isRefused = ({ status }: Exchange) => status === 403 || status === 401;
const words = ({ method, url, status }: Exchange) => `${method} ${URL.parse(url)?.pathname ?? url} answered ${status}`;

/**
 * Sends one request for each scope of each key. A refusal is a mistake of the target file only if another key with no more scopes is let
 * in; else the deployment may be wrong.
 */
const keyProblems: Check = async (deployment, { send, newId, isServed }) => {
  /** An operation that this key may use without a scope, or with scopes that the target file names for it. */
  const unscopedFor = (key: KeyOfTenant) =>
    (['listLabels', 'getHealth'] as const).find((id) => {
      const operation = deployment.operation(id);
      return operation && carries(key, operation.scopes);
    });
  const asked = tenantsOf(deployment).flatMap((tenant, t) =>
    tenant.keys
      .map((key, k) => ({ key: { ...key, tenant: tenant.name }, place: `tenants[${t}].keys[${k}]` }))
      .filter(({ key }) => !key.revoked)
      .flatMap(({ key, place }) => {
        const asks: { readonly scope: Scope | null; readonly ask: Ask }[] = key.scopes.flatMap((scope) => {
          const ask = askFor(scope, deployment, tenant, newId);
          return ask === undefined ? [] : [{ scope, ask }];
        });
        const unscoped = unscopedFor(key);
        if (asks.length === 0 && unscoped !== undefined) asks.push({ scope: null, ask: { operation: unscoped } });
        return asks.map((one) => ({ ...one, key, place }));
      }),
  );
  const replies = await Promise.all(
    asked.map(async ({ ask, ...one }) => ({ ...one, reply: await send({ ...ask, key: one.key }) })),
  );
  const refused = replies.filter(({ reply }) => isRefused(reply));
  // What was served a moment ago is refused by a front, which may let it in again.
  if (refused.length === replies.length && isServed()) return [];
  if (refused.length > 0 && refused.length === replies.length)
    throw new PreflightError(
      `${deployment.baseUrl}: every key is refused with ${refused[0]?.reply.status}; check the secrets, the base URL, and that no proxy in between removes the x-api-key header`,
    );
  const problems: string[] = [];
  const unknown = new Set<KeyOfTenant>();
  for (const { key, place, scope, reply } of refused) {
    if (unknown.has(key)) continue;
    // A key that is refused where no scope is needed has an unknown secret.
    const unscoped = unscopedFor(key);
    const bare = scope === null || unscoped === undefined ? reply : await send({ operation: unscoped, key });
    const others = replies.filter((one) => one.key !== key && !isRefused(one.reply));
    if (isRefused(bare) && others.length > 0) {
      unknown.add(key);
      problems.push(
        `${place}.secret: ${words(bare)}: the deployment does not know this secret, or the key is revoked, or this operation needs a scope, which operations.${bare.operation}.scopes can name`,
      );
    } else if (scope !== null && others.some((one) => one.scope === scope && carries(key, one.key.scopes)))
      problems.push(
        `${place}.scopes: the key seems to lack ${scope}: ${words(reply)}, while a key with fewer scopes is let in`,
      );
  }
  return problems;
};

/** A lawful request that changes nothing and needs this scope only, on a record of this tenant. */
function askFor(scope: Scope, deployment: Deployment, tenant: TargetTenant, newId: Asking['newId']): Ask | undefined {
  const alone = deployment.operations.filter(({ id, scopes }) => id !== 'registerSiteFile' && `${scopes}` === scope);
  const asks = alone.flatMap(({ id }) => lawfulAsks(id, deployment, tenant));
  const read = asks.find(({ holder }) => holder === undefined);
  // If only writes of labels need the scope: the removal of a label that does not exist changes nothing.
  const removal = asks.find(({ ask }) => isRemoval(ask));
  return read?.ask ?? (removal && { ...removal.ask, params: { ...removal.ask.params, labelId: newId() } });
}

const isRemoval = ({ operation }: Ask) => Object.values(labelOperations).some(({ remove }) => remove === operation);

/** An id that no operation finds is wrong. */
const recordProblems: Check = async (deployment, { send }) => {
  const problems = tenantsOf(deployment).flatMap((tenant, index) => {
    const all = deployment.operations
      .filter(({ id }) => id !== 'registerSiteFile')
      .flatMap(({ id }) => lawfulAsks(id, deployment, tenant));
    const reads = all.filter(({ slug, holder }) => slug !== '' && holder === undefined);
    return [...Map.groupBy(reads, ({ slug }) => slug)].map(async ([slug, ofRecord]): Promise<string[]> => {
      const replies: Exchange[] = [];
      for (const { ask } of ofRecord) {
        const key = keysFor(deployment, ask.operation, tenant).at(-1);
        if (key !== undefined) replies.push(await send({ ...ask, key }));
        if (replies.some(({ status }) => status !== 404)) return [];
      }
      if (replies.length === 0) return [];
      // It exists as well if the spare label can be removed from it. No record carries that label, so the removal changes nothing.
      for (const { ask } of all.filter((one) => one.slug === slug && isRemoval(one.ask))) {
        const [key] = keysFor(deployment, ask.operation, tenant);
        if (key && succeeded(await send({ ...ask, key }))) return [];
      }
      // Another cause of a 404: the operation is not documented, and the deployment may not have it.
      const names = replies.flatMap(({ operation: id }) => (id !== null && id !== 'storage' ? [id] : []));
      const isOpen = names.every((id) => operations[id].provenance.path !== 'documented');
      const absent = names.map((id) => `operations.${id}: null`).join(' and ');
      const field = holdersOf(tenant).find((one) => one.slug === slug)?.field ?? 'clientSite.client';
      return [
        `tenants[${index}].${field}: ${replies.map(words).join(', ')}: there is no such record${isOpen ? `, or no such operation, which ${absent} would say` : ''}`,
      ];
    });
  });
  return (await Promise.all(problems)).flat();
};

/** Spare labels that conversations carry already. The run would remove such a label, and so lose it. */
const spareLabelProblems: Check = async (deployment, { send }) => {
  const key = keysFor(deployment, 'getConversationContext').at(-1);
  if (key === undefined || deployment.operation('getConversationContext') === undefined) return [];
  const { spareLabel, spareLabels = [] } = deployment.tenant;
  const spares = [
    ...(spareLabel ? [{ ...spareLabel, at: 'spareLabel' }] : []),
    ...spareLabels.map((one, i) => ({ ...one, at: `spareLabels[${i}]` })),
  ];
  const problems: string[] = [];
  for (const { holder, field } of holdersOf(deployment.tenant)) {
    if (holder.kind !== 'conversation') continue;
    const { labels } = objectIn(await send({ operation: 'getConversationContext', params: { id: holder.id }, key }));
    if (!Array.isArray(labels)) continue;
    for (const { at, id, name } of spares)
      if (labels.includes(id) || (name !== undefined && labels.includes(name)))
        problems.push(
          `tenants[0].${at}: ${name ?? id} is on ${field} already: give a label that no record carries; if that is another label of the same name, leave out its name; if an earlier run was killed, run \`partnerkit conformance cleanup --target FILE\``,
        );
  }
  return problems;
};

/** A deployment may choose its content types, so the target file has to name one that the deployment accepts. */
const uploadTypeProblems: Check = async (deployment, { send }) => {
  const isThere = deployment.operation('startSiteFileUpload') !== undefined;
  const [first] = isThere ? lawfulAsks('startSiteFileUpload', deployment) : [];
  if (first === undefined) return [];
  const { status } = await send(first.ask);
  if (![400, 415, 422].includes(status ?? 0)) return [];
  const named = deployment.uploadContentType;
  for (const contentType of ['image/png', 'image/jpeg', 'application/pdf', 'text/plain'])
    if (contentType !== named && succeeded(await send({ ...first.ask, body: { contentType } })))
      return [`upload.contentType: uploads of ${named} are refused with ${status}; ${contentType} is accepted`];
  return [];
};

/** Both tenants are the same tenant if each reads everything of the other and both see the same labels. */
const strangerProblems: Check = async (deployment, { send }) => {
  const [tenant, stranger] = tenantsOf(deployment);
  /** The first requests for a record of one tenant, each with a key of the other. */
  const crossing = tenantsOf(deployment).flatMap((owner, _, all) =>
    (['getConversationContext', 'startSiteFileUpload', 'getClient'] as const)
      .filter((id) => deployment.operation(id))
      .flatMap((id) => {
        const [first] = lawfulAsks(id, deployment, owner);
        const [key] = all.filter((other) => other !== owner).map((other) => keysFor(deployment, id, other).at(-1));
        return first && key ? [{ ...first.ask, key }] : [];
      }),
  );
  if (stranger === undefined || crossing.length < 2 || deployment.operation('listLabels') === undefined) return [];
  for (const ask of crossing) if (!succeeded(await send(ask))) return [];
  const lists: (string | null)[] = [];
  for (const one of tenantsOf(deployment)) {
    const key = keysFor(deployment, 'listLabels', one).at(-1);
    if (key === undefined) return [];
    lists.push((await send({ operation: 'listLabels', key })).body);
  }
  if (lists[0] !== lists[1]) return [];
  return [
    `tenants[1]: ${stranger.name} is no stranger: keys of ${stranger.name} and ${tenant?.name} read everything of each other and see the same labels; give a key and records of another tenant`,
  ];
};
