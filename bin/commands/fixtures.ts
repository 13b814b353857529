import { createWriteStream } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { fileProblem } from '../../spec/files/file-problem.ts';
import { schemaComment } from '../../spec/files/schema-comment.ts';
import { ownCommand } from '../../spec/own-command.ts';
import { packaged } from '../../spec/packaged.ts';
import { commandLine } from '../../spec/text/shell-quoted.ts';
import { writeOnce } from '../write-once.ts';

interface GenerateFlags {
  readonly conversations: number;
  readonly seed: number;
  readonly tenant: string;
  readonly keys: number;
  readonly out?: string;
}

interface InitFlags {
  readonly tenant: string;
  readonly force?: boolean;
}

/** `partnerkit fixtures`: writes fixture files. */
export function fixturesCommand(command: Command): void {
  command.addHelpText('after', '\nExample:\n  partnerkit fixtures init my-fixtures.yaml');
  command
    .command('init')
    .argument('[file]', 'file to write', 'fixtures.yaml')
    .description('write a small commented tenant as a start')
    .option('--tenant <name>', 'name of the tenant', tenantName, 'own')
    .option('--force', 'overwrite the file if it exists')
    .action(init);
  command
    .command('generate')
    .description('generate a large tenant as a file for `partnerkit mock --fixtures`')
    .option('--conversations <number>', 'how many conversations the tenant has', count, 1_000)
    .option('--seed <number>', 'seed of the generator; the same seed gives the same file', count, 1)
    .option('--tenant <name>', 'name of the tenant', tenantName, 'large')
    .option('--keys <number>', 'how many API keys the tenant has', count, 1)
    .option('--out <file>', 'file to write, with a name that ends in .tenant.jsonl (default: standard output)')
    .addHelpText('after', '\nExample:\n  partnerkit fixtures generate --conversations 100000 --out large.tenant.jsonl')
    .action(generate);
}

async function init(file: string, { tenant, force }: InitFlags): Promise<void> {
  const { tenantTemplate } = await import('../../mock/seed/tenant-template.ts');
  const schema = packaged('mock/seed/tenant.schema.json');
  writeOnce(file, schemaComment(file, schema) + tenantTemplate(tenant), force);
  process.stdout.write(
    `${file} was written. Edit it, then serve it:\n  ${commandLine([...ownCommand(), 'mock', '--fixtures', file])}\n`,
  );
}

async function generate({ out, ...options }: GenerateFlags): Promise<void> {
  const [{ Readable }, { pipeline }, { generatedTenant }, { generatedTenantSuffix }] = await Promise.all([
    import('node:stream'),
    import('node:stream/promises'),
    import('../../mock/seed/generated-tenant.ts'),
    import('../../mock/seed/load-generated-tenant.ts'),
  ]);
  if (out !== undefined && !out.endsWith(generatedTenantSuffix)) {
    throw new ConfigurationError([
      `--out ${out}: give a name that ends in ${generatedTenantSuffix}, so that it can be read back`,
    ]);
  }
  const target = out === undefined ? process.stdout : createWriteStream(out);
  await pipeline(Readable.from(inChunks(generatedTenant(options))), target, { end: out !== undefined }).catch(
    (error: NodeJS.ErrnoException) => {
      // The reader of standard output may close the pipe early. That is not an error.
      if (error.code === 'EPIPE') return;
      throw new ConfigurationError([`${out ?? 'standard output'}: ${fileProblem(error, 'written')}`]);
    },
  );
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
