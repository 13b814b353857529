import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ConfigurationError, fileProblem } from '../../spec/files/configuration-error.ts';
import { scopes } from '../../spec/operations.ts';
import { seededRandom } from '../../spec/random.ts';
import { defaultSeeds } from './generated/tenants.ts';
import type { ClientSeed, ConversationSeed, SiteSeed, TenantSeed } from './schema.ts';

interface GeneratedTenantOptions {
  readonly tenant: string;
  readonly conversations: number;
  /** The same seed gives the same bytes. */
  readonly seed: number;
  readonly keys: number;
}

/** Every line between the first and the last holds one record; a record comes after the records that it refers to. */
type GeneratedRecord =
  | { readonly client: ClientSeed }
  | { readonly site: SiteSeed }
  | { readonly conversation: ConversationSeed };

/** The first line: name, keys, labels and users, of which there are few. */
type GeneratedHead = Omit<TenantSeed, 'clients' | 'sites' | 'conversations'>;

/** The last line: its checksum proves that the file is unchanged, so that reading need not check each record. */
const foot = (sha256: string) => `${JSON.stringify({ sha256 })}\n`;

/** A large tenant as lines of JSON, made one after the other: no more than one record is ever in memory. */
export function* generatedTenant(options: GeneratedTenantOptions): Generator<string> {
  const hash = createHash('sha256');
  for (const value of records(options)) {
    const line = `${JSON.stringify(value)}\n`;
    hash.update(line);
    yield line;
  }
  yield foot(hash.digest('hex'));
}

/** Reads a generated tenant. @throws ConfigurationError if the file is not as it was generated */
export async function readGeneratedTenant(file: string): Promise<TenantSeed> {
  const text = await readFile(file, 'latin1').catch((error: Error) => {
    throw new ConfigurationError([`${file}: ${fileProblem(error, 'read')}`]);
  });
  const end = text.lastIndexOf('\n', text.length - 2) + 1;
  const lines = text.slice(0, end);
  if (end === 0 || text.slice(end) !== foot(createHash('sha256').update(lines, 'latin1').digest('hex'))) {
    const remedy = 'generate it again, or write a tenant of your own as YAML';
    throw new ConfigurationError([`${file}: is not a generated tenant, or was changed or cut off since; ${remedy}`]);
  }
  const [head = '', ...records] = lines.trimEnd().split('\n');
  const seed: TenantSeed = { ...(JSON.parse(head) as GeneratedHead), clients: [], sites: [], conversations: [] };
  for (const line of records) {
    const record: GeneratedRecord = JSON.parse(line);
    if ('client' in record) seed.clients.push(record.client);
    else if ('site' in record) seed.sites.push(record.site);
    else seed.conversations.push(record.conversation);
  }
  return seed;
}

/** Records of the packaged acme, drawn again and again, with ids and links of their own. */
function* records({
  tenant,
  conversations,
  seed,
  keys,
}: GeneratedTenantOptions): Generator<GeneratedHead | GeneratedRecord> {
  const acme = defaultSeeds[0] as TenantSeed;
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(items: readonly T[]) => items[below(items.length)] as T;
  const uuid = () => 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () => below(16).toString(16));
  const ids = (share: number, prefix: string) =>
    Array.from({ length: Math.max(1, Math.ceil(conversations / share)) }, () => prefix + uuid());

  const users = acme.users.map((user) => ({ ...user, id: uuid() }));
  const labels = acme.labels.map((label) => ({ ...label, id: uuid() }));
  const ownKeys = Array.from({ length: keys }, (_, i) => {
    const number = String(i + 1).padStart(8, '0');
    return { name: `key-${number}`, secret: `${number}-${tenant}-fake-secret`, scopes: [...scopes] };
  });
  const description = `${conversations} generated conversations, seed ${seed}`;
  yield { tenant, description, keys: ownKeys, users, labels };

  const [clients, sites] = [ids(3, 'ovcid-'), ids(4, 'ovaid-')];
  for (const id of clients) yield { client: { ...pick(acme.clients), id } };
  for (const id of sites)
    yield { site: { ...pick(acme.sites), id, clients: [{ client: pick(clients), isPrimary: true }] } };
  for (let i = 0; i < conversations; i++) {
    const friendlyId = `C-${100_000 + i}`;
    const participants = { agents: [pick(users).id], clients: [pick(clients)] };
    yield {
      conversation: { ...pick(acme.conversations), id: uuid(), friendlyId, participants, sites: [pick(sites)] },
    };
  }
}
