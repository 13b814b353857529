import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { generatedTenant } from '../../mock/seed/generated-tenant.ts';
import { generatedTenantSuffix } from '../../mock/seed/load.ts';
import { tenantTemplate } from '../../mock/seed/tenant-template.ts';
import { ConfigurationError, fileProblem } from '../../spec/files/configuration-error.ts';
import { schemaComment } from '../../spec/files/schema-comment.ts';
import { ownCommand, packaged } from '../../spec/package-facts.ts';
import { commandLine } from '../../spec/text/shell-quoted.ts';
import { sayWritten, writeOnce } from '../output/publish.ts';
import { addRenamed } from '../renamed.ts';

interface FixturesFlags {
  readonly tenant?: string;
  readonly conversations?: number;
  readonly seed: number;
  readonly keys: number;
  readonly force?: boolean;
}

type GenerateOptions = Required<Omit<FixturesFlags, 'force'>> & Pick<FixturesFlags, 'force'>;

/** `partnerkit fixtures`: writes a fixture file: a small commented tenant, or a large one from a seed. */
export function define(command: Command): void {
  command
    .argument('[file]', 'file to write; default: fixtures.yaml, or standard output with --conversations')
    .option('--tenant <name>', 'name of the tenant; default: own, or large with --conversations', tenantName)
    .option('--conversations <number>', 'generate a tenant with this many conversations, one record a line', count)
    .option('--seed <number>', 'seed of the generator; the same seed gives the same file', count, 1)
    .option('--keys <number>', 'how many API keys the generated tenant has', count, 1)
    .option('--force', 'overwrite the file if it exists')
    .addHelpText('after', help)
    .action((file: string | undefined, { tenant, conversations, ...flags }: FixturesFlags) =>
      conversations === undefined
        ? writeTemplate(file ?? 'fixtures.yaml', tenant ?? 'own', flags.force)
        : generate(file, { ...flags, conversations, tenant: tenant ?? 'large' }),
    );
  addRenamed(command, { init: 'fixtures FILE', generate: 'fixtures FILE --conversations NUMBER' });
}

const help = `
Examples:
  partnerkit fixtures my-fixtures.yaml --tenant umbrella
  partnerkit fixtures large.tenant.jsonl --conversations 100000`;

function writeTemplate(file: string, tenant: string, force?: boolean): void {
  const schema = packaged('mock/seed/tenant.schema.json');
  writeOnce(file, schemaComment(file, schema) + tenantTemplate(tenant), force);
  process.stdout.write(
    `${file} was written. Edit it, then serve it:\n  ${commandLine([...ownCommand(), 'mock', '--fixtures', file])}\n`,
  );
}

async function generate(out: string | undefined, { force, ...options }: GenerateOptions): Promise<void> {
  if (out !== undefined && !out.endsWith(generatedTenantSuffix))
    throw new ConfigurationError([`${out}: give a name that ends in ${generatedTenantSuffix}, so that it can be read`]);
  if (out !== undefined) writeOnce(out, '', force);
  const lines = Readable.from(inChunks(generatedTenant(options)));
  const ended =
    out === undefined ? pipeline(lines, process.stdout, { end: false }) : pipeline(lines, createWriteStream(out));
  await ended.catch((error: NodeJS.ErrnoException) => {
    // The reader of standard output may close the pipe early. That is not an error.
    if (error.code === 'EPIPE') return;
    throw new ConfigurationError([`${out ?? 'standard output'}: ${fileProblem(error, 'written')}`]);
  });
  if (out !== undefined) sayWritten([out]);
}

/** Joins lines to larger chunks, because a stream is slow for small ones. */
function* inChunks(lines: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const line of lines) {
    chunk += line;
    if (chunk.length < 64 * 1024) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

function count(value: string): number {
  if (!/^[1-9]\d{0,7}$/.test(value)) throw new InvalidArgumentError('Give a whole number from 1 to 99,999,999.');
  return Number(value);
}

function tenantName(value: string): string {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(value)) {
    throw new InvalidArgumentError('Give lower-case letters, digits and hyphens.');
  }
  return value;
}
