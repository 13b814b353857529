import type { OperationId } from '../../../spec/operations.ts';
import type { Label } from '../control/control.ts';
import type { TargetTenant } from '../control/reads.ts';

/**
 * Values for the path parameters of an operation that work with this tenant. Empty where the tenant has no such record.
 * @param labels of the tenant; the first public label is used if the target file has no spare label
 */
export function pathValues(
  id: OperationId,
  names: readonly string[],
  tenant: TargetTenant | undefined,
  labels: readonly Label[] = [],
) {
  const clientSite = tenant?.clientSite;
  const known: Readonly<Record<string, string | undefined>> = {
    clientId: clientSite?.client,
    siteId: clientSite?.site,
    labelId: tenant?.spareLabel?.id ?? labels.find(({ visibility }) => visibility === 'public')?.id,
    id: holderId(id, tenant),
  };
  return Object.fromEntries(names.map((name) => [name, known[name] ?? '']));
}

/** What a path parameter is: `id of the site`. */
export const wordsFor = (name: string, path: string) =>
  `id of the ${path.split(`/{${name}}`, 1)[0]?.split('/').at(-1)}`;

function holderId(id: OperationId, tenant: TargetTenant | undefined): string | undefined {
  if (id.includes('Conversation')) return tenant?.conversations?.open;
  return id === 'getClient' ? tenant?.clientSite?.client : (tenant?.sites?.current ?? tenant?.sites?.legacy);
}
