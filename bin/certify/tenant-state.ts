import type { ClonedTenant, Mock } from '../../mock/index.ts';
import type { ClientSiteLink, Conversation, LabelHolder, Site } from '../../mock/store/records.ts';

/** The changes of a client, as texts that are the same for every copy of a tenant. */
export type TenantState = readonly string[];

/** The changed labels of each record, and the registered files. */
export function stateOf(mock: Mock, { name, ids }: Pick<ClonedTenant, 'name' | 'ids'>): TenantState {
  const tenant = mock.tenants.get(name);
  // The client may have removed its tenant with the control API.
  if (tenant === undefined) return [];
  const originals = new Map(Object.entries(ids).map(([original, own]) => [own, original]));
  const original = (id: string) => originals.get(id) ?? id;
  const holderName = (holder: LabelHolder) => {
    const record = holder as ClientSiteLink | Conversation | Site;
    return 'client' in record
      ? `the link of ${original(record.client)} to ${original(record.site)}`
      : original(record.id);
  };
  const labels = [...tenant.changedHolders()].flatMap(([holder, carried]) => {
    const names = (all: Iterable<string>) => [...all].map((id) => tenant.records.labels.get(id)?.name ?? id);
    const [before, now] = [names(holder.seededLabels), names(carried)];
    return [
      ...now.filter((label) => !before.includes(label)).map((label) => `label "${label}" on ${holderName(holder)}`),
      ...before.filter((label) => !now.includes(label)).map((label) => `label "${label}" off ${holderName(holder)}`),
    ];
  });
  const files = mock.files
    .list(name)
    .filter(({ state }) => state === 'registered')
    .map(({ site, contentType, size, name: called, etag }) => {
      const title = called === null ? 'a file' : `the file "${called}"`;
      return `${title} (${contentType}, ${size} bytes, MD5 ${etag?.slice(1, 7)}…) at ${original(site)}`;
    });
  return [...labels, ...files].sort();
}

/** The changes of both. A change that both have is listed as often as in the one that has it more often. */
export const union = (one: TenantState, other: TenantState): TenantState => [...one, ...surplus(other, one)];

/** The changes that the state has more often than the reference. */
export function surplus(state: TenantState, reference: TenantState): string[] {
  const left = [...reference];
  return state.filter((thing) => {
    const at = left.indexOf(thing);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
