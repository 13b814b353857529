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
 * Creates the empty collections of a tenant, with their relations. Relations have one direction only, for example from a site to
 * its labels: with an inverse relation, every `create` would search all earlier records.
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
 * In this library every record with relations adds listeners to its own and the related collections, for updates, deletions
 * and inverse relations. We have none of these, and each `create` would call the listeners of all earlier records: 4,000
 * conversations with their sites and clients would take 38 seconds. These listeners are registered with a signal and are
 * removed here; reading relations does not need them.
 */
function collection<Schema extends z.ZodType>(schema: Schema): Collection<Schema> {
  const made = new Collection({ schema });
  // The type of the emitter ties each event to its listeners, which does not work for a union of events.
  const emitter: { removeListener(type: string, listener: unknown): void } = made.hooks;
  made.hooks.hooks.on('newListener', (type, listener, options) => {
    if (options?.signal) queueMicrotask(() => emitter.removeListener(type, listener));
  });
  return made;
}

export type Collections = ReturnType<typeof createCollections>;
