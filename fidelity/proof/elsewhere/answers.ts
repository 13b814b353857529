/** What the replies of all deployments have in common, whatever is its own in them. */
import { type Call, type Choices, contentTypeIn, fileKeyIn, type Outbound, refuse } from './base.ts';
import { type Home, type Label, linkKey, type Partner, type Person, partners, type Talk } from './world.ts';

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
  readonly client?: (person: Person) => object;
  readonly site: (home: Home) => object;
  readonly place?: (home: Home, talk: Talk, partner: Partner) => object;
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

export const headOf = ({ id, number, subject, isClosed }: Talk, { at, statuses, type, urgency, head }: Words) => ({
  id,
  friendlyId: number,
  subject,
  status: statuses[isClosed ? 1 : 0],
  type,
  urgency,
  createdAt: at,
  updatedAt: at,
  ...head,
});

const clientOf = (person: Person, { at, client }: Words) => {
  const { id, first, last } = person;
  return { id, name: `${first} ${last}`, firstName: first, lastName: last, createdAt: at, ...client?.(person) };
};

function contextOf(talk: Talk, labels: readonly Label[], words: Words, partner: Partner) {
  const home = one(partner.homes, talk.home);
  const person = one(partner.people, talk.person);
  const { name } = clientOf(person, words);
  const { subject, status, type, urgency } = headOf(talk, words);
  const place = { id: home.id, address: home.street, serviceLevel: home.level, associatedConversations: [] };
  return {
    ...{ subject, status, type, urgency, requester: name },
    messages: talk.said.map((text, n) => ({
      ...{ author: name, createdAt: words.at, text, isInternal: false, rawBody: text, attachments: [] },
      ...words.message(text, n),
    })),
    participants: {
      agents: words.agents,
      clients: [{ name, primaryPhoneNumber: person.phone, primaryEmail: person.mail }],
    },
    sites: [{ ...place, ...words.place?.(home, talk, partner) }],
    labels: labels.map((label) => label.name),
  };
}

/** The record with this id. What belongs to another partner is not there. */
const one = <Row extends { readonly id: string }>(all: readonly Row[], id = ''): Row =>
  all.find((row) => row.id === id) ?? refuse('record');

/** Refuses where the record of the path is not there. */
export function findRecord({ partner, operation, params: { id, clientId = '', siteId = '' } }: Call): unknown {
  const { people, homes, talks, links } = partner;
  if (operation === 'getClient') return one(people, id);
  if (operation.includes('ClientSite'))
    return links.some(([person, home]) => person === clientId && home === siteId) || refuse('record');
  if (operation.includes('Conversation')) return one(talks, id);
  return operation.includes('Site') && one(homes, id);
}

/** Answers every operation in these words, and keeps which labels the records carry. */
export function answersIn(words: Words, { item, carried, listed }: Choices): (call: Call) => Outbound {
  const applied = new Map<string, Set<string>>(
    partners.flatMap(({ name: partner, carried, labels }) =>
      Object.entries(carried).map(([holder, names]) => {
        const ids = labels.flatMap(({ id, name }) => (names.includes(name) ? id : []));
        return [`${partner} ${holder}`, new Set(ids)] as const;
      }),
    ),
  );
  const cased = (id = '') => (words.anyCase ? id.toLowerCase() : id);
  const publicsOf = ({ labels }: Partner) => labels.filter(({ isPrivate }) => !isPrivate);
  const labelsOn = (partner: Partner, holder: string) => {
    const ids = [...(applied.get(`${partner.name} ${holder}`) ?? [])];
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
      const place = `${partner.name} ${holder}`;
      const on = applied.get(place) ?? new Set();
      applied.set(place, on);
      if (label) on[isApply ? 'add' : 'delete'](label.id);
      const labels = labelsOn(partner, holder);
      const isDocumented = 'siteId' in ids && !('clientId' in ids);
      return ok(isDocumented ? { ...ids, labels: labels.map(item) } : carried(labels, ids));
    };
    const talk = () => one(partner.talks, cased(id));
    const site = () => one(partner.homes, id);
    switch (operation) {
      case 'getHealth':
        return ok({ status: 'ok' });
      case 'listLabels':
        return ok(listed(words.listsLabelsBackwards ? publicsOf(partner).reverse() : publicsOf(partner)));
      case 'getConversation':
        return ok(headOf(talk(), words));
      case 'getConversationContext':
        return ok(contextOf(talk(), labelsOn(partner, talk().id), words, partner));
      case 'getClient':
        return ok(clientOf(one(partner.people, id), words));
      case 'getSite': {
        const people = partner.links.flatMap(([person, home]) => (home === id ? one(partner.people, person) : []));
        const clients = people.map((person, n) => ({ ...clientOf(person, words), isPrimary: words.isPrimary(n) }));
        return ok({ id, ...words.site(site()), clients });
      }
      case 'applyConversationLabel':
      case 'removeConversationLabel':
        return written(talk().id, { conversationId: talk().id });
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
          const contentType = contentTypeIn(request);
          return files.start(partner.name, site().id, contentType, request.now);
        }
        const fileKey = fileKeyIn(request, words.uuidKeys);
        return files.register(call, site().id, fileKey, words.registration);
      }
    }
  };
}
