import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ConfigurationError, fileProblem } from '../../spec/files/configuration-error.ts';
import { scopes } from '../../spec/operations.ts';
import { seededRandom } from '../../spec/random.ts';
import type { ClientSeed, ConversationSeed, KeySeed, LabelSeed, SiteSeed, TenantSeed, UserSeed } from './schema.ts';

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

function* records({
  tenant,
  conversations,
  seed,
  keys,
}: GeneratedTenantOptions): Generator<GeneratedHead | GeneratedRecord> {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(items: readonly [T, ...T[]]): T => items[below(items.length)] ?? items[0];
  const some = <T>(items: readonly T[], most: number): T[] => {
    const first = below(items.length);
    return Array.from({ length: below(most + 1) }, (_, i) => items[(first + i) % items.length]).flatMap(
      (item) => item ?? [],
    );
  };
  const word = () =>
    below(2 ** 32)
      .toString(16)
      .padStart(8, '0');
  const uuid = () => {
    const [a, b, c, d] = [word(), word(), word(), word()];
    return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-8${c.slice(1, 4)}-${c.slice(4)}${d}`;
  };
  const instant = () => new Date(Date.UTC(2026, 0, 1) + below(280 * 24 * 60) * 60_000).toISOString();
  const person = () => `${pick(firstNames)} ${pick(lastNames)}`;

  const users: UserSeed[] = Array.from({ length: 20 }, () => ({ id: uuid(), name: person(), role: 'dispatcher' }));
  const labels: LabelSeed[] = labelNames.map((name, i) => ({
    id: uuid(),
    name,
    visibility: i < 6 ? 'public' : 'private',
  }));
  const head: KeySeed[] = Array.from({ length: keys }, (_, i) => {
    const number = String(i + 1).padStart(8, '0');
    return { name: `key-${number}`, secret: `${number}-${tenant}-fake-secret`, scopes: [...scopes] };
  });
  const description = `${conversations} generated conversations, seed ${seed}`;
  yield { tenant, description, keys: head, users, labels };

  const clientIds = [];
  for (let i = 0; i < Math.max(1, Math.ceil(conversations / 3)); i++) {
    const [firstName, lastName] = [pick(firstNames), pick(lastNames)];
    const id = `ovcid-${uuid()}`;
    clientIds.push(id);
    const contact = { isPrimary: true, label: 'home' };
    yield {
      client: {
        id,
        name: `${firstName} ${lastName}`,
        firstName,
        lastName,
        createdAt: instant(),
        emails: [{ id: uuid(), value: `${firstName}.${lastName}${i}@example.com`.toLowerCase(), ...contact }],
        phoneNumbers: [{ id: uuid(), value: `+1555${String(i).padStart(7, '0')}`, ...contact }],
      },
    };
  }
  const siteIds = [];
  for (let i = 0; i < Math.max(1, Math.ceil(conversations / 4)); i++) {
    const id = `ovaid-${uuid()}`;
    siteIds.push(id);
    const client = clientIds[below(clientIds.length)] ?? '';
    const address = {
      address1: `${1 + below(9000)} ${pick(streets)}`,
      city: pick(cities),
      state: 'OR',
      zip: String(97_000 + below(900)),
    };
    yield {
      site: {
        id,
        ...address,
        serviceLevel: 'standard',
        labels: some(labelNames, 2),
        clients: [{ client, isPrimary: true }],
      },
    };
  }
  for (let i = 0; i < conversations; i++) {
    const client = clientIds[below(clientIds.length)] ?? '';
    const at = instant();
    const problem = pick(problems);
    yield {
      conversation: {
        id: uuid(),
        friendlyId: `C-${100_000 + i}`,
        subject: problem,
        status: pick(['open', 'pending', 'closed']),
        statusLastUpdatedAt: at,
        type: pick(['service', 'estimate', 'maintenance']),
        urgency: pick(['low', 'normal', 'high']),
        createdAt: at,
        updatedAt: at,
        requester: person(),
        messages: Array.from({ length: 1 + below(4) }, (_, m) => ({
          author: person(),
          role: m % 2 === 0 ? 'client' : 'agent',
          createdAt: at,
          text: `${problem}. ${pick(sentences)} ${pick(sentences)}`,
          isInternal: m === 3,
        })),
        participants: { agents: [users[below(users.length)]?.id ?? ''], clients: [client] },
        sites: [siteIds[below(siteIds.length)] ?? ''],
        labels: some(labelNames, 3),
      },
    };
  }
}

const firstNames = ['Ana', 'Ben', 'Chidi', 'Dana', 'Elif', 'Femi', 'Grace', 'Hugo', 'Ines', 'Keiko'] as const;
const lastNames = ['Adler', 'Brooks', 'Castro', 'Diaz', 'Evans', 'Fischer', 'Gupta', 'Haddad', 'Ito', 'Lopez'] as const;
const streets = ['Alder Street', 'Birch Lane', 'Cedar Avenue', 'Dogwood Court', 'Elm Road'] as const;
const cities = ['Salem', 'Eugene', 'Bend', 'Medford', 'Corvallis'] as const;
const labelNames = [
  'vip',
  'warranty',
  'after-hours',
  'estimate-sent',
  'call-first',
  'spare',
  'watchlist',
  'internal-risk',
];
const problems = ['No hot water', 'Leak under the sink', 'Heat pump is loud', 'Drain is slow', 'Annual check'] as const;
const sentences = [
  'It began two days ago and is getting worse.',
  'Somebody is at home every day after four.',
  'The last visit was in spring, and all was well then.',
  'Please call before you come, the gate is locked.',
  'We have sent a photo of the unit and its plate.',
  'A part is on order and should be here on Tuesday.',
] as const;
