import { About, operation } from '../operation.ts';

export const applyClientSiteLabel = operation('applyClientSiteLabel', ({ record, label, tenant }) => {
  tenant.applyLabel(record, label);
  return new About(record, () => ({
    clientId: record.client,
    siteId: record.site,
    labels: tenant.publicLabelsOf(record),
  }));
});
