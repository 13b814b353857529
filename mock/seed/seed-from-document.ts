import { z } from 'zod';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { placeOf, problemLine, shapeProblems } from '../../spec/files/shape-problems.ts';
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
import { TenantAuthor, type TenantCollections } from './tenant-author.ts';

const list = z.array(z.unknown()).default([]);
/** The document without its records: those are parsed one by one, so that one bad record does not hide the next. */
const envelope = tenantFile.extend({
  keys: z.array(z.unknown()),
  users: list,
  labels: list,
  clients: list,
  sites: list,
  conversations: list,
});

/**
 * One tenant from the content of a fixture file. References (label names, ids) are looked up in indexes of our own,
 * because @msw/data takes records and knows no names; then every record goes through related collections.
 *
 * @param document what the file holds, parsed but not checked
 * @param where what to call the document in errors, for example `acme.yaml`
 * @throws ConfigurationError with every problem of the document, each with its path and what would be right
 */
export async function seedFromDocument(document: unknown, where: string): Promise<TenantSeed> {
  const content = envelope.safeParse(document, { reportInput: true });
  if (!content.success) {
    const { error = content.error } = tenantFile.safeParse(shortened(document), { reportInput: true });
    throw new ConfigurationError(shapeProblems(error).map((problem) => problemLine(where, problem)));
  }
  const problems: string[] = [];
  const author = new TenantAuthor(where);
  const report = (problem: string) => {
    problems.push(`${where}: ${problem}`);
    if (problems.length === maxProblems) {
      throw new ConfigurationError([...problems, `${where}: too many problems: the rest of the file was not checked`]);
    }
  };
  await write(content.data, author, report, keeping(problems));
  if (problems.length > 0) throw new ConfigurationError(problems);
  return author.seed(content.data.tenant, content.data.description);
}

/** Nobody reads more problems than this, and millions of them would take gigabytes. */
const maxProblems = 100;

/** The document with the beginning of each of its lists, which has problems enough. */
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
type Attempt = <Result>(create: Promise<Result>) => Promise<Result | undefined>;
type Created<Kind extends keyof TenantCollections> = Awaited<ReturnType<TenantCollections[Kind]['create']>>;

/** Creates every record of the document, each kind after those that it refers to. */
async function write(
  content: z.output<typeof envelope>,
  author: TenantAuthor,
  report: Report,
  attempt: Attempt,
): Promise<void> {
  const { db } = author;
  const users = new References<Created<'users'>>('user', valuesOf('id', content.users), report);
  const labels = new References<Created<'labels'>>('label', valuesOf('name', content.labels), report);
  const clients = new References<Created<'clients'>>('client', valuesOf('id', content.clients), report);
  const sites = new References<Created<'sites'>>('site', valuesOf('id', content.sites), report);
  const carried = (names: readonly string[] | undefined, place: string) =>
    names === undefined ? {} : { labels: labels.getAll(names, `${place}.labels`) };

  for (const { seed, place } of wellShaped(keySeed, content.keys, 'keys', report)) {
    await attempt(db.keys.create(author.at(place, seed)));
  }
  for (const { seed, place } of wellShaped(userSeed, content.users, 'users', report)) {
    users.add(seed.id, await attempt(db.users.create(author.at(place, seed))));
  }
  for (const { seed, place } of wellShaped(labelSeed, content.labels, 'labels', report)) {
    labels.add(seed.name, await attempt(db.labels.create(author.at(place, seed))));
  }
  for (const { seed, place } of wellShaped(clientSeed, content.clients, 'clients', report)) {
    clients.add(seed.id, await attempt(db.clients.create(author.at(place, seed))));
  }
  for (const { seed, place } of wellShaped(siteSeed, content.sites, 'sites', report)) {
    const { clients: links = [], labels: names, ...own } = seed;
    const site = await attempt(db.sites.create(author.at(place, { ...own, ...carried(names, place) })));
    sites.add(seed.id, site);
    for (const [index, { client: id, labels: names, ...own }] of links.entries()) {
      const at = `${place}.clients[${index}]`;
      const client = clients.get(id, `${at}.client`);
      const record = { ...own, ...carried(names, at) };
      if (site && client) await attempt(db.links.create(author.at(at, { ...record, site, client })));
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
    await attempt(db.conversations.create(author.at(place, record)));
  }
}

/** Waits for a record; one that is refused becomes problems, so that the next can be looked at. */
function keeping(problems: string[]): Attempt {
  return async (create) => {
    try {
      return await create;
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      problems.push(...error.problems);
      return undefined;
    }
  };
}

/** The items of the right shape, each with its place; the others are reported. */
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

/** The names that the items give to themselves, whether the items are right or wrong otherwise. */
function valuesOf(field: 'id' | 'name', items: readonly unknown[]): string[] {
  return items.flatMap((item) => {
    const value = typeof item === 'object' && item !== null ? Reflect.get(item, field) : undefined;
    return typeof value === 'string' ? value : [];
  });
}
