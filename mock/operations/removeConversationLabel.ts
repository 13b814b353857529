import { About, operation } from '../operation.ts';

export const removeConversationLabel = operation('removeConversationLabel', ({ record, label, tenant }) => {
  tenant.removeLabel(record, label);
  return new About(record, () => ({ conversationId: record.id, labels: tenant.publicLabelsOf(record) }));
});
