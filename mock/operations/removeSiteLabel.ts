import { About, operation } from '../operation.ts';

export const removeSiteLabel = operation('removeSiteLabel', ({ record, label, tenant }) => {
  tenant.removeLabel(record, label);
  return new About(record, () => ({ siteId: record.id, labels: tenant.publicLabelsOf(record) }));
});
