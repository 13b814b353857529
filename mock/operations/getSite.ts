import { operation } from '../operation.ts';
import { siteOf } from '../store/find.ts';
import { siteDetails } from '../store/record-bodies.ts';

export const getSite = operation('getSite', ({ params, tenant }) =>
  siteDetails(tenant, siteOf(tenant, params.id).seed),
);
