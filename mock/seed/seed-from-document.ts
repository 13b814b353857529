import { z } from 'zod';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { placeOf, problemLine, shapeProblems } from '../../spec/files/shape-problems.ts';
import { createClaims } from './claims.ts';
import { type Collections, createCollections } from './collections.ts';
import { References } from './references.ts';
import {
  clientSeed,
  conversationSeed,
  keySeed,
  labelSeed,
  siteSeed,
  type TenantSeed,
  tenantFile,
  userSeed,
} from './schema.ts';

const list = z.array(z.unknown()).default([]);
/** The document with its records unchecked. Records are checked one by one, so that all their problems are reported. */
const envelope = tenantFile.extend({
  keys: z.array(z.unknown()),
  users: list,
  labels: list,
  clients: list,
  sites: list,
  conversations: list,
});

/**
 * Reads a tenant from the content of a fixture file. References (label names, ids) are looked up in indexes of our own,
 * because @msw/data relates records, not names. Then all records are created in related collections.
 *
 * @param document the parsed content of the file, not checked yet
 * @param where the name of the document in errors, such as `acme.yaml`
 * @throws ConfigurationError with every problem of the document, each with its place and what to do
 */
export async function seedFromDocument(document: unknown, where: string): Promise<TenantSeed> {
  const content = envelope.safeParse(document, { reportInput: true });
  if (!content.success) {
    const { error = content.error } = tenantFile.safeParse(shortened(document), { reportInput: true });
    throw new ConfigurationError(shapeProblems(error).map((problem) => problemLine(where, problem)));
  }
  const problems: string[] = [];
  const report = (problem: string) => {
    problems.push(`${where}: ${problem}`);
    if (problems.length === maxProblems) {
      throw new ConfigurationError([...problems, `${where}: too many problems: the rest of the file was not checked`]);
    }
  };
  const records = await create(content.data, report);
  if (problems.length > 0) throw new ConfigurationError(problems);
  const { tenant, description } = content.data;
  return { tenant, ...(description !== undefined && { description }), ...records };
}

/** Nobody reads more problems than this, and millions of problems would take gigabytes. */
const maxProblems = 100;

/** The document with only the first items of each list, so that there are not too many problems. */
const shortened = (document: unknown): unknown =>
  typeof document !== 'object' || document === null || Array.isArray(document)
    ? document
    : Object.fromEntries(
        Object.entries(document).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.slice(0, maxProblems) : value,
        ]),
      );

type Report = (problem: string) => void;
type Created<Kind extends keyof Collections> = Awaited<ReturnType<Collections[Kind]['create']>>;

/** Creates all records of the document; each kind after the kinds that it refers to. Returns the records as written. */
async function create(
  content: z.output<typeof envelope>,
  report: Report,
): Promise<Omit<TenantSeed, 'tenant' | 'description'>> {
  const db = createCollections();
  const claim = createClaims(report);
  const users = new References<Created<'users'>>('user', valuesOf('id', content.users), report);
  const labels = new References<Created<'labels'>>('label', valuesOf('name', content.labels), report);
  const clients = new References<Created<'clients'>>('client', valuesOf('id', content.clients), report);
  const sites = new References<Created<'sites'>>('site', valuesOf('id', content.sites), report);
  const carried = (names: readonly string[] | undefined, place: string) =>
    names === undefined ? {} : { labels: labels.getAll(names, `${place}.labels`) };
  const written: Omit<TenantSeed, 'tenant'> = {
    keys: [],
    users: [],
    labels: [],
    clients: [],
    sites: [],
    conversations: [],
  };

  for (const { seed, place } of wellShaped(keySeed, content.keys, 'keys', report)) {
    const { name, secret } = seed;
    const secretOnce = ['secret', secret, 'this secret is already used'] as const;
    if (claim('key', place, [['name', name], secretOnce])) written.keys.push(seed);
  }
  for (const { seed, place } of wellShaped(userSeed, content.users, 'users', report)) {
    if (!claim('user', place, [['id', seed.id]])) continue;
    written.users.push(seed);
    users.add(seed.id, await db.users.create(seed));
  }
  for (const { seed, place } of wellShaped(labelSeed, content.labels, 'labels', report)) {
    const { id, name } = seed;
    if (
      !claim('label', place, [
        ['id', id],
        ['name', name],
      ])
    )
      continue;
    written.labels.push(seed);
    labels.add(name, await db.labels.create(seed));
  }
  for (const { seed, place } of wellShaped(clientSeed, content.clients, 'clients', report)) {
    if (!claim('client', place, [['id', seed.id]])) continue;
    written.clients.push(seed);
    clients.add(seed.id, await db.clients.create(seed));
  }
  for (const { seed, place } of wellShaped(siteSeed, content.sites, 'sites', report)) {
    const { clients: links = [], labels: names, ...own } = seed;
    const carriedBySite = carried(names, place);
    if (!claim('site', place, [['id', seed.id]])) continue;
    written.sites.push(seed);
    const site = await db.sites.create({ ...own, ...carriedBySite });
    sites.add(seed.id, site);
    for (const [index, { client: id, labels: names, ...own }] of links.entries()) {
      const at = `${place}.clients[${index}]`;
      const client = clients.get(id, `${at}.client`);
      const record = { ...own, ...carried(names, at) };
      const once = ['client', `${id} ${seed.id}`, `client ${id} is already linked to site ${seed.id}`] as const;
      const primary = ['isPrimary', seed.id, `site ${seed.id} already has a primary client`] as const;
      if (client && claim('link', at, own.isPrimary === true ? [once, primary] : [once]))
        await db.links.create({ ...record, site, client });
    }
  }
  for (const { seed, place } of wellShaped(conversationSeed, content.conversations, 'conversations', report)) {
    const { labels: names, sites: ids, participants: people, ...own } = seed;
    const at = `${place}.participants`;
    const participants = {
      ...(people?.agents && { agents: users.getAll(people.agents, `${at}.agents`) }),
      ...(people?.clients && { clients: clients.getAll(people.clients, `${at}.clients`) }),
    };
    const record = {
      ...own,
      ...carried(names, place),
      ...(ids && { sites: sites.getAll(ids, `${place}.sites`) }),
      ...(people && { participants }),
    };
    if (!claim('conversation', place, [['id', seed.id]])) continue;
    written.conversations.push(seed);
    await db.conversations.create(record);
  }
  return written;
}

/** The items of the right shape, each with its place. Reports the others. */
function wellShaped<Seed>(schema: z.ZodType<Seed>, items: readonly unknown[], kind: string, report: Report) {
  return items.flatMap((item, index) => {
    const result = schema.safeParse(item, { reportInput: true });
    if (result.success) return { seed: result.data, place: placeOf([kind, index]) };
    for (const { path, message } of shapeProblems(result.error)) {
      report(problemLine('', { path: [kind, index, ...path], message }));
    }
    return [];
  });
}

/** The ids or names of all items, including items with problems. */
function valuesOf(field: 'id' | 'name', items: readonly unknown[]): string[] {
  return items.flatMap((item) => {
    const value = typeof item === 'object' && item !== null ? Reflect.get(item, field) : undefined;
    return typeof value === 'string' ? value : [];
  });
}
