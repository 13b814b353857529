import { About, operation } from '../operation.ts';
import { linkOf, publicLabelOf } from '../store/find.ts';

export const applyClientSiteLabel = operation('applyClientSiteLabel', ({ params, tenant }) => {
  const link = linkOf(tenant, params.clientId, params.siteId);
  const label = publicLabelOf(tenant, params.labelId);
  tenant.applyLabel(link, label);
  return new About(link, () => ({
    clientId: link.client,
    siteId: link.site,
    labels: tenant.publicLabelsOf(link),
  }));
});
