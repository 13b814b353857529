import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { Stopped } from '../../conformance/client/ask.ts';
import { counted } from '../../conformance/counted.ts';
import type { Exchange } from '../../conformance/history/exchange.ts';
import { loadTarget, nodeEnvironment } from '../../conformance/index.ts';
import { withMadeTexts } from '../../fidelity/made-texts.ts';
import { readTarget } from '../../fidelity/read-target.ts';
import type { Recording } from '../../fidelity/recording.ts';
import { seenIn } from '../../fidelity/seen.ts';
import { generatedTenant } from '../../mock/seed/generated-tenant.ts';
import { generatedTenantSuffix } from '../../mock/seed/load.ts';
import { tenantTemplate } from '../../mock/seed/tenant-template.ts';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { schemaComment } from '../../spec/files/schema-comment.ts';
import { interruption } from '../../spec/interruption.ts';
import { ownCommand, packaged } from '../../spec/package-facts.ts';
import { commandLine } from '../../spec/text/shell-quoted.ts';
import { terminalLine } from '../../spec/text/terminal-text.ts';
import { yamlText } from '../../spec/text/yaml-text.ts';
import { type FlagsOf, numberOf, textOf } from '../option-values.ts';
import { sayWritten, writeOnce } from '../output/publish.ts';
import { readRecorded } from '../recorded.ts';
import { addRenamed } from '../renamed.ts';

const count = numberOf('a whole number from 1 to 99,999,999', (number) => number > 0, /^\d{1,8}$/);

const tenantName = textOf('lower-case letters, digits and hyphens', /^[a-z0-9][a-z0-9-]{0,62}$/);

/** `partnerkit fixtures`: writes a fixture file: a small commented tenant, or a large one from a seed. */
export function define(command: Command): void {
  withOptions(command).action((file, { tenant, conversations, ...flags }) =>
    conversations === undefined
      ? writeTemplate(file ?? 'fixtures.yaml', tenant ?? 'own', flags.force)
      : generate(file, { ...flags, conversations, tenant: tenant ?? 'large' }),
  );
  const from = command
    .command('from')
    .description('write a fixture file of each tenant that was seen, with made texts');
  // The options of the group have the same names, and come first otherwise.
  withFromOptions(from).action((source, _, from) => writeSeen(source, from.optsWithGlobals()));
  addRenamed(command, { init: 'fixtures FILE', generate: 'fixtures FILE --conversations NUMBER' });
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

const withFromOptions = (command: Command) =>
  command
    .argument('<source>', 'history of a conformance run, HAR of the traffic of a client, or target file to read from')
    .option('--into <folder>', 'folder of the files, each called like its tenant', 'fixtures')
    .option('--keep-texts', 'keep names, addresses, subjects, messages and all other texts as they are')
    .option('--replace-ids', 'replace ids, too; the same id by the same one everywhere')
    .option('--force', 'overwrite files that exist')
    .addHelpText('after', fromHelp);

const help = `
Examples:
  partnerkit fixtures my-fixtures.yaml --tenant umbrella
  partnerkit fixtures large.tenant.jsonl --conversations 100000`;

const fromHelp = `
From a target file it reads what the keys of each tenant may read, at their pace; it writes nothing there.

Examples:
  partnerkit fixtures from staging.jsonl
  partnerkit fixtures from staging.yaml --into fixtures/staging --replace-ids`;

async function writeSeen(source: string, { into, force, ...made }: FlagsOf<typeof withFromOptions>): Promise<void> {
  const { recording, unread } = await recordedOrRead(source);
  const { seeds, left } = await seenIn(recording);
  const schema = packaged('mock/seed/tenant.schema.json');
  const written = (await withMadeTexts(seeds, made)).map((seed) => {
    const file = join(into, `${seed.tenant}.yaml`);
    writeOnce(file, schemaComment(file, schema) + yamlText(seed), force);
    const counts = (['conversation', 'site', 'client', 'label', 'key'] as const).map((kind) =>
      counted(seed[`${kind}s`].length, kind),
    );
    return `${file}: ${counts.join(', ')}`;
  });
  const unheld = [...[...left].map(([what, times]) => `${what} (${times})`), ...unread];
  const lines = [
    ...written,
    ...(unheld.length > 0 ? ['Not in these files:', ...unheld.map((what) => `  ${what}`)] : []),
    'Serve them, with the profile of the same deployment if you have one:',
    `  ${commandLine([...ownCommand(), 'mock', '--fixtures', into])}`,
  ];
  process.stdout.write(lines.map((line) => `${terminalLine(line)}\n`).join(''));
}

async function recordedOrRead(source: string): Promise<{ recording: Recording; unread: readonly string[] }> {
  if (!/\.ya?ml$/i.test(source)) return { ...readRecorded(source), unread: [] };
  const target = loadTarget(source);
  using environment = nodeEnvironment(target);
  using interrupted = interruption();
  const onRead = ({ method, url, status }: Exchange) =>
    process.stderr.write(`${terminalLine(`${method} ${url} ${status ?? 'no reply'}`)}\n`);
  try {
    return await readTarget(target, { environment, signal: interrupted.signal, onRead });
  } catch (error) {
    if (error instanceof Stopped) throw new ConfigurationError([`${source}: ${error.message}; nothing was written`]);
    throw error;
  }
}

function writeTemplate(file: string, tenant: string, force?: boolean): void {
  const schema = packaged('mock/seed/tenant.schema.json');
  writeOnce(file, schemaComment(file, schema) + tenantTemplate(tenant), force);
  process.stdout.write(
    `${file} was written. Edit it, then serve it:\n  ${commandLine([...ownCommand(), 'mock', '--fixtures', file])}\n`,
  );
}

function generate(
  out: string | undefined,
  { force, ...options }: Parameters<typeof generatedTenant>[0] & { force?: boolean },
): void {
  if (out === undefined) {
    for (const line of generatedTenant(options)) process.stdout.write(line);
    return;
  }
  if (!out.endsWith(generatedTenantSuffix))
    throw new ConfigurationError([`${out}: give a name that ends in ${generatedTenantSuffix}, so that it can be read`]);
  writeOnce(out, '', force);
  const file = openSync(out, 'a');
  for (const line of generatedTenant(options)) writeSync(file, line);
  sayWritten([out]);
}
