import { Collection } from '@msw/data';
import { z } from 'zod';
import { closedObject } from '../../spec/files/closed-object.ts';
import {
  type ClientSeed,
  clientSeed,
  conversationSeed,
  type LabelSeed,
  labelSeed,
  linkSeed,
  siteSeed,
  type UserSeed,
  userSeed,
} from './schema.ts';

// A relation takes the record itself, not its id.
const labels = z.array(z.custom<LabelSeed>()).default([]);
const aUser = z.custom<UserSeed>();
const aClient = z.custom<ClientSeed>();
const siteRecord = siteSeed.omit({ clients: true }).extend({ labels });
const aSite = z.custom<z.output<typeof siteRecord>>();
const linkRecord = linkSeed.extend({ site: aSite, client: aClient, labels });
const conversationRecord = conversationSeed.extend({
  labels,
  sites: z.array(aSite).default([]),
  participants: closedObject({ agents: z.array(aUser).default([]), clients: z.array(aClient).default([]) }).default({
    agents: [],
    clients: [],
  }),
});

/**
 * Makes the empty, related collections of one tenant. Relations point one way only, from what carries to what is
 * carried: an inverse one would make every `create` look through all records made before.
 */
export function createCollections() {
  const users = collection(userSeed);
  const labels = collection(labelSeed);
  const clients = collection(clientSeed);
  const sites = collection(siteRecord);
  const links = collection(linkRecord);
  const conversations = collection(conversationRecord);

  sites.defineRelations(({ many }) => ({ labels: many(labels) }));
  links.defineRelations(({ one, many }) => ({ site: one(sites), client: one(clients), labels: many(labels) }));
  conversations.defineRelations(({ many }) => ({
    labels: many(labels),
    sites: many(sites),
    participants: { agents: many(users), clients: many(clients) },
  }));

  return { users, labels, clients, sites, links, conversations };
}

/**
 * Every record that has relations puts listeners on its own and on the related collections, for as long as it lives, to
 * follow updates, deletions and inverse relations. There are none of those here, and each `create` would walk past all
 * listeners of all records before it: 4,000 conversations with their sites and clients would take 38 seconds. Upkeep
 * listeners are the ones that come with a signal; what relations need in order to be read does not depend on them.
 */
function collection<Schema extends z.ZodType>(schema: Schema): Collection<Schema> {
  const made = new Collection({ schema });
  // The same emitter, without the tie between a type of event and its listeners, which a union of them cannot keep.
  const emitter: { removeListener(type: string, listener: unknown): void } = made.hooks;
  made.hooks.hooks.on('newListener', (type, listener, options) => {
    if (options?.signal) queueMicrotask(() => emitter.removeListener(type, listener));
  });
  return made;
}

export type Collections = ReturnType<typeof createCollections>;
