import { About, operation } from '../operation.ts';
import { removeLabelOf, siteOf } from '../store/find.ts';

export const removeSiteLabel = operation('removeSiteLabel', (call) => {
  const { params, tenant } = call;
  const site = siteOf(tenant, params.id);
  removeLabelOf(site, call);
  return new About(site, () => ({ siteId: site.id, labels: tenant.publicLabelsOf(site) }));
});
