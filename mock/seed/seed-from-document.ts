import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { maxProblems, parsed, placeOf } from '../../spec/files/shape-problems.ts';
import { nearest } from '../../spec/text/nearest.ts';
import { type TenantSeed, tenantFile } from './schema.ts';

/**
 * Reads a tenant from the content of a fixture file.
 *
 * @param document the parsed content of the file, not checked yet
 * @param where the name of the document in errors, such as `acme.yaml`
 * @throws ConfigurationError with every problem, each with its place and what to do: those of shape, or if there are none, those of
 *   references and repetitions
 */
export async function seedFromDocument(document: unknown, where: string): Promise<TenantSeed> {
  const { $schema: _, ...seed } = parsed(tenantFile, document, where);
  checkReferences(seed, where);
  return seed;
}

/** The fields whose values only one record of a kind may have. */
const unique = {
  keys: ['name', 'secret'],
  users: ['id'],
  labels: ['id', 'name'],
  clients: ['id'],
  sites: ['id'],
  conversations: ['id'],
} as const;

/**
 * Checks what the shapes of records cannot say: values that two records have, and references to records that do not exist.
 * @throws ConfigurationError with every problem
 */
export function checkReferences(seed: TenantSeed, where: string): void {
  const problems: string[] = [];
  const report = (place: string, problem: string) => {
    problems.push(`${where}: ${place}: ${problem}`);
    if (problems.length < maxProblems) return;
    throw new ConfigurationError([...problems, `${where}: too many problems: the rest of the file was not checked`]);
  };
  const owners = new Map<string, string>();
  /** Reports a value that another record has. */
  const claim = (value: string, record: string, place: string, problem: string) => {
    const owner = owners.get(value);
    if (owner === undefined) owners.set(value, record);
    else report(place, `${problem} (${owner})`);
  };
  const names = {
    user: new Set(seed.users.map(({ id }) => id)),
    label: new Set(seed.labels.map(({ name }) => name)),
    client: new Set(seed.clients.map(({ id }) => id)),
    site: new Set(seed.sites.map(({ id }) => id)),
  };
  /** Reports a name that no record has. */
  const find = (kind: keyof typeof names, name: string, place: string) => {
    if (names[kind].has(name)) return;
    const meant = nearest(name, names[kind]);
    const hint = meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
    report(place, `no ${kind} ${JSON.stringify(name)} in this tenant${hint}`);
  };
  /** Reports unknown and repeated names. */
  const findAll = (kind: keyof typeof names, list: readonly string[] = [], place = '') => {
    for (const [index, name] of list.entries()) {
      const first = list.indexOf(name);
      if (first === index) find(kind, name, `${place}[${index}]`);
      else report(`${place}[${index}]`, `the same as ${place}[${first}]; leave one out`);
    }
  };

  for (const [kind, fields] of Object.entries(unique)) {
    for (const [index, record] of seed[kind as keyof typeof unique].entries()) {
      const place = placeOf([kind, index]);
      for (const field of fields) {
        const value: string = Reflect.get(record, field);
        const shown = field === 'secret' ? 'this secret' : JSON.stringify(value);
        claim(`${kind} ${field} ${value}`, place, `${place}.${field}`, `${shown} is already used`);
      }
    }
  }
  for (const [index, { id, labels, clients = [] }] of seed.sites.entries()) {
    findAll('label', labels, `sites[${index}].labels`);
    for (const [at, link] of clients.entries()) {
      const place = `sites[${index}].clients[${at}]`;
      const { client } = link;
      findAll('label', link.labels, `${place}.labels`);
      find('client', client, `${place}.client`);
      claim(`link ${client} ${id}`, place, `${place}.client`, `client ${client} is already linked to site ${id}`);
      if (link.isPrimary === true)
        claim(`primary ${id}`, place, `${place}.isPrimary`, `site ${id} already has a primary client`);
    }
  }
  for (const [index, { labels, sites, participants }] of seed.conversations.entries()) {
    const place = `conversations[${index}]`;
    findAll('label', labels, `${place}.labels`);
    findAll('site', sites, `${place}.sites`);
    findAll('user', participants?.agents, `${place}.participants.agents`);
    findAll('client', participants?.clients, `${place}.participants.clients`);
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
}
