import { answersFrom, type Store, type Words } from './answers.ts';
import { buckets, type Choices, isUuid, refuse, type Service, serving } from './base.ts';
import { linkKey, type Partner, partners } from './world.ts';

const words: Words = {
  at: '2026-02-03T04:05:06+00:00',
  statuses: ['waiting', 'done'],
  type: 'ticket',
  urgency: '2',
  agents: ['Robin'],
  message: () => ({ role: 'customer' }),
  client: ({ id, phone }) => ({
    updatedAt: words.at,
    phoneNumbers: [{ id: `a0000000${id.slice(14)}`, value: phone, label: 'mobile', isPrimary: true, ext: 0 }],
  }),
  site: ({ street, city }) => ({
    ...{ address1: street, city, state: 'NV', zip: '89501' },
    ...{ createdAt: words.at, updatedAt: words.at },
  }),
  isPrimary: () => true,
  uuidKeys: true,
  registration: { again: 'the same' },
};

/** One document for each record, with its labels inside, as a document store has them. */
class Collection<Value> {
  readonly #documents = new Map<string, { readonly value: Value; readonly tags: Set<string> }>();

  constructor({ carried, labels }: Partner, values: readonly (readonly [id: string, value: Value])[]) {
    for (const [id, value] of values) {
      const tags = labels.filter(({ name }) => carried[id]?.includes(name)).map((label) => label.id);
      this.#documents.set(id, { value, tags: new Set(tags) });
    }
  }

  get = (id: string): Value => (this.#documents.get(id) ?? refuse('record')).value;
  tags = (id: string): Set<string> | undefined => this.#documents.get(id)?.tags;
}

/** What one partner has. A foreign id is looked for in no other partner's. */
function spaceOf(partner: Partner): Store {
  const byId = <Value extends { readonly id: string }>(values: readonly Value[]) =>
    new Collection(
      partner,
      values.map((value) => [value.id, value]),
    );
  const [talks, homes, people] = [byId(partner.talks), byId(partner.homes), byId(partner.people)];
  const links = new Collection(
    partner,
    partner.links.map(([person, home]) => [linkKey(person, home), null]),
  );
  const tagsOf = (holder: string) => talks.tags(holder) ?? homes.tags(holder) ?? links.tags(holder) ?? refuse('record');
  const publics = partner.labels.filter(({ isPrivate }) => !isPrivate);
  return {
    talk: (id) => talks.get(id.toLowerCase()),
    home: homes.get,
    person: people.get,
    links: () => partner.links,
    labels: () => publics.toReversed(),
    labelsOn: (holder) => publics.filter(({ id }) => tagsOf(holder).has(id)),
    write(act, holder, labelId) {
      const label = publics.find(({ id }) => id === labelId.toLowerCase()) ?? refuse('label');
      tagsOf(holder)[act === 'apply' ? 'add' : 'delete'](label.id);
    },
  };
}

/**
 * A gateway that knows keys and limits, and answers in words of its own, in front of a service that knows the rest. The service checks the scope, then
 * the body, then ids and records. To register a file again answers as the first time.
 */
export function documents(choices: Choices): Service {
  const spaces = new Map(partners.map((partner) => [partner.name, spaceOf(partner)]));
  return serving(choices, {
    order: ['rate', 'size', 'route', 'scope', 'records'],
    wait: buckets({ burst: 30 }),
    // The framework of this one knows no other answer than 404 for what is not routed.
    otherMethods: 'unknown',
    records({ operation, params: { id = '', labelId } }) {
      if (labelId !== undefined && !isUuid(labelId)) refuse('id');
      if (operation.includes('Conversation') && !isUuid(id)) refuse('id');
    },
    answer: answersFrom(({ name }) => spaces.get(name) ?? refuse('key'), words, choices),
  });
}
