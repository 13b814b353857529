import { Collection } from '@msw/data';
import { z } from 'zod';
import { ConfigurationError } from '../../spec/configuration-error.ts';
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
import { shapeProblems } from './shape-problems.ts';

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
  participants: z
    .strictObject({ agents: z.array(aUser).default([]), clients: z.array(aClient).default([]) })
    .default({ agents: [], clients: [] }),
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
      const place = `${kind}[${created++}]`;
      const result = schema.safeParse(value);
      if (result.success) return { value: result.data };
      throw new ConfigurationError(shapeProblems(result.error, value, place).map((problem) => `${where}: ${problem}`));
    };
    return { '~standard': { ...schema['~standard'], validate } };
  };

  const keys = new Collection({ schema: refusing('keys', keySeed) });
  const users = new Collection({ schema: refusing('users', userSeed) });
  const labels = new Collection({ schema: refusing('labels', labelSeed) });
  const clients = new Collection({ schema: refusing('clients', clientSeed) });
  const sites = new Collection({ schema: refusing('sites', siteRecord) });
  const links = new Collection({ schema: refusing('links', linkRecord) });
  const conversations = new Collection({ schema: refusing('conversations', conversationRecord) });

  sites.defineRelations(({ many }) => ({ labels: many(labels) }));
  links.defineRelations(({ one, many }) => ({ site: one(sites), client: one(clients), labels: many(labels) }));
  conversations.defineRelations(({ many }) => ({
    labels: many(labels),
    sites: many(sites),
    participants: { agents: many(users), clients: many(clients) },
  }));

  return { keys, users, labels, clients, sites, links, conversations };
}

export type Collections = ReturnType<typeof createCollections>;
