import { operation } from '../operation.ts';
import { clientDetails } from '../store/details.ts';
import { clientOf } from '../store/find.ts';

export const getClient = operation('getClient', ({ params, tenant }) => clientDetails(clientOf(tenant, params.id)));
