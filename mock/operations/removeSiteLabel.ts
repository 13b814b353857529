import { About, operation } from '../operation.ts';
import { publicLabelOf, siteOf } from '../store/find.ts';

export const removeSiteLabel = operation('removeSiteLabel', ({ params, tenant }) => {
  const site = siteOf(tenant, params.id);
  const label = publicLabelOf(tenant, params.labelId);
  tenant.removeLabel(site, label);
  return new About(site, () => ({ siteId: site.id, labels: tenant.publicLabelsOf(site) }));
});
