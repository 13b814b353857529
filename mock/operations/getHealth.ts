import { operation } from '../operation.ts';

export const getHealth = operation('getHealth', () => ({ status: 'ok' as const }));
