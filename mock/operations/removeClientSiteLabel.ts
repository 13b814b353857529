import { About, operation } from '../operation.ts';
import { linkOf, removeLabelOf } from '../store/find.ts';

export const removeClientSiteLabel = operation('removeClientSiteLabel', (call) => {
  const { params, tenant } = call;
  const link = linkOf(tenant, params.clientId, params.siteId);
  removeLabelOf(link, call);
  return new About(link, () => ({
    clientId: link.client,
    siteId: link.site,
    labels: tenant.publicLabelsOf(link),
  }));
});
