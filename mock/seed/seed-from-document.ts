import { z } from 'zod';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { placeOf, problemLine, shapeProblems } from '../../spec/files/shape-problems.ts';
import { createClaims } from './claims.ts';
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
 * Reads a tenant from the content of a fixture file.
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
  const { tenant, description } = content.data;
  const records = checkedRecords(content.data, where);
  return { tenant, ...(description !== undefined && { description }), ...records };
}

/** The lists of a tenant, of which nothing was checked yet. */
type UncheckedRecords = Readonly<Record<keyof Omit<TenantSeed, 'tenant' | 'description'>, readonly unknown[]>>;

/**
 * Checks records: shapes, unique ids, references.
 * @param trusted records that were checked before. Only what they refer to is looked up again
 * @throws ConfigurationError with every problem
 */
export function checkedRecords(
  content: UncheckedRecords,
  where: string,
  trusted: ReadonlySet<unknown> = new Set(),
): Omit<TenantSeed, 'tenant' | 'description'> {
  const problems: string[] = [];
  const report = (problem: string) => {
    problems.push(`${where}: ${problem}`);
    if (problems.length === maxProblems) {
      throw new ConfigurationError([...problems, `${where}: too many problems: the rest of the file was not checked`]);
    }
  };
  const records = check(content, trusted, report);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return records;
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
/** Checks all records of the document; each kind after the kinds that it refers to. Returns the records as written. */
function check(content: UncheckedRecords, trusted: ReadonlySet<unknown>, report: Report) {
  const claim = createClaims(report);
  const users = new References('user', valuesOf('id', content.users), report);
  const labels = new References('label', valuesOf('name', content.labels), report);
  const clients = new References('client', valuesOf('id', content.clients), report);
  const sites = new References('site', valuesOf('id', content.sites), report);
  const wellShaped = <Seed>(schema: z.ZodType<Seed>, kind: keyof UncheckedRecords) =>
    itemsOf(schema, content[kind], kind, trusted, report);
  const written: Omit<TenantSeed, 'tenant'> = {
    keys: [],
    users: [],
    labels: [],
    clients: [],
    sites: [],
    conversations: [],
  };

  for (const { seed, place } of wellShaped(keySeed, 'keys')) {
    const { name, secret } = seed;
    const secretOnce = ['secret', secret, 'this secret is already used'] as const;
    if (claim('key', place, [['name', name], secretOnce])) written.keys.push(seed);
  }
  for (const { seed, place } of wellShaped(userSeed, 'users')) {
    if (!claim('user', place, [['id', seed.id]])) continue;
    written.users.push(seed);
    users.add(seed.id);
  }
  for (const { seed, place } of wellShaped(labelSeed, 'labels')) {
    const { id, name } = seed;
    const once = [['id', id] as const, ['name', name] as const];
    if (!claim('label', place, once)) continue;
    written.labels.push(seed);
    labels.add(name);
  }
  for (const { seed, place } of wellShaped(clientSeed, 'clients')) {
    if (!claim('client', place, [['id', seed.id]])) continue;
    written.clients.push(seed);
    clients.add(seed.id);
  }
  for (const { seed, place } of wellShaped(siteSeed, 'sites')) {
    labels.check(seed.labels, `${place}.labels`);
    if (!claim('site', place, [['id', seed.id]])) continue;
    written.sites.push(seed);
    sites.add(seed.id);
    for (const [index, { client, labels: names, isPrimary }] of (seed.clients ?? []).entries()) {
      const at = `${place}.clients[${index}]`;
      labels.check(names, `${at}.labels`);
      const once = ['client', `${client} ${seed.id}`, `client ${client} is already linked to site ${seed.id}`] as const;
      const primary = ['isPrimary', seed.id, `site ${seed.id} already has a primary client`] as const;
      if (clients.has(client, `${at}.client`)) claim('link', at, isPrimary === true ? [once, primary] : [once]);
    }
  }
  for (const { seed, place } of wellShaped(conversationSeed, 'conversations')) {
    labels.check(seed.labels, `${place}.labels`);
    sites.check(seed.sites, `${place}.sites`);
    users.check(seed.participants?.agents, `${place}.participants.agents`);
    clients.check(seed.participants?.clients, `${place}.participants.clients`);
    if (claim('conversation', place, [['id', seed.id]])) written.conversations.push(seed);
  }
  return written;
}

/** The items of the right shape, each with its place. Reports the others. */
function itemsOf<Seed>(
  schema: z.ZodType<Seed>,
  items: readonly unknown[],
  kind: string,
  trusted: ReadonlySet<unknown>,
  report: Report,
) {
  return items.flatMap((item, index) => {
    const place = placeOf([kind, index]);
    if (trusted.has(item)) return { seed: item as Seed, place };
    const result = schema.safeParse(item, { reportInput: true });
    if (result.success) return { seed: result.data, place };
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
