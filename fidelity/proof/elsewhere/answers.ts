/** What the replies of all deployments have in common, whatever is its own in them. */
import { z } from 'zod';
import type { ClientSeed, ConversationSeed, SiteSeed } from '../../../mock/seed/schema.ts';
import { bodyIn, type Call, type Choices, type Label, type Outbound, type Partner, partners, refuse } from './base.ts';

/** How a deployment speaks of its records. */
export interface Words {
  readonly at: string;
  readonly statuses: readonly [open: string, closed: string];
  readonly type: string;
  readonly urgency: string;
  readonly agents: readonly string[];
  /** What is its own in a message, a conversation, a client, a site, and a site of a context. */
  readonly message: (text: string, n: number) => object;
  readonly head?: object;
  readonly client?: (client: ClientSeed) => object;
  readonly site: (site: SiteSeed) => object;
  readonly place?: (site: SiteSeed, of: ConversationSeed, partner: Partner) => object;
  /** Whether a client is the primary one of a site, by its number there. */
  readonly isPrimary: (n: number) => boolean;
  /** The labels of a record stand in the order in which they were applied, and else as in the list of labels. */
  readonly labelsAsApplied?: boolean;
  readonly listsLabelsBackwards?: boolean;
  /** Ids of conversations and labels are the same in capitals. */
  readonly anyCase?: boolean;
  /** Nothing is taken off that cannot be on, so nobody is told that a label does not exist. */
  readonly removesUnknown?: boolean;
  /** Whether a site is looked for before the body is read. */
  readonly siteFirst?: boolean;
  /** The key of a file that is no UUID is refused for its form. */
  readonly uuidKeys?: boolean;
  readonly registration?: { readonly again?: 'the same'; readonly name?: null };
}

export const headOf = (
  { id, friendlyId, subject, status }: ConversationSeed,
  { at, statuses, type, urgency, head }: Words,
) => ({
  id,
  friendlyId,
  subject,
  status: statuses[status === 'closed' ? 1 : 0],
  type,
  urgency,
  createdAt: at,
  updatedAt: at,
  ...head,
});

const clientOf = (seed: ClientSeed, { at, client }: Words) => {
  const { id, name, firstName, lastName } = seed;
  return { id, name, firstName, lastName, createdAt: at, ...client?.(seed) };
};

function contextOf(conversation: ConversationSeed, labels: readonly Label[], words: Words, partner: Partner) {
  const { participants, messages = [], sites = [] } = conversation;
  const clients = (participants?.clients ?? []).map((id) => one(partner.clients, id));
  const author = clients[0]?.name ?? '';
  const { subject, status, type, urgency } = headOf(conversation, words);
  return {
    ...{ subject, status, type, urgency, requester: author },
    messages: messages.map(({ text = '' }, n) => ({
      ...{ author, createdAt: words.at, text, isInternal: false, rawBody: text, attachments: [] },
      ...words.message(text, n),
    })),
    participants: {
      agents: words.agents,
      clients: clients.map(({ name, phoneNumbers = [], emails = [] }) => ({
        name,
        primaryPhoneNumber: phoneNumbers[0]?.value,
        primaryEmail: emails[0]?.value,
      })),
    },
    sites: sites.map((id) => {
      const site = one(partner.sites, id);
      const { address1: address, serviceLevel } = site;
      return { id, address, serviceLevel, associatedConversations: [], ...words.place?.(site, conversation, partner) };
    }),
    labels: labels.map((label) => label.name),
  };
}

/** The record with this id. What belongs to another partner is not there. */
const one = <Row extends { readonly id: string }>(all: readonly Row[], id = ''): Row =>
  all.find((row) => row.id === id) ?? refuse('record');

/** Refuses where the record of the path is not there. */
export function findRecord({ partner, operation, params: { id, clientId = '', siteId = '' } }: Call): unknown {
  const { clients, sites, conversations } = partner;
  if (operation === 'getClient') return one(clients, id);
  if (operation.includes('ClientSite'))
    return one(sites, siteId).clients?.some(({ client }) => client === clientId) || refuse('record');
  if (operation.includes('Conversation')) return one(conversations, id);
  return operation.includes('Site') && one(sites, id);
}

