import { About, operation } from '../operation.ts';

export const applyConversationLabel = operation('applyConversationLabel', ({ record, label, tenant }) => {
  tenant.applyLabel(record, label);
  return new About(record, () => ({ conversationId: record.id, labels: tenant.publicLabelsOf(record) }));
});
