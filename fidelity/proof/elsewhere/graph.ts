import {
  type Call,
  type Choices,
  contentTypeIn,
  dueTimes,
  fileKeyIn,
  isUuid,
  refuse,
  type Service,
  serving,
} from './base.ts';
import { contextOf, headOf, labelled, personOf, type Words } from './replies.ts';
import { type Home, linkKey, type Partner, type Person, partners, type Talk } from './world.ts';

const words: Words = {
  at: '2025-12-24T18:00:00Z',
  statuses: ['open', 'closed'],
  type: 'case',
  urgency: 'high',
  agents: ['Sam'],
  message: (_, n) => (n === 0 ? { role: 'end-user' } : { role: 'agent', author: 'Sam', isInternal: true }),
};

/** What the nodes of each kind say. */
interface Data {
  readonly label: Partner['labels'][number];
  readonly talk: Talk;
  readonly home: Home;
  readonly person: Person;
  readonly link: { readonly id: string; readonly person: string; readonly home: string };
}

/** Everything is a node, and an edge says which label what wears. */
class Graph {
  readonly #nodes = new Map<string, Data[keyof Data]>();
  readonly #edges = new Set<string>();

  node<Kind extends keyof Data>(kind: Kind, owner: string, data: Data[Kind]): void {
    this.#nodes.set(`${owner}/${kind}/${data.id}`, data);
  }

  get = <Kind extends keyof Data>(kind: Kind, owner: string, id = ''): Data[Kind] =>
    (this.#nodes.get(`${owner}/${kind}/${id}`) as Data[Kind] | undefined) ??
    refuse(kind === 'label' ? 'label' : 'record');
  all = <Kind extends keyof Data>(kind: Kind, owner: string): Data[Kind][] =>
    [...this.#nodes].flatMap(([name, data]) => (name.startsWith(`${owner}/${kind}/`) ? [data as Data[Kind]] : []));
  link = (from: string, to: string): unknown => this.#edges.add(`${from} -> ${to}`);
  cut = (from: string, to: string): unknown => this.#edges.delete(`${from} -> ${to}`);
  has = (from: string, to: string): boolean => this.#edges.has(`${from} -> ${to}`);
}

/** Scopes are checked after ids, and records last. */
export function graph(choices: Choices): Service {
  const g = new Graph();
  for (const { name, labels, talks, homes, people, links, carried } of partners) {
    for (const label of labels) g.node('label', name, label);
    for (const person of people) g.node('person', name, person);
    for (const home of homes) g.node('home', name, home);
    for (const talk of talks) g.node('talk', name, talk);
    for (const [person, home] of links) g.node('link', name, { id: linkKey(person, home), person, home });
    for (const [holder, names] of Object.entries(carried))
      for (const label of labels) if (names.includes(label.name)) g.link(`${name} ${holder}`, label.id);
  }
  const listed = (owner: string) => g.all('label', owner).filter(({ isPrivate }) => !isPrivate);
  const worn = (owner: string, holder: string) => listed(owner).filter(({ id }) => g.has(`${owner} ${holder}`, id));
  const client = (person: Person) => ({
    ...personOf(person, words.at),
    partnerName: null,
    emails: [],
    phoneNumbers: [],
  });

  /** The node that wears a label, and how its reply names it. */
  const holderOf = (kind: string, owner: string, { id = '', clientId = '', siteId = '' }: Call['params']) => {
    if (kind === 'Conversation') return [g.get('talk', owner, id).id, { conversationId: id }] as const;
    if (kind === 'Site') return [g.get('home', owner, id).id, { siteId: id }] as const;
    return [g.get('link', owner, linkKey(clientId, siteId)).id, { clientId, siteId }] as const;
  };
  const labelling =
    (act: 'link' | 'cut', kind: string) =>
    ({ partner: { name: owner }, params }: Call) => {
      const [holder, ids] = holderOf(kind, owner, params);
      const label = g.get('label', owner, params.labelId);
      if (label.isPrivate) return refuse('label');
      g[act](`${owner} ${holder}`, label.id);
      return labelled(choices, ids, worn(owner, holder));
    };

  const reads: Readonly<Record<string, (owner: string, id: string) => unknown>> = {
    getHealth: () => ({ status: 'ok' }),
    listLabels: (owner) => choices.listed(listed(owner)),
    getConversation: (owner, id) => headOf(g.get('talk', owner, id), words),
    getConversationContext(owner, id) {
      const talk = g.get('talk', owner, id);
      const labels = worn(owner, id).map((label) => label.name);
      return {
        ...contextOf(talk, g.get('person', owner, talk.person), g.get('home', owner, talk.home), words),
        labels,
      };
    },
    getSite(owner, id) {
      const { street, city } = g.get('home', owner, id);
      const clients = g
        .all('link', owner)
        .filter(({ home }) => home === id)
        .map(({ person }) => ({ ...client(g.get('person', owner, person)), isPrimary: false }));
      const address = { address1: street, address2: null, city, businessName: '' };
      return { id, ...address, createdAt: words.at, updatedAt: words.at, sla: 2.5, clients };
    },
    getClient: (owner, id) => client(g.get('person', owner, id)),
  };
  const writes: Readonly<Record<string, (call: Call) => ReturnType<Service>>> = {
    ...Object.fromEntries(
      ['Conversation', 'Site', 'ClientSite'].flatMap((kind) => [
        [`apply${kind}Label`, labelling('link', kind)],
        [`remove${kind}Label`, labelling('cut', kind)],
      ]),
    ),
    startSiteFileUpload({ partner: { name }, params: { id }, request, files }) {
      const site = g.get('home', name, id).id;
      return files.start(name, site, contentTypeIn(request), request.now);
    },
    registerSiteFile(call) {
      const site = g.get('home', call.partner.name, call.params.id).id;
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
