import querystring from 'node:querystring';
import type { Mock, TenantSeed } from '../../index.ts';
import { refOf } from '../../store/records.ts';
import type { FuzzRequest } from './mutations.ts';

/** Below this a text may stand in a reply by chance. */
const longEnough = 8;

/**
 * Texts that only one tenant may see, each with this tenant; null for texts that no tenant may see. From the seeds: no tenant may see ids and names of private labels and API keys, and each tenant only its own ids.
 */
export function secretsOf(seeds: readonly TenantSeed[]) {
  const owners = new Map<string, string | null>();
  for (const seed of seeds) {
    const { labels, users, clients, sites, conversations } = seed;
    for (const { id } of [...labels, ...users, ...clients, ...sites, ...conversations]) {
      if (id.length >= longEnough) owners.set(id, owners.has(id) ? '' : seed.tenant);
    }
  }
  for (const [id, owner] of owners) if (owner === '') owners.delete(id);
  for (const { labels, keys } of seeds) {
    for (const { id, name, visibility } of labels) {
      if (visibility === 'private') owners.set(id, null).set(name, null);
    }
    for (const { secret } of keys) owners.set(secret, null);
  }
  const escaped = [...owners.keys()].map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return { owners, pattern: new RegExp(escaped.join('|'), 'g') };
}

/** What a reply shows and may not. A refusal may repeat what was asked for. */
export function leaksIn(
  shown: string,
  request: FuzzRequest,
  tenant: string | null,
  { owners, pattern }: ReturnType<typeof secretsOf>,
): string[] {
  const leaks: string[] = [];
  for (const [found] of shown.matchAll(pattern)) {
    const owner = owners.get(found) ?? null;
    if (owner !== null && owner === tenant) continue;
    if (!wasSent(found, request))
      leaks.push(`shows ${found} of ${owner ?? 'nobody to see'} to ${tenant ?? 'a stranger'}`);
  }
  return leaks;
}

function wasSent(text: string, { url, body }: FuzzRequest): boolean {
  return querystring.unescape(url).includes(text) || url.includes(text) || (body ?? '').includes(text);
}

type Tenant = ReturnType<Mock['tenant']>;

/** All data of a tenant that requests can change, as a text for comparison. */
export function stateOf(tenant: Tenant): string {
  const changed = [...tenant.changedHolders()];
  const labels = changed.map(([holder, carried]) => [refOf(tenant.records, holder), [...carried].sort()]);
  return JSON.stringify([labels, [...tenant.files]]);
}

/**
 * What must hold in the store whatever was asked of it: a label set is a set of labels that the tenant has, private labels
 * are where the product put them, and every registered file has its bytes.
 */
export function storeProblems(tenant: Tenant, mock: Mock): string[] {
  const problems: string[] = [];
  const { labels, sites } = tenant.records;
  const privateOnes = (ids: Iterable<string>) =>
    [...ids]
      .filter((id) => labels.get(id)?.visibility !== 'public')
      .sort()
      .join();
  for (const [holder, carried] of tenant.changedHolders()) {
    const unknown = [...carried].filter((id) => !labels.has(id));
    if (unknown.length > 0) problems.push(`${tenant.name} has a holder with labels that it does not know: ${unknown}`);
    if (privateOnes(carried) !== privateOnes(tenant.records.firstLabelsOf(holder)))
      problems.push('private labels were changed');
  }
  for (const { fileKey, site, stored, registered } of tenant.files.values()) {
    if (!sites.has(site)) problems.push(`file ${fileKey} is of a site that ${tenant.name} does not have`);
    if (registered !== null && stored === null) problems.push(`file ${fileKey} is registered, and has no bytes`);
    if (stored !== null && mock.files.read(fileKey) === undefined)
      problems.push(`the bytes of file ${fileKey} are gone`);
  }
  return problems;
}
