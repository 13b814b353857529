import { type Exchange, jsonOf, succeeded, valuesOf } from '../../history/exchange.ts';
import { lawfulAsks } from '../../scripts/lawful.ts';
import type { Deployment } from '../../target/deployment.ts';
import { keyFor } from '../../target/keys.ts';
import type { Asking } from './reachable.ts';

/** The first requests for a record of one tenant, each with a key of the other. */
function crossingAsks(deployment: Deployment, newId: Asking['newId']) {
  const { tenant, stranger } = deployment;
  const crossing = [
    [tenant, 'stranger'],
    [stranger, undefined],
  ] as const;
  return crossing.flatMap(([owner, whose]) => {
    if (owner === undefined) return [];
    const possible = (['getConversationContext', 'startSiteFileUpload', 'getClient'] as const).filter((id) =>
      deployment.operation(id),
    );
    const asks = possible.flatMap((id) => lawfulAsks(id, deployment, newId, owner).slice(0, 1));
    return asks.flatMap(({ ask }) => {
      const found = keyFor(deployment, { scopes: deployment.scopesOf(ask.operation), of: whose });
      return 'missing' in found ? [] : [{ ask: { ...ask, key: found.key }, owner: owner.name }];
    });
  });
}

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
  if (stranger === undefined) return [];
  const crossing = crossingAsks(deployment, newId);
  for (const { ask } of crossing) if (!succeeded(await send(ask))) return [];
  if (crossing.length < 2 || deployment.operation('listLabels') === undefined) return [];
  const lists: (string | null)[] = [];
  for (const whose of [undefined, 'stranger'] as const) {
    const found = keyFor(deployment, { of: whose });
    if ('missing' in found) return [];
    lists.push((await send({ operation: 'listLabels', key: found.key })).body);
  }
  return lists[0] === lists[1]
    ? [
        `tenants[1]: ${stranger.name} is no stranger: keys of ${stranger.name} and ${tenant.name} read everything of each other and see the same labels; give a key and records of another tenant`,
      ]
    : [];
}

/**
 * Each tenant may number its sites for itself, so both may have a site with the same bare id. Different replies to both tenants show
 * that these are two sites, and not a leak.
 */
export async function sharedIdProblems(deployment: Deployment, { send }: Asking): Promise<string[]> {
  const { tenant, stranger } = deployment;
  const problems: string[] = [];
  const site = deployment.operation('getSite');
  for (const [index, one, other] of [
    [0, tenant, stranger],
    [1, stranger, tenant],
  ] as const) {
    const id = one?.sites?.legacy;
    if (id === undefined || other === undefined || site === undefined || other.sites?.legacy === id) continue;
    const replies: Exchange[] = [];
    for (const whose of [undefined, 'stranger'] as const) {
      const found = keyFor(deployment, { scopes: site.scopes, of: whose });
      if ('key' in found) replies.push(await send({ operation: 'getSite', params: { id }, key: found.key }));
    }
    const [owners, others] = index === 0 ? replies : replies.toReversed();
    if (
      owners &&
      others &&
      succeeded(owners) &&
      succeeded(others) &&
      owners.body !== others.body &&
      areAlike(owners, others, id)
    )
      problems.push(
        `tenants[${1 - index}].sites.legacy: ${other.name} has a site of its own with the id ${id}, like ${one?.name}: name that site here as well, so that reading it is not taken for a leak`,
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
