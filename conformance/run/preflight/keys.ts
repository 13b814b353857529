import type { Scope } from '../../../spec/operations.ts';
import type { Ask } from '../../client/ask.ts';
import { lawfulAsks } from '../../scripts/lawful.ts';
import type { Deployment } from '../../target/deployment.ts';
import { labelOperations } from '../../target/holder.ts';
import { carries, type KeyOfTenant, keyPlacesOf } from '../../target/keys.ts';
import { type Asking, pathOf, sendTwice } from './asking.ts';
import { PreflightError } from './errors.ts';

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
  const problems: string[] = [];
  interface Asked {
    readonly key: KeyOfTenant;
    readonly place: string;
    readonly scope: Scope | null;
  }
  const asked = keyPlacesOf(deployment).flatMap(({ key, place }): (Asked & { readonly ask: Ask })[] => {
    if (key.revoked) return [];
    const asks = key.scopes.flatMap((scope) => {
      const ask = askFor(key, scope, deployment, newId);
      return ask === undefined ? [] : [{ key, place, scope, ask }];
    });
    const unscoped = unscopedFor(key);
    return asks.length > 0 || unscoped === undefined
      ? asks
      : [{ key, place, scope: null, ask: { operation: unscoped.id, key } }];
  });
  // Both tenants in turn: where a tenant sticks to the worker that it meets first, each meets some.
  const inTurn = [...Map.groupBy(asked, ({ key }) => key.tenant).values()]
    .flatMap((own) => own.map((one, turn) => ({ ...one, turn })))
    .sort((a, b) => a.turn - b.turn);
  const replies = await Promise.all(
    inTurn.map(async ({ ask, ...one }) => ({ ...one, exchange: await sendTwice(send, ask, [401, 403]) })),
  );
  const isRefused = ({ exchange }: Pick<(typeof replies)[number], 'exchange'>) =>
    exchange.status === 403 || exchange.status === 401;
  if (replies.length > 0 && replies.every(isRefused))
    throw new PreflightError(
      `${deployment.baseUrl}: every key is refused with ${replies[0]?.exchange.status}; check the secrets, the base URL, and that no proxy in between removes the x-api-key header`,
    );
  const unknown = new Set<KeyOfTenant>();
  for (const { key, place, scope, exchange } of replies.filter(isRefused)) {
    if (unknown.has(key)) continue;
    // A key that is refused where no scope is needed has an unknown secret.
    const unscoped = unscopedFor(key);
    const unscopedReply =
      scope === null || unscoped === undefined ? exchange : await send({ operation: unscoped.id, key });
    const others = replies.filter((one) => one.key !== key && !isRefused(one));
    if (isRefused({ exchange: unscopedReply }) && others.length > 0) {
      unknown.add(key);
      problems.push(
        `${place}.secret: ${unscopedReply.method} ${pathOf(unscopedReply)} answered ${unscopedReply.status}: the deployment does not know this secret, or the key is revoked, or this operation needs a scope, which operations.${unscopedReply.operation}.scopes can name`,
      );
    } else if (scope !== null && others.some((one) => one.scope === scope && carries(key, one.key.scopes)))
      problems.push(
        `${place}.scopes: the key seems to lack ${scope}: ${exchange.method} ${pathOf(exchange)} answered ${exchange.status}, while a key with fewer scopes is let in`,
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
    if (first !== undefined && id !== 'registerSiteFile') return { ...first.ask, key };
  }
  // If only writes of labels need the scope: the removal of a label that does not exist changes nothing.
  for (const { remove } of Object.values(labelOperations)) {
    const { scopes } = deployment.operation(remove) ?? {};
    const [first] = scopes?.length === 1 && scopes[0] === scope ? lawfulAsks(remove, deployment, newId, tenant) : [];
    if (first !== undefined) return { ...first.ask, key, params: { ...first.ask.params, labelId: newId() } };
  }
  return undefined;
}
