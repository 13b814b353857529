import { About, operation } from '../operation.ts';
import { linkOf, publicLabelOf } from '../store/find.ts';

export const removeClientSiteLabel = operation('removeClientSiteLabel', ({ params, tenant }) => {
  const link = linkOf(tenant, params.clientId, params.siteId);
  const label = publicLabelOf(tenant, params.labelId);
  tenant.removeLabel(link, label);
  return new About(link, () => ({
    clientId: link.client,
    siteId: link.site,
    labels: tenant.publicLabelsOf(link),
  }));
});
