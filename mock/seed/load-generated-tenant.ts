import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { fileProblem } from '../../spec/files/file-problem.ts';
import { otherEncoding } from '../../spec/text/utf8-text.ts';
import { type GeneratedFoot, type GeneratedHead, type GeneratedRecord, generatedFormat } from './generated-tenant.ts';
import type { TenantSeed } from './schema.ts';

/** The extension of files that `partnerkit fixtures --conversations` writes. */
export const generatedTenantSuffix = '.tenant.jsonl';

const newline = 10;

/**
 * Reads a generated tenant. Its records are not checked one by one: the checksum in the last line proves that they are as they
 * were generated.
 * @throws ConfigurationError with the number of the line
 */
export async function loadGeneratedTenant(file: string): Promise<TenantSeed> {
  const refuse = (line: number, problem: string): never => {
    throw new ConfigurationError([
      `${file}:${line}: ${problem}; generate the file again, or write a tenant of your own as YAML`,
    ]);
  };
  const bytes = await readFile(file).catch((error: Error) => {
    throw new ConfigurationError([`${file}: ${fileProblem(error, 'read')}`]);
  });
  if (bytes.length === 0) refuse(1, 'the file is empty');
  const parse = (number: number, start: number, end: number) => {
    try {
      return JSON.parse(bytes.toString('utf8', start, end));
    } catch {
      return refuse(number, otherEncoding(bytes.subarray(start, end)) ?? 'not a line of JSON');
    }
  };

  const firstEnd = bytes.indexOf(newline);
  const head: GeneratedHead = parse(1, 0, firstEnd < 0 ? bytes.length : firstEnd);
  if (head.format !== generatedFormat) refuse(1, `not of the format ${generatedFormat}`);
  const footStart = bytes.lastIndexOf(newline, bytes.length - 2) + 1;
  const sha256 = createHash('sha256').update(bytes.subarray(0, footStart)).digest('hex');
  let number = 2;
  const clients: TenantSeed['clients'] = [];
  const sites: TenantSeed['sites'] = [];
  const conversations: TenantSeed['conversations'] = [];
  for (let start = firstEnd + 1; start > 0 && start < bytes.length; number++) {
    const end = bytes.indexOf(newline, start) + 1 || bytes.length;
    const value: GeneratedRecord | GeneratedFoot = parse(number, start, end);
    if ('sha256' in value) {
      if (end < bytes.length) refuse(number + 1, 'there is text after the checksum');
      if (value.sha256 === sha256) return { ...head.tenant, clients, sites, conversations };
    } else if ('client' in value) clients.push(value.client);
    else if ('site' in value) sites.push(value.site);
    else if ('conversation' in value) conversations.push(value.conversation);
    else refuse(number, 'not a record of a tenant');
    start = end;
  }
  return refuse(number - 1, 'the file is cut off, or was changed since it was generated');
}
