import { operation } from '../operation.ts';
import { clientDetails } from '../store/record-bodies.ts';

export const getClient = operation('getClient', ({ record }) => clientDetails(record));
