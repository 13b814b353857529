import { operation } from '../operation.ts';
import { siteDetails } from '../store/details.ts';
import { siteOf } from '../store/find.ts';

export const getSite = operation('getSite', ({ params, tenant }) =>
  siteDetails(tenant, siteOf(tenant, params.id).seed),
);
