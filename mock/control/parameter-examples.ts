import type { Mock } from '../create-mock.ts';
import { labelHoldersOf } from '../store/records.ts';
import type { Tenant } from '../store/tenant.ts';

/** An id of the tenant for each path parameter, by the parameter's name in the contract's `components`. */
export function parameterExamples(mock: Mock, name: string): Readonly<Record<string, string | undefined>> {
  const tenant = mock.tenants.get(name);
  if (tenant === undefined) return {};
  const [conversation] = tenant.conversations.keys();
  const [link] = tenant.links.values();
  const site = link?.site ?? tenant.sites.keys().next().value;
  const client = link?.client ?? tenant.clients.keys().next().value;
  return {
    ConversationId: conversation,
    SiteId: site,
    ClientId: client,
    LabelId: freeLabel(tenant),
    ClientIdOfLink: link?.client,
    SiteIdOfLink: link?.site,
  };
}

/** A public label that no record of the seed has, so that applying and removing it changes nothing. */
function freeLabel({ records, publicLabels }: Tenant): string | undefined {
  const isUsed = (id: string) => {
    for (const { seededLabels } of labelHoldersOf(records)) if (seededLabels.includes(id)) return true;
    return false;
  };
  return [...publicLabels.keys()].find((id) => !isUsed(id)) ?? publicLabels.keys().next().value;
}
