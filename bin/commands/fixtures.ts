import { writeFile } from 'node:fs/promises';
import type { Command } from '@commander-js/extra-typings';
import { generatedTenant } from '../../mock/seed/generated-tenant.ts';
import { generatedTenantSuffix } from '../../mock/seed/load.ts';
import { tenantTemplate } from '../../mock/seed/tenant-template.ts';
import { ConfigurationError, fileProblem } from '../../spec/files/configuration-error.ts';
import { schemaComment } from '../../spec/files/schema-comment.ts';
import { ownCommand, packaged } from '../../spec/package-facts.ts';
import { commandLine } from '../../spec/text/shell-quoted.ts';
import { numberOf, textOf } from '../option-values.ts';
import { sayWritten, writeOnce } from '../output/publish.ts';
import { addFromCommand } from './fidelity/from.ts';

const count = numberOf('a whole number from 1 to 99,999,999', (number) => number > 0, /^\d{1,8}$/);

const tenantName = textOf('lower-case letters, digits and hyphens', /^[a-z0-9][a-z0-9-]{0,62}$/);

/** `partnerkit fixtures`: writes a fixture file: a small commented tenant, or a large one from a seed. */
export function define(command: Command): void {
  withOptions(command).action((file, { tenant, conversations, ...flags }) =>
    conversations === undefined
      ? writeTemplate(file ?? 'fixtures.yaml', tenant ?? 'own', flags.force)
      : generate(file, { ...flags, conversations, tenant: tenant ?? 'large' }),
  );
  addFromCommand(command);
}

const withOptions = (command: Command) =>
  command
    .argument('[file]', 'file to write; default: fixtures.yaml, or standard output with --conversations')
    .option('--tenant <name>', 'name of the tenant; default: own, or large with --conversations', tenantName)
    .option('--conversations <number>', 'generate a tenant with this many conversations, one record a line', count)
    .option('--seed <number>', 'seed of the generator; the same seed gives the same file', count, 1)
    .option('--keys <number>', 'how many API keys the generated tenant has', count, 1)
    .option('--force', 'overwrite the file if it exists')
    .addHelpText('after', help);

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

async function generate(
  out: string | undefined,
  { force, ...options }: Parameters<typeof generatedTenant>[0] & { force?: boolean },
): Promise<void> {
  if (out === undefined) {
    for (const line of generatedTenant(options)) process.stdout.write(line);
    return;
  }
  if (!out.endsWith(generatedTenantSuffix))
    throw new ConfigurationError([`${out}: give a name that ends in ${generatedTenantSuffix}, so that it can be read`]);
  writeOnce(out, '', force);
  await writeFile(out, generatedTenant(options)).catch((error) => {
    throw new ConfigurationError([`${out}: ${fileProblem(error, 'written')}`]);
  });
  sayWritten([out]);
}
