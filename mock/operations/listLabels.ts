import { operation } from '../operation.ts';

export const listLabels = operation('listLabels', ({ tenant }) => ({
  labels: [...tenant.records.publicLabels.values()].map(({ id, name }) => ({ id, name })),
}));
