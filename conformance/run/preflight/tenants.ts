import { type Exchange, jsonOf, succeeded, valuesOf } from '../../history/exchange.ts';
import { lawfulAsks } from '../../scripts/lawful.ts';
import type { Deployment } from '../../target/deployment.ts';
import { keysFor } from '../../target/keys.ts';
import { tenantsOf } from '../../target/records.ts';
import type { Asking } from './reachable.ts';

/** Each tenant beside the other. */
const pairsOf = ({ tenant, stranger }: Deployment) =>
  stranger === undefined ? [] : ([[tenant, stranger] as const, [stranger, tenant] as const] as const);

/** The first requests for a record of one tenant, each with a key of the other. */
const crossingAsks = (deployment: Deployment, newId: Asking['newId']) =>
  pairsOf(deployment).flatMap(([owner, other]) =>
    (['getConversationContext', 'startSiteFileUpload', 'getClient'] as const)
      .filter((id) => deployment.operation(id))
      .flatMap((id) => {
        const [first] = lawfulAsks(id, deployment, newId, owner);
        const key = keysFor(deployment, id, other).at(-1);
        return first && key ? [{ ask: { ...first.ask, key }, owner: owner.name }] : [];
      }),
  );

/** What records that are not found may be due to: a key that gets at those of the other tenant. */
export async function crossings(deployment: Deployment, { send, newId }: Asking): Promise<string[]> {
  // Both tenants may have a site with the same number.
  for (const { ask, owner } of crossingAsks(deployment, newId))
    if (ask.operation !== 'startSiteFileUpload' && succeeded(await send(ask)))
      return [
        `key ${ask.key.tenant}/${ask.key.name} gets ${owner}'s records (${ask.operation}): it is a key of ${owner}, or this deployment does not keep tenants apart`,
      ];
  return [];
}

/** Both tenants are the same tenant if each reads everything of the other and both see the same labels. */
export async function strangerProblems(deployment: Deployment, { send, newId }: Asking): Promise<string[]> {
  const { tenant, stranger } = deployment;
  const crossing = crossingAsks(deployment, newId);
  if (stranger === undefined || crossing.length < 2 || deployment.operation('listLabels') === undefined) return [];
  for (const { ask } of crossing) if (!succeeded(await send(ask))) return [];
  const lists: (string | null)[] = [];
  for (const one of tenantsOf(deployment)) {
    const key = keysFor(deployment, 'listLabels', one).at(-1);
    if (key === undefined) return [];
    lists.push((await send({ operation: 'listLabels', key })).body);
  }
  if (lists[0] !== lists[1]) return [];
  return [
    `tenants[1]: ${stranger.name} is no stranger: keys of ${stranger.name} and ${tenant.name} read everything of each other and see the same labels; give a key and records of another tenant`,
  ];
}

/**
 * Each tenant may number its sites for itself, so both may have a site with the same bare id. Different replies to both tenants show
 * that these are two sites, and not a leak.
 */
export async function sharedIdProblems(deployment: Deployment, { send }: Asking): Promise<string[]> {
  const problems: string[] = [];
  for (const [owner, other] of deployment.operation('getSite') ? pairsOf(deployment) : []) {
    const id = owner.sites?.legacy;
    const [ownKey, otherKey] = [owner, other].map((one) => keysFor(deployment, 'getSite', one).at(-1));
    if (id === undefined || other.sites?.legacy === id || !ownKey || !otherKey) continue;
    const own = await send({ operation: 'getSite', params: { id }, key: ownKey });
    const others = await send({ operation: 'getSite', params: { id }, key: otherKey });
    if (succeeded(own) && succeeded(others) && own.body !== others.body && areAlike(own, others, id))
      problems.push(
        `tenants[${tenantsOf(deployment).indexOf(other)}].sites.legacy: ${other.name} has a site of its own with the id ${id}, like ${owner.name}: name that site here as well, so that reading it is not taken for a leak`,
      );
  }
  return problems;
}

/** Whether both replies show the id in one place, or the first shows it nowhere. A refusal with the status 200 does not show it there. */
function areAlike(one: Exchange, other: Exchange, id: string): boolean {
  const [inOne, inOther] = [one, other].map((reply) =>
    valuesOf(jsonOf(reply)).flatMap(([path, value]) => (String(value) === id ? [path.join('.')] : [])),
  );
  return inOne?.length === 0 || inOne?.some((place) => inOther?.includes(place)) === true;
}
