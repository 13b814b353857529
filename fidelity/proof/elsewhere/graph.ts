import {
  type Choices,
  contentTypeIn,
  dueTimes,
  type Inbound,
  isTooLarge,
  isUuid,
  jsonIn,
  type Outbound,
  type Route,
  refusalOf,
  refuse,
  routed,
  type Service,
  store,
  throttledBy,
} from './base.ts';
import { linkKey, partners } from './world.ts';

type Kind = 'partner' | 'key' | 'label' | 'talk' | 'home' | 'person' | 'link' | 'file';
interface Node {
  readonly kind: Kind;
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Everything is a node, and an edge says what belongs to what: `owns` from a partner, `wears` to a label, `about` to a person or a home. */
class Graph {
  readonly #nodes = new Map<string, Node>();
  readonly #edges = new Set<string>();

  node(kind: Kind, owner: string, id: string, data: object): Node {
    const node: Node = { kind, id, data: data as Node['data'] };
    this.#nodes.set(`${owner}/${kind}/${id}`, node);
    return node;
  }

  find = (kind: Kind, owner: string, id: string): Node | undefined => this.#nodes.get(`${owner}/${kind}/${id}`);
  all = (kind: Kind, owner: string): Node[] =>
    [...this.#nodes].flatMap(([name, node]) => (name.startsWith(`${owner}/${kind}/`) ? [node] : []));
  link = (from: string, to: string): unknown => this.#edges.add(`${from} -> ${to}`);
  cut = (from: string, to: string): unknown => this.#edges.delete(`${from} -> ${to}`);
  has = (from: string, to: string): boolean => this.#edges.has(`${from} -> ${to}`);
}

/** A pipeline of checks, each of which passes the request on or answers it; scopes are checked after ids, and records last. */
export function graph(choices: Choices): Service {
  const g = new Graph();
  const born = '2025-12-24T18:00:00Z';
  for (const { name, keys, labels, talks, homes, people, links, carried } of partners) {
    for (const key of keys) g.node('key', '', key.secret, { ...key, partner: name });
    for (const label of labels) g.node('label', name, label.id, label);
    for (const person of people) g.node('person', name, person.id, person);
    for (const home of homes) g.node('home', name, home.id, home);
    for (const talk of talks) g.node('talk', name, talk.id, talk);
    for (const [person, home] of links) g.node('link', name, linkKey(person, home), { person, home });
    for (const [holder, names] of Object.entries(carried))
      for (const label of labels) if (names.includes(label.name)) g.link(`${name} ${holder}`, label.id);
  }
  const files = store(choices.stored);
  const due = dueTimes();

  const worn = (owner: string, holder: string) =>
    g
      .all('label', owner)
      .filter(({ id, data }) => data.isPrivate !== true && g.has(`${owner} ${holder}`, id))
      .map(({ id, data }) => ({ id, name: String(data.name) }));

  const client = ({ id, data: { first, last } }: Node) => ({
    id,
    name: `${first} ${last}`,
    firstName: first,
    lastName: last,
    createdAt: born,
    partnerName: null,
    emails: [],
    phoneNumbers: [],
  });

  type Handler = (owner: string, params: Route['params'], request: Inbound) => Outbound;
  const get = (kind: Kind, owner: string, id = '') => g.find(kind, owner, id) ?? refuse('record');
  const labelling =
    (
      isApply: boolean,
      holderOf: (owner: string, params: Route['params']) => readonly [string, Readonly<Record<string, string>>],
    ): Handler =>
    (owner, params) => {
      const [holder, ids] = holderOf(owner, params);
      const label = g.find('label', owner, params.labelId ?? '');
      if (label === undefined || label.data.isPrivate === true) return refuse('label');
      if (isApply) g.link(`${owner} ${holder}`, label.id);
      else g.cut(`${owner} ${holder}`, label.id);
      const labels = worn(owner, holder);
      return {
        status: 200,
        body:
          'siteId' in ids && !('clientId' in ids)
            ? { ...ids, labels: labels.map(choices.item) }
            : choices.carried(labels, ids),
      };
    };
  const ofTalk = (owner: string, { id = '' }: Route['params']) =>
    [get('talk', owner, id).id, { conversationId: id }] as const;
  const ofHome = (owner: string, { id = '' }: Route['params']) => [get('home', owner, id).id, { siteId: id }] as const;
  const ofLink = (owner: string, { clientId = '', siteId = '' }: Route['params']) =>
    [get('link', owner, linkKey(clientId, siteId)).id, { clientId, siteId }] as const;

  const handlers: Readonly<Record<string, Handler>> = {
    getHealth: () => ({ status: 200, body: { status: 'ok' } }),
    listLabels: (owner) => {
      const labels = g.all('label', owner).filter(({ data }) => data.isPrivate !== true);
      return { status: 200, body: choices.listed(labels.map(({ id, data }) => ({ id, name: String(data.name) }))) };
    },
    getConversation(owner, { id }) {
      const { data } = get('talk', owner, id);
      const status = data.isClosed ? 'closed' : 'open';
      return {
        status: 200,
        body: {
          id,
          friendlyId: data.number,
          subject: data.subject,
          status,
          type: 'case',
          urgency: 'high',
          createdAt: born,
          updatedAt: born,
        },
      };
    },
    getConversationContext(owner, { id = '' }) {
      const { data } = get('talk', owner, id);
      const [person, home] = [get('person', owner, String(data.person)), get('home', owner, String(data.home))];
      const name = client(person).name;
      return {
        status: 200,
        body: {
          subject: data.subject,
          messages: (data.said as string[]).map((text, n) => ({
            author: n === 0 ? name : 'Sam',
            role: n === 0 ? 'end-user' : 'agent',
            createdAt: born,
            text,
            isInternal: n > 0,
            rawBody: text,
            attachments: [],
          })),
          status: data.isClosed ? 'closed' : 'open',
          type: 'case',
          urgency: 'high',
          labels: worn(owner, id).map((label) => label.name),
          requester: name,
          participants: {
            agents: ['Sam'],
            clients: [{ name, primaryPhoneNumber: person.data.phone, primaryEmail: person.data.mail }],
          },
          sites: [
            { address: home.data.street, serviceLevel: home.data.level, id: home.id, associatedConversations: [] },
          ],
        },
      };
    },
    applyConversationLabel: labelling(true, ofTalk),
    removeConversationLabel: labelling(false, ofTalk),
    applySiteLabel: labelling(true, ofHome),
    removeSiteLabel: labelling(false, ofHome),
    applyClientSiteLabel: labelling(true, ofLink),
    removeClientSiteLabel: labelling(false, ofLink),
    getSite(owner, { id = '' }) {
      const { data } = get('home', owner, id);
      const clients = g
        .all('link', owner)
        .flatMap((link) =>
          link.data.home === id
            ? [{ ...client(get('person', owner, String(link.data.person))), isPrimary: false }]
            : [],
        );
      return {
        status: 200,
        body: {
          id,
          address1: data.street,
          address2: null,
          city: data.city,
          businessName: '',
          createdAt: born,
          updatedAt: born,
          sla: 2.5,
          clients,
        },
      };
    },
    getClient: (owner, { id }) => ({ status: 200, body: client(get('person', owner, id)) }),
    startSiteFileUpload(owner, { id = '' }, request) {
      const site = get('home', owner, id).id;
      const type = contentTypeIn(request);
      const issued = files.issue(type, request.now);
      g.node('file', owner, issued.fileKey, { site, type });
      return { status: 201, body: issued };
    },
    registerSiteFile(owner, { id = '' }, request) {
      const site = get('home', owner, id).id;
      const { fileKey } = jsonIn(request);
      if (typeof fileKey !== 'string' || !isUuid(fileKey)) return refuse('content');
      const { data } = get('file', owner, fileKey);
      if (data.site !== site) refuse('record');
      const size = files.sizeOf(fileKey) ?? refuse('early');
      if (g.has(`${owner} ${site}`, fileKey)) refuse('twice');
      g.link(`${owner} ${site}`, fileKey);
      return {
        status: choices.registered,
        body: {
          fileKey,
          siteId: site,
          name: null,
          contentType: data.type,
          size,
          createdAt: new Date(request.now).toISOString(),
        },
      };
    },
  };

  return (request) => {
    const { url, headers, method, now } = request;
    if (url.host.startsWith('store.')) return files.put(request);
    const key = g.find('key', '', headers['x-api-key'] ?? '');
    if (key === undefined || key.data.revoked === true) return refusalOf(choices, 'key');
    const early = due(key.id, now);
    if (early > 0) return throttledBy(choices, early);
    const route = routed(choices, method, url.pathname);
    if (!('operation' in route)) return refusalOf(choices, route.length === 0 ? 'path' : 'method');
    if (isTooLarge(request)) refuse('large');
    const { id = '', labelId } = route.params;
    if (labelId !== undefined && !isUuid(labelId)) refuse('id');
    if (route.operation.includes('Conversation') && !isUuid(id)) refuse('id');
    if (route.scopes.some((scope) => !(key.data.scopes as string[]).includes(scope))) refuse('scope');
    return handlers[route.operation]?.(String(key.data.partner), route.params, request) ?? refuse('path');
  };
}
