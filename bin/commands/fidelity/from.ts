import { join } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { Stopped } from '../../../conformance/client/ask.ts';
import { counted } from '../../../conformance/counted.ts';
import type { Exchange } from '../../../conformance/history/exchange.ts';
import { loadTarget, nodeEnvironment } from '../../../conformance/index.ts';
import { withMadeTexts } from '../../../fidelity/made-texts.ts';
import { readTarget } from '../../../fidelity/read-target.ts';
import type { Recording } from '../../../fidelity/recording.ts';
import { seenIn } from '../../../fidelity/seen.ts';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import { schemaComment } from '../../../spec/files/schema-comment.ts';
import { interruption } from '../../../spec/interruption.ts';
import { ownCommand, packaged } from '../../../spec/package-facts.ts';
import { commandLine } from '../../../spec/text/shell-quoted.ts';
import { terminalLine } from '../../../spec/text/terminal-text.ts';
import { yamlText } from '../../../spec/text/yaml-text.ts';
import type { FlagsOf } from '../../option-values.ts';
import { writeOnce } from '../../output/publish.ts';
import { readRecorded } from './recorded.ts';

/** `partnerkit fixtures from`: writes a fixture file of each tenant of a deployment. */
export function addFromCommand(fixtures: Command): void {
  const from = fixtures
    .command('from')
    .description('write a fixture file of each tenant that was seen, with made texts');
  // The options of the group have the same names, and come first otherwise.
  withOptions(from).action((source, _, from) => writeSeen(source, from.optsWithGlobals()));
}

const withOptions = (command: Command) =>
  command
    .argument('<source>', 'history of a conformance run, HAR of the traffic of a client, or target file to read from')
    .option('--into <folder>', 'folder of the files, each called like its tenant', 'fixtures')
    .option('--keep-texts', 'keep names, addresses, subjects, messages and all other texts as they are')
    .option('--replace-ids', 'replace ids, too; the same id by the same one everywhere')
    .option('--force', 'overwrite files that exist')
    .addHelpText('after', help);

const help = `
From a target file it reads what the keys of each tenant may read, at their pace; it writes nothing there.

Examples:
  partnerkit fixtures from staging.jsonl
  partnerkit fixtures from staging.yaml --into fixtures/staging --replace-ids`;

async function writeSeen(source: string, { into, force, ...made }: FlagsOf<typeof withOptions>): Promise<void> {
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
  const onExchange = ({ method, url, status }: Exchange) =>
    process.stderr.write(`${terminalLine(`${method} ${url} ${status ?? 'no reply'}`)}\n`);
  try {
    return await readTarget(target, { environment, signal: interrupted.signal, onExchange });
  } catch (error) {
    if (error instanceof Stopped) throw new ConfigurationError([`${source}: ${error.message}; nothing was written`]);
    throw error;
  }
}
