import { operation } from '../operation.ts';

export const getHealth = operation('getHealth', () => healthy);

const healthy = Object.freeze({ status: 'ok' as const });
