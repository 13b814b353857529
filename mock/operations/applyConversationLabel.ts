import { About, operation } from '../operation.ts';
import { conversationOf, publicLabelOf } from '../store/find.ts';

export const applyConversationLabel = operation('applyConversationLabel', ({ params, tenant }) => {
  const conversation = conversationOf(tenant, params.id);
  const label = publicLabelOf(tenant, params.labelId);
  tenant.applyLabel(conversation, label);
  return new About(conversation, () => ({
    conversationId: conversation.id,
    labels: tenant.publicLabelsOf(conversation),
  }));
});
