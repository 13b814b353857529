import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { fileProblem } from '../../spec/files/file-problem.ts';
import { ConversationLine, linesOf } from './conversation-line.ts';
import { type GeneratedFoot, type GeneratedHead, type GeneratedRecord, generatedFormat } from './generated-tenant.ts';
import type { ClientSeed, ConversationSeed, SiteSeed, TenantSeed } from './schema.ts';

/** The extension of files that `partnerkit fixtures generate` writes. */
export const generatedTenantSuffix = '.tenant.jsonl';

const newline = 10;
const pieceLength = 1024 * 1024;

/**
 * Reads a generated tenant line by line. The checksum in the last line proves that the shapes of the records are right, so they
 * do not need @msw/data. References and unique ids are checked here. Conversations stay lines until they are asked for.
 * @throws ConfigurationError with the number of the line
 */
export async function loadGeneratedTenant(file: string): Promise<TenantSeed> {
  const refuse = (line: number, problem: string): never => {
    throw new ConfigurationError([
      `${file}:${line}: ${problem}; generate the file again, or write a tenant of your own as YAML`,
    ]);
  };
  const hash = createHash('sha256');
  const clients: ClientSeed[] = [];
  const sites: SiteSeed[] = [];
  const lines: ConversationLine[] = [];
  const known = { client: new Set<string>(), site: new Set<string>(), conversation: new Set<string>() };
  let head: GeneratedHead | undefined;
  let foot: GeneratedFoot | undefined;
  let users = new Set<string>();
  let labels = new Set<string>();
  let number = 0;

  const claim = (kind: keyof typeof known, id: string) => {
    const { size } = known[kind];
    if (known[kind].add(id).size === size) refuse(number, `a second ${kind} ${id}`);
  };
  const find = (kind: string, among: ReadonlySet<string>, names: readonly string[] = []) => {
    for (const name of names) if (!among.has(name)) refuse(number, `no ${kind} ${name} above`);
  };
  const take = (bytes: Buffer, start: number, end: number) => {
    number++;
    if (foot !== undefined) refuse(number, 'there is text after the checksum');
    let value: GeneratedHead | Exclude<GeneratedRecord, { conversation: unknown }> | GeneratedFoot | ConversationLine;
    try {
      value = ConversationLine.begins(bytes, start)
        ? new ConversationLine(bytes, start, end)
        : JSON.parse(bytes.toString('utf8', start, end));
    } catch {
      return refuse(number, 'not a line of JSON');
    }
    if (head === undefined) {
      if (!('format' in value) || value.format !== generatedFormat)
        return refuse(1, `not of the format ${generatedFormat}`);
      head = value;
      users = new Set(head.tenant.users.map(({ id }) => id));
      labels = new Set(head.tenant.labels.map(({ name }) => name));
    } else if (value instanceof ConversationLine) {
      const { sites: at, participants, labels: carried } = value.refers;
      claim('conversation', value.id);
      find('site', known.site, at);
      find('user', users, participants?.agents);
      find('client', known.client, participants?.clients);
      find('label', labels, carried);
      lines.push(value);
    } else if ('site' in value) {
      claim('site', value.site.id);
      find('label', labels, value.site.labels);
      for (const link of value.site.clients ?? []) {
        find('client', known.client, [link.client]);
        find('label', labels, link.labels);
      }
      sites.push(value.site);
    } else if ('client' in value) {
      claim('client', value.client.id);
      clients.push(value.client);
    } else if ('sha256' in value) {
      foot = value;
    } else refuse(number, 'not a record of a tenant');
  };

  await using handle = await open(file).catch((error: Error) => {
    throw new ConfigurationError([`${file}: ${fileProblem(error, 'read')}`]);
  });
  // One buffer for the whole file, because its lines stay: for a thousand buffers V8 would collect garbage again and again.
  const { size } = await handle.stat();
  const bytes = Buffer.allocUnsafeSlow(size);
  let filled = 0;
  let start = 0;
  while (filled < size) {
    const { bytesRead } = await handle.read(bytes, filled, Math.min(pieceLength, size - filled), filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
    const read = bytes.subarray(0, filled);
    const from = start;
    let covered = start;
    for (let end = read.indexOf(newline, start); end >= 0; end = read.indexOf(newline, start)) {
      take(bytes, start, end + 1);
      start = end + 1;
      if (foot === undefined) covered = start;
    }
    // Hashed once for each piece, because a call for each line would take longer than the hash itself.
    hash.update(bytes.subarray(from, covered));
  }
  if (start < filled) take(bytes, start, filled);
  if (head === undefined) return refuse(1, 'the file is empty');
  if (foot?.sha256 !== hash.digest('hex')) refuse(number, 'the file is cut off, or was changed since it was generated');
  let conversations: ConversationSeed[] | undefined;
  const seed: TenantSeed = {
    ...head.tenant,
    clients,
    sites,
    get conversations() {
      conversations ??= lines.map((line) => line.seed);
      return conversations;
    },
  };
  linesOf.set(seed, lines);
  return seed;
}
