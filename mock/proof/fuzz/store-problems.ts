import type { Mock } from '../../index.ts';

type Tenant = ReturnType<Mock['tenant']>;

/** All data of a tenant that requests can change, as a text for comparison. */
export function stateOf(tenant: Tenant): string {
  const { conversations, sites, links } = tenant.records;
  const changed = tenant.changedHolders();
  const labels =
    changed.size === 0
      ? []
      : [...conversations, ...sites, ...links].flatMap(([id, holder]) => {
          const carried = changed.get(holder);
          return carried === undefined ? [] : [[id, ...[...carried].sort()]];
        });
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
    if (privateOnes(carried) !== privateOnes(holder.seededLabels)) problems.push('private labels were changed');
  }
  for (const { fileKey, site, stored, registered } of tenant.files.values()) {
    if (!sites.has(site)) problems.push(`file ${fileKey} is of a site that ${tenant.name} does not have`);
    if (registered !== null && stored === null) problems.push(`file ${fileKey} is registered, and has no bytes`);
    if (stored !== null && mock.files.read(fileKey) === undefined)
      problems.push(`the bytes of file ${fileKey} are gone`);
  }
  return problems;
}