/** What starts an upload. */
const start = z.strictObject({ contentType: z.string().min(1) });

/** How labels on a client-site link are found. */
const linkKey = (client: string, site: string): string => `${client} at ${site}`;

/** Answers every operation in these words, and keeps which labels the records carry. */
export function answersIn(words: Words, { item, carried, listed }: Choices): (call: Call) => Outbound {
  const applied = new Map<string, Set<string>>(
    partners.flatMap(({ tenant, labels, conversations, sites }) => {
      const links = sites.flatMap(({ id, clients = [] }) =>
        clients.map((link) => ({ ...link, id: linkKey(link.client, id) })),
      );
      return [...conversations, ...sites, ...links].map(({ id: holder, labels: names = [] }) => {
        const ids = labels.flatMap(({ id, name }) => (names.includes(name) ? id : []));
        return [`${tenant} ${holder}`, new Set(ids)] as const;
      });
    }),
  );
  const cased = (id = '') => (words.anyCase ? id.toLowerCase() : id);
  const publicsOf = ({ labels }: Partner) => labels.filter(({ visibility }) => visibility === 'public');
  const labelsOn = (partner: Partner, holder: string) => {
    const ids = [...(applied.get(`${partner.tenant} ${holder}`) ?? [])];
    const labels = publicsOf(partner).filter(({ id }) => ids.includes(id));
    return words.labelsAsApplied ? labels.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)) : labels;
  };
  return (call) => {
    const { partner, operation, params, request, files } = call;
    const { id = '', labelId, clientId = '', siteId = '' } = params;
    const ok = (body: unknown) => ({ status: 200, body });
    const written = (holder: string, ids: Readonly<Record<string, string>>) => {
      const isApply = operation.startsWith('apply');
      const label = publicsOf(partner).find((known) => known.id === cased(labelId));
      if (label === undefined && (isApply || !words.removesUnknown)) refuse('label');
      const place = `${partner.tenant} ${holder}`;
      const on = applied.get(place) ?? new Set();
      applied.set(place, on);
      if (label) on[isApply ? 'add' : 'delete'](label.id);
      const labels = labelsOn(partner, holder);
      const isDocumented = 'siteId' in ids && !('clientId' in ids);
      return ok(isDocumented ? { ...ids, labels: labels.map(item) } : carried(labels, ids));
    };
    const conversation = () => one(partner.conversations, cased(id));
    const site = () => one(partner.sites, id);
    switch (operation) {
      case 'getHealth':
        return ok({ status: 'ok' });
      case 'listLabels':
        return ok(listed(words.listsLabelsBackwards ? publicsOf(partner).reverse() : publicsOf(partner)));
      case 'getConversation':
        return ok(headOf(conversation(), words));
      case 'getConversationContext':
        return ok(contextOf(conversation(), labelsOn(partner, conversation().id), words, partner));
      case 'getClient':
        return ok(clientOf(one(partner.clients, id), words));
      case 'getSite': {
        const clients = (site().clients ?? []).map(({ client }, n) => ({
          ...clientOf(one(partner.clients, client), words),
          isPrimary: words.isPrimary(n),
        }));
        return ok({ id, ...words.site(site()), clients });
      }
      case 'applyConversationLabel':
      case 'removeConversationLabel':
        return written(conversation().id, { conversationId: conversation().id });
      case 'applySiteLabel':
      case 'removeSiteLabel':
        return written(site().id, { siteId: id });
      case 'applyClientSiteLabel':
      case 'removeClientSiteLabel':
        findRecord(call);
        return written(linkKey(clientId, siteId), { clientId, siteId });
      default: {
        if (words.siteFirst) site();
        if (operation === 'startSiteFileUpload') {
          const { contentType } = bodyIn(request, start);
          return files.start(partner.tenant, site().id, contentType, request.now);
        }
        const { fileKey } = bodyIn(request, z.object({ fileKey: words.uuidKeys ? z.guid() : z.string() }));
        return files.register(call, site().id, fileKey, words.registration);
      }
    }
  };
}
