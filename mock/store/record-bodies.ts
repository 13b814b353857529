import type { ClientSeed, ConversationSeed, SiteSeed } from '../seed/schema.ts';
import type { Tenant } from './tenant.ts';

/** The reply of the context endpoint. Fields that the seed does not have are absent. */
export function contextOf(tenant: Tenant, conversation: ConversationSeed) {
  const { subject, messages = [], status, type, urgency, requester, participants, sites = [] } = conversation;
  return {
    subject,
    messages,
    status,
    type,
    urgency,
    // Only public labels, by name. Private labels are in no reply.
    labels: tenant.publicLabelsOf(conversation).map((label) => label.name),
    requester,
    participants: {
      agents: present((participants?.agents ?? []).map((id) => tenant.records.users.get(id)?.name)),
      clients: present((participants?.clients ?? []).map((id) => tenant.clients.get(id))).map(summaryOf),
    },
    sites: present(sites.map((id) => tenant.sites.get(id))).map((site) => siteInContext(tenant, site, conversation)),
  };
}

function siteInContext(tenant: Tenant, site: SiteSeed, conversation: ConversationSeed) {
  const { id, address1, address2, city, state, zip, serviceLevel } = site;
  const address = [address1, address2, city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  const others = tenant.records.conversationsOfSite(id).filter((other) => other !== conversation);
  return { address: address || undefined, serviceLevel, id, associatedConversations: others.map(associated) };
}

function associated(conversation: ConversationSeed) {
  const { friendlyId, subject, status, statusLastUpdatedAt, issue, resolution, shortSummary } = conversation;
  return { friendlyId, subject, status, statusLastUpdatedAt, issue, resolution, shortSummary };
}

function summaryOf({ name, phoneNumbers, emails }: ClientSeed) {
  return { name, primaryPhoneNumber: primary(phoneNumbers), primaryEmail: primary(emails) };
}

const primary = (contacts: readonly { value: string; isPrimary?: boolean | undefined }[] = []) =>
  (contacts.find((contact) => contact.isPrimary) ?? contacts[0])?.value;

const present = <T>(values: readonly (T | undefined)[]) => values.filter((value) => value !== undefined);

/** The reply of GET /v1/site/{id}: a site with its clients. */
export function siteDetails(tenant: Tenant, { labels: _, serviceLevel: __, clients = [], ...details }: SiteSeed) {
  const primary = clients.find((link) => link.isPrimary);
  return {
    ...details,
    ...(primary && { primaryClientId: primary.client }),
    clients: clients.map((link) => ({
      ...clientDetails(tenant.clients.existing(link.client)),
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
