/** What the replies of all deployments have in common, wherever each keeps its records and whatever is its own in them. */
import { type Call, type Choices, contentTypeIn, fileKeyIn, type Outbound, refuse } from './base.ts';
import { type Home, type Label, linkKey, type Partner, type Person, type Talk } from './world.ts';

/** What a deployment keeps of one partner, in a way of its own. What is not there, it refuses. */
export interface Store {
  talk(id: string): Talk;
  home(id: string): Home;
  person(id: string): Person;
  links(): readonly (readonly [person: string, home: string])[];
  /** Public labels, in the order in which they are listed. */
  labels(): readonly Label[];
  /** Public labels of a conversation, a site or a link. */
  labelsOn(holder: string): readonly Label[];
  write(act: 'apply' | 'remove', holder: string, labelId: string): unknown;
}

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

function contextOf(talk: Talk, store: Store, words: Words, partner: Partner) {
  const person = store.person(talk.person);
  const home = store.home(talk.home);
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
    labels: store.labelsOn(talk.id).map((label) => label.name),
  };
}

/** Answers every operation from such a store, in these words. */
export const answersFrom =
  (storeOf: (partner: Partner) => Store, words: Words, { item, carried, listed }: Choices) =>
  (call: Call): Outbound => {
    const { partner, operation, params, request, files } = call;
    const { id = '', labelId = '', clientId = '', siteId = '' } = params;
    const store = storeOf(partner);
    const ok = (body: unknown) => ({ status: 200, body });
    const written = (holder: string, ids: Readonly<Record<string, string>>) => {
      store.write(operation.startsWith('apply') ? 'apply' : 'remove', holder, labelId);
      const labels = store.labelsOn(holder);
      const isDocumented = 'siteId' in ids && !('clientId' in ids);
      return ok(isDocumented ? { ...ids, labels: labels.map(item) } : carried(labels, ids));
    };
    const site = () => store.home(id).id;
    switch (operation) {
      case 'getHealth':
        return ok({ status: 'ok' });
      case 'listLabels':
        return ok(listed(store.labels()));
      case 'getConversation':
        return ok(headOf(store.talk(id), words));
      case 'getConversationContext':
        return ok(contextOf(store.talk(id), store, words, partner));
      case 'getClient':
        return ok(clientOf(store.person(id), words));
      case 'getSite': {
        const clients = store.links().flatMap(([person, home]) => (home === id ? store.person(person) : []));
        const shown = clients.map((person, n) => ({ ...clientOf(person, words), isPrimary: words.isPrimary(n) }));
        return ok({ id, ...words.site(store.home(id)), clients: shown });
      }
      case 'applyConversationLabel':
      case 'removeConversationLabel': {
        const conversationId = store.talk(id).id;
        return written(conversationId, { conversationId });
      }
      case 'applySiteLabel':
      case 'removeSiteLabel':
        return written(site(), { siteId: id });
      case 'applyClientSiteLabel':
      case 'removeClientSiteLabel':
        if (!store.links().some(([person, home]) => person === clientId && home === siteId)) refuse('record');
        return written(linkKey(clientId, siteId), { clientId, siteId });
      default: {
        if (words.siteFirst) site();
        if (operation === 'startSiteFileUpload') {
          const contentType = contentTypeIn(request);
          return files.start(partner.name, site(), contentType, request.now);
        }
        const fileKey = fileKeyIn(request, words.uuidKeys);
        return files.register(call, site(), fileKey, words.registration);
      }
    }
  };
