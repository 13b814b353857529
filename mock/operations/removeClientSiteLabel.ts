import { About, operation } from '../operation.ts';

export const removeClientSiteLabel = operation('removeClientSiteLabel', ({ record, label, tenant }) => {
  tenant.removeLabel(record, label);
  return new About(record, () => ({
    clientId: record.client,
    siteId: record.site,
    labels: tenant.publicLabelsOf(record),
  }));
});
