import { answersFrom, headOf, type Store, type Words } from './answers.ts';
import { buckets, type Choices, isUuid, refuse, type Service, serving } from './base.ts';
import { type Partner, partners } from './world.ts';

const words: Words = {
  at: '2026-01-01T08:00:00Z',
  statuses: ['open', 'closed'],
  type: 'request',
  urgency: 'normal',
  agents: ['Desk'],
  message: (_, n) => (n % 2 === 0 ? { role: 'client' } : { role: 'agent', author: 'Desk' }),
  client: ({ id, mail, phone }) => ({
    emails: [{ id: `e0${id.slice(8)}`, value: mail, isPrimary: true }],
    phoneNumbers: [{ id: `f0${id.slice(8)}`, value: phone, isPrimary: true }],
  }),
  site: ({ street, city }) => ({ address1: street, city, createdAt: words.at }),
  place: ({ id }, talk, { talks }) => ({
    associatedConversations: talks
      .filter((other) => other.home === id && other.id !== talk.id)
      .map((other) => {
        const { friendlyId, subject, status } = headOf(other, words);
        const texts = { issue: subject, resolution: '', shortSummary: subject };
        return { friendlyId, subject, status, statusLastUpdatedAt: words.at, ...texts };
      }),
  }),
  isPrimary: (n) => n === 0,
};

/** State as rows of tables that are filtered and joined, as SQL would. */
export function tables(choices: Choices): Service {
  const table = <Row extends object>(rowsOf: (partner: Partner) => readonly Row[]) =>
    partners.flatMap((partner) => rowsOf(partner).map((row) => ({ ...row, partner: partner.name })));
  const rows = {
    labels: table(({ labels }) => labels),
    talks: table(({ talks }) => talks),
    homes: table(({ homes }) => homes),
    people: table(({ people }) => people),
    links: table(({ links }) => links.map(([person, home]) => ({ person, home }))),
    carried: table(({ carried, labels }) =>
      Object.entries(carried).flatMap(([holder, names]) =>
        names.map((one) => ({ holder, label: labels.find((label) => label.name === one)?.id ?? '' })),
      ),
    ),
  };
  const storeOf = ({ name: partner }: Partner): Store => {
    const own = <Row extends { readonly partner: string }>(all: readonly Row[]) =>
      all.filter((row) => row.partner === partner);
    const one = <Row extends { readonly partner: string; readonly id: string }>(all: readonly Row[], id: string) =>
      own(all).find((row) => row.id === id) ?? refuse('record');
    const labels = () => own(rows.labels).filter(({ isPrivate }) => !isPrivate);
    return {
      talk: (id) => one(rows.talks, id.toLowerCase()),
      home: (id) => one(rows.homes, id),
      person: (id) => one(rows.people, id),
      links: () => own(rows.links).map(({ person, home }) => [person, home]),
      labels,
      labelsOn: (holder) =>
        labels()
          .filter(({ id }) => own(rows.carried).some((row) => row.holder === holder && row.label === id))
          .sort((a, b) => a.name.localeCompare(b.name)),
      write(act, holder, labelId) {
        const label = labels().find(({ id }) => id === labelId.toLowerCase())?.id ?? refuse('label');
        const row = { partner, holder, label };
        const isOther = (other: typeof row) => JSON.stringify(other) !== JSON.stringify(row);
        rows.carried = [...rows.carried.filter(isOther), ...(act === 'apply' ? [row] : [])];
      },
    };
  };
  return serving(choices, {
    order: ['rate', 'size', 'route', 'scope', 'records'],
    wait: buckets(),
    otherMethods: 'named',
    records({ operation, params: { id = '', labelId, clientId } }) {
      const isTalk = operation.includes('Conversation');
      const person = operation === 'getClient' ? id : (clientId ?? 'ovcid-');
      if ((isTalk && !isUuid(id)) || (labelId !== undefined && !isUuid(labelId)) || !person.startsWith('ovcid-'))
        refuse('id');
    },
    answer: answersFrom(storeOf, words, choices),
  });
}
