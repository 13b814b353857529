/** What the replies of all deployments have in common. */
import type { Choices, Outbound } from './base.ts';
import type { Home, Label, Person, Talk } from './world.ts';

/** The reply to a write of labels, by the ids in its path. */
export const labelled = (
  { item, carried }: Choices,
  ids: Readonly<Record<string, string>>,
  labels: readonly Label[],
): Outbound => ({
  status: 200,
  body: 'siteId' in ids && !('clientId' in ids) ? { ...ids, labels: labels.map(item) } : carried(labels, ids),
});

/** How a deployment speaks of conversations. */
export interface Words {
  readonly at: string;
  readonly statuses: readonly [open: string, closed: string];
  readonly type: string;
  readonly urgency: string;
  readonly agents: readonly string[];
  /** What is its own in a message. */
  readonly message: (text: string, n: number) => object;
}

const standing = ({ isClosed }: Talk, { statuses, type, urgency }: Words) => ({
  status: statuses[isClosed ? 1 : 0],
  type,
  urgency,
});

export const headOf = (talk: Talk, words: Words) => ({
  id: talk.id,
  friendlyId: talk.number,
  subject: talk.subject,
  ...standing(talk, words),
  createdAt: words.at,
  updatedAt: words.at,
});

/** @param place what is its own in a site */
export function contextOf(talk: Talk, person: Person, home: Home, words: Words, place: object = {}) {
  const { name } = personOf(person, words.at);
  return {
    subject: talk.subject,
    messages: talk.said.map((text, n) => ({
      author: name,
      createdAt: words.at,
      text,
      isInternal: false,
      rawBody: text,
      attachments: [],
      ...words.message(text, n),
    })),
    ...standing(talk, words),
    requester: name,
    participants: {
      agents: words.agents,
      clients: [{ name, primaryPhoneNumber: person.phone, primaryEmail: person.mail }],
    },
    sites: [{ id: home.id, address: home.street, serviceLevel: home.level, associatedConversations: [], ...place }],
  };
}

export const personOf = ({ id, first, last }: Person, createdAt: string) => ({
  id,
  name: `${first} ${last}`,
  firstName: first,
  lastName: last,
  createdAt,
});
