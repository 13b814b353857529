import { About, operation } from '../operation.ts';
import { publicLabelOf, siteOf } from '../store/find.ts';

export const applySiteLabel = operation('applySiteLabel', ({ params, tenant }) => {
  const site = siteOf(tenant, params.id);
  const label = publicLabelOf(tenant, params.labelId);
  tenant.applyLabel(site, label);
  return new About(site, () => ({ siteId: site.id, labels: tenant.publicLabelsOf(site) }));
});
