import { operation } from '../operation.ts';

export const getConversation = operation('getConversation', ({ record }) => {
  const { id, friendlyId, subject, status, type, urgency, createdAt, updatedAt } = record.seed;
  return { id, friendlyId, subject, status, type, urgency, createdAt, updatedAt };
});
