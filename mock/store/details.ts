import type { ClientSeed, SiteSeed } from '../seed/schema.ts';
import { clientOf } from './find.ts';
import type { Tenant } from './tenant.ts';

/** The reply of GET /v1/site/{id}: a site with its clients. */
export function siteDetails(tenant: Tenant, { labels: _, serviceLevel: __, clients = [], ...details }: SiteSeed) {
  const primary = clients.find((link) => link.isPrimary);
  return {
    ...details,
    ...(primary && { primaryClientId: primary.client }),
    clients: clients.map((link) => ({
      ...clientDetails(clientOf(tenant, link.client)),
      isPrimary: link.isPrimary ?? false,
    })),
  };
}

/** A client in replies. Every contact says whether it is the primary one. */
export function clientDetails({ emails, phoneNumbers, ...client }: ClientSeed) {
  return {
    ...client,
    ...(emails && { emails: emails.map(withPrimary) }),
    ...(phoneNumbers && { phoneNumbers: phoneNumbers.map(withPrimary) }),
  };
}

const withPrimary = <T extends { isPrimary?: boolean | undefined }>(contact: T) => ({
  ...contact,
  isPrimary: contact.isPrimary ?? false,
});
