import { answersFrom, type Store, type Words } from './answers.ts';
import { type Choices, dueTimes, isUuid, refuse, type Service, serving } from './base.ts';
import { type Home, linkKey, type Partner, type Person, partners, type Talk } from './world.ts';

const words: Words = {
  at: '2025-12-24T18:00:00Z',
  statuses: ['open', 'closed'],
  type: 'case',
  urgency: 'high',
  agents: ['Sam'],
  message: (_, n) => (n === 0 ? { role: 'end-user' } : { role: 'agent', author: 'Sam', isInternal: true }),
  client: () => ({ partnerName: null, emails: [], phoneNumbers: [] }),
  site: ({ street, city }) => ({
    ...{ address1: street, address2: null, city, businessName: '' },
    ...{ createdAt: words.at, updatedAt: words.at, sla: 2.5 },
  }),
  isPrimary: () => false,
  siteFirst: true,
  uuidKeys: true,
  registration: { name: null },
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
  apply = (from: string, to: string): unknown => this.#edges.add(`${from} -> ${to}`);
  remove = (from: string, to: string): unknown => this.#edges.delete(`${from} -> ${to}`);
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
      for (const label of labels) if (names.includes(label.name)) g.apply(`${name} ${holder}`, label.id);
  }
  const storeOf = ({ name: owner }: Partner): Store => {
    const labels = () => g.all('label', owner).filter(({ isPrivate }) => !isPrivate);
    return {
      talk: (id) => g.get('talk', owner, id),
      home: (id) => g.get('home', owner, id),
      person: (id) => g.get('person', owner, id),
      links: () => g.all('link', owner).map(({ person, home }) => [person, home]),
      labels,
      labelsOn: (holder) => labels().filter(({ id }) => g.has(`${owner} ${holder}`, id)),
      write(act, holder, labelId) {
        const label = g.get('label', owner, labelId);
        return label.isPrivate ? refuse('label') : g[act](`${owner} ${holder}`, label.id);
      },
    };
  };
  return serving(choices, {
    order: ['rate', 'route', 'size', 'records', 'scope'],
    wait: dueTimes(),
    otherMethods: 'refused',
    records({ operation, params: { id = '', labelId } }) {
      if (labelId !== undefined && !isUuid(labelId)) refuse('id');
      if (operation.includes('Conversation') && !isUuid(id)) refuse('id');
    },
    answer: answersFrom(storeOf, words, choices),
  });
}
