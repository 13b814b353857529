import { operation } from '../operation.ts';
import { conversationOf } from '../store/find.ts';

export const getConversation = operation('getConversation', ({ params, tenant }) => {
  const { id, friendlyId, subject, status, type, urgency, createdAt, updatedAt } = conversationOf(
    tenant,
    params.id,
  ).seed;
  return { id, friendlyId, subject, status, type, urgency, createdAt, updatedAt };
});
