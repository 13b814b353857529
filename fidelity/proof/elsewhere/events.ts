import { answersFrom, type Store, type Words } from './answers.ts';
import { type Choices, dueTimes, refuse, type Service, serving } from './base.ts';
import { type Partner, partners } from './world.ts';

interface Event {
  readonly act: 'apply' | 'remove';
  readonly partner: string;
  readonly holder: string;
  readonly label: string;
}

const words: Words = {
  at: '2025-06-30T22:15:00.000Z',
  statuses: ['IN_PROGRESS', 'RESOLVED'],
  type: 'request',
  urgency: 'low',
  agents: [],
  message: (text) => ({
    role: 'CUSTOMER',
    rawBody: `<p>${text}</p>`,
    attachments: [{ type: 'photo', title: 'boiler.jpg', content: '', transcriptionId: '' }],
  }),
  head: { channel: 'mail' },
  client: () => ({ marketingOptOut: false }),
  site: () => ({ isMonitored: true, sla: 4 }),
  place: ({ street, city }) => ({ address: `${street}, ${city}` }),
  isPrimary: (n) => n === 0,
};

/**
 * State as a log of events that every reply folds anew, so that labels stand in the order in which they were put on. The route is looked up first,
 * then key, ids and records, and the scope last; ids have no form, so what is malformed is merely unknown.
 */
export function events(choices: Choices): Service {
  const log: Event[] = partners.flatMap(({ name: partner, carried, labels }) =>
    Object.entries(carried).flatMap(([holder, names]) =>
      names.map((one): Event => {
        const label = labels.find(({ name }) => name === one)?.id ?? '';
        return { act: 'apply', partner, holder, label };
      }),
    ),
  );
  const storeOf = ({ name: partner, talks, homes, people, links, labels }: Partner): Store => {
    const publics = labels.filter(({ isPrivate }) => !isPrivate);
    return {
      talk: (id) => talks.find((one) => one.id === id) ?? refuse('record'),
      home: (id) => homes.find((one) => one.id === id) ?? refuse('record'),
      person: (id) => people.find((one) => one.id === id) ?? refuse('record'),
      links: () => links,
      labels: () => publics,
      labelsOn(holder) {
        const on = new Set<string>();
        for (const event of log)
          if (event.partner === partner && event.holder === holder)
            on[event.act === 'apply' ? 'add' : 'delete'](event.label);
        return [...on].flatMap((id) => publics.filter((label) => label.id === id));
      },
      write(act, holder, label) {
        const isKnown = publics.some(({ id }) => id === label);
        // Nothing is taken off that cannot be on, so nobody is told that it does not exist.
        if (!isKnown && act === 'apply') refuse('label');
        if (isKnown) log.push({ act, partner, holder, label });
      },
    };
  };
  return serving(choices, {
    order: ['route', 'rate', 'size', 'records', 'scope'],
    wait: dueTimes(),
    otherMethods: 'refused',
    /** The record is found, or refused, before anybody asks for the scope. */
    records({ partner, operation, params: { id = '', clientId, siteId } }) {
      const store = storeOf(partner);
      if (operation === 'getClient') return store.person(id);
      if (operation.includes('ClientSite'))
        return store.links().find(([one, home]) => one === clientId && home === siteId) ?? refuse('record');
      if (operation.includes('Conversation')) return store.talk(id);
      return operation.includes('Site') && store.home(id);
    },
    answer: answersFrom(storeOf, words, choices),
  });
}
