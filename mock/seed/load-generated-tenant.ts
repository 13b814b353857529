import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { fileProblem } from '../../spec/files/file-problem.ts';
import { otherEncoding } from '../../spec/text/utf8-text.ts';
import { GeneratedLines } from './generated-lines.ts';
import { type GeneratedFoot, type GeneratedHead, generatedFormat } from './generated-tenant.ts';
import type { TenantSeed } from './schema.ts';
import { type UnreadRecords, unreadRecords } from './seed-records.ts';

/** The extension of files that `partnerkit fixtures generate` writes. */
export const generatedTenantSuffix = '.tenant.jsonl';

const newline = 10;
const pieceLength = 1024 * 1024;

/**
 * Reads a generated tenant line by line. The checksum in the last line proves that the shapes of the records are right, so they
 * do not need @msw/data. References and unique ids are checked here. Records are read when somebody asks for them.
 * @throws ConfigurationError with the number of the line
 */
export async function loadGeneratedTenant(file: string): Promise<TenantSeed> {
  const refuse = (line: number, problem: string): never => {
    throw new ConfigurationError([
      `${file}:${line}: ${problem}; generate the file again, or write a tenant of your own as YAML`,
    ]);
  };
  await using handle = await open(file).catch((error: Error) => {
    throw new ConfigurationError([`${file}: ${fileProblem(error, 'read')}`]);
  });
  // One buffer for the whole file, because its lines stay: for a thousand buffers V8 would collect garbage again and again.
  const { size } = await handle.stat();
  const bytes = Buffer.allocUnsafeSlow(size);
  const hash = createHash('sha256');
  let head: GeneratedHead | undefined;
  let lines: GeneratedLines | undefined;
  let foot: GeneratedFoot | undefined;
  let number = 0;

  const take = (start: number, end: number) => {
    number++;
    if (foot !== undefined) refuse(number, 'there is text after the checksum');
    if (lines?.take(start, end)) return;
    const value = parse(start, end);
    if (lines === undefined) {
      if (!('format' in value) || value.format !== generatedFormat)
        return refuse(1, `not of the format ${generatedFormat}`);
      head = value;
      lines = new GeneratedLines(bytes, value.tenant, (problem) => refuse(number, problem));
    } else if ('sha256' in value) foot = value;
    else refuse(number, 'not a record of a tenant');
  };
  const parse = (start: number, end: number): GeneratedHead | GeneratedFoot => {
    try {
      return JSON.parse(bytes.toString('utf8', start, end));
    } catch {
      return refuse(number, otherEncoding(bytes.subarray(start, end)) ?? 'not a line of JSON');
    }
  };

  const piece = (at: number) => {
    const reading = handle.read(bytes, at, Math.min(pieceLength, size - at), at);
    // A line may be refused while the next piece is read.
    reading.catch(() => undefined);
    return reading;
  };
  let filled = 0;
  let start = 0;
  let reading = piece(filled);
  while (filled < size) {
    const { bytesRead } = await reading;
    if (bytesRead === 0) break;
    filled += bytesRead;
    // Another thread reads it while the lines of this one are taken.
    if (filled < size) reading = piece(filled);
    const read = bytes.subarray(0, filled);
    const from = start;
    let covered = start;
    for (let end = read.indexOf(newline, start); end >= 0; end = read.indexOf(newline, start)) {
      take(start, end + 1);
      start = end + 1;
      if (foot === undefined) covered = start;
    }
    // Hashed once for each piece, because a call for each line would take longer than the hash itself.
    hash.update(bytes.subarray(from, covered));
  }
  if (start < filled) take(start, filled);
  if (head === undefined || lines === undefined) return refuse(1, 'the file is empty');
  lines.sha256 = hash.digest('hex');
  if (foot?.sha256 !== lines.sha256) refuse(number, 'the file is cut off, or was changed since it was generated');
  const seed = readWhenAsked(head, lines);
  unreadRecords.set(seed, lines);
  return seed;
}

/** The whole tenant, for what needs all records of a kind: a copy of it, for example. */
function readWhenAsked({ tenant }: GeneratedHead, { clients, sites, conversations }: UnreadRecords): TenantSeed {
  const read: Partial<TenantSeed> = {};
  return {
    ...tenant,
    get clients() {
      read.clients ??= [...clients.values()];
      return read.clients;
    },
    get sites() {
      read.sites ??= [...sites.values()];
      return read.sites;
    },
    get conversations() {
      read.conversations ??= [...conversations.values()];
      return read.conversations;
    },
  };
}
