import { operation } from '../operation.ts';
import { clientOf } from '../store/find.ts';
import { clientDetails } from '../store/record-bodies.ts';

export const getClient = operation('getClient', ({ params, tenant }) => clientDetails(clientOf(tenant, params.id)));
