import { operation } from '../operation.ts';
import { siteDetails } from '../store/record-bodies.ts';

export const getSite = operation('getSite', ({ record, tenant }) => siteDetails(tenant, record.seed));
