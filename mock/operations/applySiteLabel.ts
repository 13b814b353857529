import { About, operation } from '../operation.ts';

export const applySiteLabel = operation('applySiteLabel', ({ record, label, tenant }) => {
  tenant.applyLabel(record, label);
  return new About(record, () => ({ siteId: record.id, labels: tenant.publicLabelsOf(record) }));
});
