import type { Scope } from '../../../spec/operations.ts';
import type { Ask } from '../../client/ask.ts';
import type { Exchange } from '../../history/exchange.ts';
import { lawfulAsks } from '../../scripts/lawful.ts';
import type { Deployment } from '../../target/deployment.ts';
import { labelOperations } from '../../target/holder.ts';
import { carries, type KeyOfTenant } from '../../target/keys.ts';
import { tenantsOf } from '../../target/records.ts';
import { type Asking, PreflightError, pathOf } from './reachable.ts';

const isRefused = ({ status }: Exchange) => status === 403 || status === 401;

/**
 * Sends one request for each scope of each key. A refusal is a mistake of the target file only if another key with no more scopes is let
 * in; else the deployment may be wrong.
 */
export async function keyProblems(deployment: Deployment, { send, newId }: Asking): Promise<string[]> {
  /** An operation that this key may use without a scope, or with scopes that the target file names for it. */
  const unscopedFor = (key: KeyOfTenant) =>
    (['listLabels', 'getHealth'] as const)
      .map((id) => deployment.operation(id))
      .find((operation) => operation && carries(key, operation.scopes));
  const asked = tenantsOf(deployment)
    .flatMap(({ name, keys }, t) =>
      keys.map((key, k) => ({ key: { ...key, tenant: name }, place: `tenants[${t}].keys[${k}]` })),
    )
    .filter(({ key }) => !key.revoked)
    .flatMap(({ key, place }) => {
      const asks: { readonly scope: Scope | null; readonly ask: Ask }[] = key.scopes.flatMap((scope) => {
        const ask = askFor(key, scope, deployment, newId);
        return ask === undefined ? [] : [{ scope, ask }];
      });
      const unscoped = unscopedFor(key);
      if (asks.length === 0 && unscoped !== undefined) asks.push({ scope: null, ask: { operation: unscoped.id } });
      return asks.map((one) => ({ ...one, key, place }));
    });
  // Both tenants in turn: where a tenant sticks to the worker that it meets first, each meets some.
  const inTurn = [...Map.groupBy(asked, ({ key }) => key.tenant).values()]
    .flatMap((own) => own.map((one, turn) => ({ ...one, turn })))
    .sort((a, b) => a.turn - b.turn);
  const replies = await Promise.all(
    inTurn.map(async ({ ask, ...one }) => ({ ...one, reply: await send({ ...ask, key: one.key }) })),
  );
  const refused = replies.filter(({ reply }) => isRefused(reply));
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
    const bare = scope === null || unscoped === undefined ? reply : await send({ operation: unscoped.id, key });
    const others = replies.filter((one) => one.key !== key && !isRefused(one.reply));
    if (isRefused(bare) && others.length > 0) {
      unknown.add(key);
      problems.push(
        `${place}.secret: ${bare.method} ${pathOf(bare)} answered ${bare.status}: the deployment does not know this secret, or the key is revoked, or this operation needs a scope, which operations.${bare.operation}.scopes can name`,
      );
    } else if (scope !== null && others.some((one) => one.scope === scope && carries(key, one.key.scopes)))
      problems.push(
        `${place}.scopes: the key seems to lack ${scope}: ${reply.method} ${pathOf(reply)} answered ${reply.status}, while a key with fewer scopes is let in`,
      );
  }
  return problems;
}

/** A lawful request that changes nothing and needs this scope only, on a record of the key's own tenant. */
function askFor(key: KeyOfTenant, scope: Scope, deployment: Deployment, newId: () => string): Ask | undefined {
  const tenant = deployment.stranger?.name === key.tenant ? deployment.stranger : deployment.tenant;
  for (const { id, scopes } of deployment.operations) {
    if (scopes.length !== 1 || scopes[0] !== scope) continue;
    const [first] = lawfulAsks(id, deployment, newId, tenant).filter(({ holder }) => holder === undefined);
    if (first !== undefined && id !== 'registerSiteFile') return first.ask;
  }
  // If only writes of labels need the scope: the removal of a label that does not exist changes nothing.
  for (const { remove } of Object.values(labelOperations)) {
    const { scopes } = deployment.operation(remove) ?? {};
    const [first] = scopes?.length === 1 && scopes[0] === scope ? lawfulAsks(remove, deployment, newId, tenant) : [];
    if (first !== undefined) return { ...first.ask, params: { ...first.ask.params, labelId: newId() } };
  }
  return undefined;
}
