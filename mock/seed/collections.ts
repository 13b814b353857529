import { Collection } from '@msw/data';
import { z } from 'zod';
import { closedObject } from '../../spec/files/closed-object.ts';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { problemLine, shapeProblems } from '../../spec/files/shape-problems.ts';
import {
  type ClientSeed,
  clientSeed,
  conversationSeed,
  keySeed,
  type LabelSeed,
  labelSeed,
  linkSeed,
  siteSeed,
  type UserSeed,
  userSeed,
} from './schema.ts';

// A relation takes the record itself, not its id. Only "is it an object" is asked here; whether it is a record of this
// tenant the ledger asks, which knows them.
const isObject = (value: unknown) => typeof value === 'object' && value !== null;
const aLabel = z.custom<LabelSeed>(isObject, 'expected a label: what labels.create() returned');
const aUser = z.custom<UserSeed>(isObject, 'expected a user: what users.create() returned');
const aClient = z.custom<ClientSeed>(isObject, 'expected a client: what clients.create() returned');
const labels = z.array(aLabel).default([]);

const siteRecord = siteSeed.omit({ clients: true }).extend({ labels });
type SiteRecord = z.output<typeof siteRecord>;
const aSite = z.custom<SiteRecord>(isObject, 'expected a site: what sites.create() returned');

const linkRecord = linkSeed.extend({ site: aSite, client: aClient, labels });
const conversationRecord = conversationSeed.extend({
  labels,
  sites: z.array(aSite).default([]),
  participants: closedObject({ agents: z.array(aUser).default([]), clients: z.array(aClient).default([]) }).default({
    agents: [],
    clients: [],
  }),
});

/** A schema that throws what is wrong, with its place, where the collection would print it and say little. */
type Refusing<Schema extends z.ZodType> = { '~standard': Schema['~standard'] };

/**
 * Makes the empty, related collections of one tenant. Relations point one way only, from what carries to what is
 * carried: an inverse one would make every `create` look through all records made before.
 *
 * @param where what to call the tenant in errors: its file, or its name
 */
export function createCollections(where: string) {
  const refusing = <Schema extends z.ZodType>(kind: string, schema: Schema): Refusing<Schema> => {
    let created = 0;
    const validate = (value: unknown) => {
      const index = created++;
      const result = schema.safeParse(value, { reportInput: true });
      if (result.success) return { value: result.data };
      throw new ConfigurationError(
        shapeProblems(result.error).map(({ path, message }) =>
          problemLine(where, { path: [kind, index, ...path], message }),
        ),
      );
    };
    return { '~standard': { ...schema['~standard'], validate } };
  };

  const collection = <Schema extends z.ZodType>(kind: string, schema: Schema) =>
    withoutUpkeep(new Collection({ schema: refusing(kind, schema) }));

  const keys = collection('keys', keySeed);
  const users = collection('users', userSeed);
  const labels = collection('labels', labelSeed);
  const clients = collection('clients', clientSeed);
  const sites = collection('sites', siteRecord);
  const links = collection('links', linkRecord);
  const conversations = collection('conversations', conversationRecord);

  sites.defineRelations(({ many }) => ({ labels: many(labels) }));
  links.defineRelations(({ one, many }) => ({ site: one(sites), client: one(clients), labels: many(labels) }));
  conversations.defineRelations(({ many }) => ({
    labels: many(labels),
    sites: many(sites),
    participants: { agents: many(users), clients: many(clients) },
  }));

  return { keys, users, labels, clients, sites, links, conversations };
}

/**
 * Every record that has relations puts listeners on its own and on the related collections, for as long as it lives, to
 * follow updates, deletions and inverse relations. There are none of those here, and each `create` would walk past all
 * listeners of all records before it: 4,000 conversations with their sites and clients would take 38 seconds. Upkeep
 * listeners are the ones that come with a signal; what relations need in order to be read does not depend on them.
 */
function withoutUpkeep<Schema extends z.ZodType>(collection: Collection<Refusing<Schema>>) {
  // The same emitter, without the tie between a type of event and its listeners, which a union of them cannot keep.
  const emitter: { removeListener(type: string, listener: unknown): void } = collection.hooks;
  collection.hooks.hooks.on('newListener', (type, listener, options) => {
    if (options?.signal) queueMicrotask(() => emitter.removeListener(type, listener));
  });
  return collection;
}

export type Collections = ReturnType<typeof createCollections>;
