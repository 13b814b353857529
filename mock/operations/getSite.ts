import { operation } from '../operation.ts';
import { clientDetails } from '../store/client-details.ts';
import { clientOf, siteOf } from '../store/find.ts';

export const getSite = operation('getSite', ({ params, tenant }) => {
  const { labels: _, serviceLevel: __, clients = [], ...details } = siteOf(tenant, params.id).seed;
  const primary = clients.find((link) => link.isPrimary);
  return {
    ...details,
    ...(primary && { primaryClientId: primary.client }),
    clients: clients.map((link) => ({
      ...clientDetails(clientOf(tenant, link.client)),
      isPrimary: link.isPrimary ?? false,
    })),
  };
});
