import {
  type Call,
  type Choices,
  contentTypeIn,
  contextOf,
  dueTimes,
  fileKeyIn,
  headOf,
  isUuid,
  labelled,
  personOf,
  refuse,
  type Service,
  serving,
  type Words,
} from './base.ts';
import { type Home, linkKey, type Person, partners, type Talk } from './world.ts';

const words: Words = {
  at: '2025-12-24T18:00:00Z',
  statuses: ['open', 'closed'],
  type: 'case',
  urgency: 'high',
  agents: ['Sam'],
  message: (_, n) => (n === 0 ? { role: 'end-user' } : { role: 'agent', author: 'Sam', isInternal: true }),
};

type Kind = 'label' | 'talk' | 'home' | 'person' | 'link';
interface Node {
  readonly kind: Kind;
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Everything is a node, and an edge says what belongs to what: `owns` from a partner, `wears` to a label, `about` to a person or a home. */
class Graph {
  readonly #nodes = new Map<string, Node>();
  readonly #edges = new Set<string>();

  node(kind: Kind, owner: string, id: string, data: object): void {
    this.#nodes.set(`${owner}/${kind}/${id}`, { kind, id, data: data as Node['data'] });
  }

  find = (kind: Kind, owner: string, id: string): Node | undefined => this.#nodes.get(`${owner}/${kind}/${id}`);
  all = (kind: Kind, owner: string): Node[] =>
    [...this.#nodes].flatMap(([name, node]) => (name.startsWith(`${owner}/${kind}/`) ? [node] : []));
  link = (from: string, to: string): unknown => this.#edges.add(`${from} -> ${to}`);
  cut = (from: string, to: string): unknown => this.#edges.delete(`${from} -> ${to}`);
  has = (from: string, to: string): boolean => this.#edges.has(`${from} -> ${to}`);
}

/** Scopes are checked after ids, and records last. */
export function graph(choices: Choices): Service {
  const g = new Graph();
  for (const { name, labels, talks, homes, people, links, carried } of partners) {
    for (const label of labels) g.node('label', name, label.id, label);
    for (const person of people) g.node('person', name, person.id, person);
    for (const home of homes) g.node('home', name, home.id, home);
    for (const talk of talks) g.node('talk', name, talk.id, talk);
    for (const [person, home] of links) g.node('link', name, linkKey(person, home), { person, home });
    for (const [holder, names] of Object.entries(carried))
      for (const label of labels) if (names.includes(label.name)) g.link(`${name} ${holder}`, label.id);
  }
  const worn = (owner: string, holder: string) =>
    g
      .all('label', owner)
      .filter(({ id, data }) => data.isPrivate !== true && g.has(`${owner} ${holder}`, id))
      .map(({ id, data }) => ({ id, name: String(data.name) }));

  const get = (kind: Kind, owner: string, id = '') => g.find(kind, owner, id) ?? refuse('record');
  const personAt = (owner: string, id: string) => get('person', owner, id).data as unknown as Person;
  const homeAt = (owner: string, id: string) => get('home', owner, id).data as unknown as Home;
  const talkAt = (owner: string, id: string) => get('talk', owner, id).data as unknown as Talk;
  const client = (person: Person) => ({
    ...personOf(person, words.at),
    partnerName: null,
    emails: [],
    phoneNumbers: [],
  });

  /** The node that wears a label, and how its reply names it. */
  const holderOf = (kind: string, owner: string, { id = '', clientId = '', siteId = '' }: Call['params']) => {
    if (kind === 'Conversation') return [get('talk', owner, id).id, { conversationId: id }] as const;
    if (kind === 'Site') return [get('home', owner, id).id, { siteId: id }] as const;
    return [get('link', owner, linkKey(clientId, siteId)).id, { clientId, siteId }] as const;
  };
  const labelling =
    (act: 'link' | 'cut', kind: string) =>
    ({ partner: { name: owner }, params }: Call) => {
      const [holder, ids] = holderOf(kind, owner, params);
      const label = g.find('label', owner, params.labelId ?? '');
      if (label === undefined || label.data.isPrivate === true) return refuse('label');
      g[act](`${owner} ${holder}`, label.id);
      return labelled(choices, ids, worn(owner, holder));
    };

  const reads: Readonly<Record<string, (owner: string, id: string) => unknown>> = {
    getHealth: () => ({ status: 'ok' }),
    listLabels(owner) {
      const labels = g.all('label', owner).filter(({ data }) => data.isPrivate !== true);
      return choices.listed(labels.map(({ id, data }) => ({ id, name: String(data.name) })));
    },
    getConversation: (owner, id) => headOf(talkAt(owner, id), words),
    getConversationContext(owner, id) {
      const talk = talkAt(owner, id);
      const labels = worn(owner, id).map((label) => label.name);
      return { ...contextOf(talk, personAt(owner, talk.person), homeAt(owner, talk.home), words), labels };
    },
    getSite(owner, id) {
      const { street, city } = homeAt(owner, id);
      const clients = g
        .all('link', owner)
        .filter(({ data }) => data.home === id)
        .map(({ data }) => ({ ...client(personAt(owner, String(data.person))), isPrimary: false }));
      const address = { address1: street, address2: null, city, businessName: '' };
      return { id, ...address, createdAt: words.at, updatedAt: words.at, sla: 2.5, clients };
    },
    getClient: (owner, id) => client(personAt(owner, id)),
  };
  const writes: Readonly<Record<string, (call: Call) => ReturnType<Service>>> = {
    ...Object.fromEntries(
      ['Conversation', 'Site', 'ClientSite'].flatMap((kind) => [
        [`apply${kind}Label`, labelling('link', kind)],
        [`remove${kind}Label`, labelling('cut', kind)],
      ]),
    ),
    startSiteFileUpload({ partner: { name }, params: { id }, request, files }) {
      const site = get('home', name, id).id;
      return files.start(name, site, contentTypeIn(request), request.now);
    },
    registerSiteFile(call) {
      const site = get('home', call.partner.name, call.params.id).id;
      return call.files.register(call, site, fileKeyIn(call.request, true), { name: null });
    },
  };

  return serving(choices, {
    order: ['rate', 'route', 'size', 'records', 'scope'],
    wait: dueTimes(),
    otherMethods: 'refused',
    records({ operation, params: { id = '', labelId } }) {
      if (labelId !== undefined && !isUuid(labelId)) refuse('id');
      if (operation.includes('Conversation') && !isUuid(id)) refuse('id');
    },
    answer(call) {
      const { operation, partner, params } = call;
      const read = reads[operation];
      if (read !== undefined) return { status: 200, body: read(partner.name, params.id ?? '') };
      return writes[operation]?.(call) ?? refuse('path');
    },
  });
}
