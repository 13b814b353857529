import { About, operation } from '../operation.ts';
import { conversationOf, removeLabelOf } from '../store/find.ts';

export const removeConversationLabel = operation('removeConversationLabel', (call) => {
  const { params, tenant } = call;
  const conversation = conversationOf(tenant, params.id);
  removeLabelOf(conversation, call);
  return new About(conversation, () => ({
    conversationId: conversation.id,
    labels: tenant.publicLabelsOf(conversation),
  }));
});
