import { type Command, InvalidArgumentError, Option } from 'commander';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import { schemaComment } from '../../../spec/files/schema-comment.ts';
import { packaged } from '../../../spec/package-facts.ts';
import { writeOnce } from '../../output/publish.ts';

interface InitFlags {
  readonly owner: string;
  readonly reason: string;
  readonly expires: string;
  readonly force?: boolean;
}

/** `partnerkit conformance waivers`: writes waivers for known failures. */
export function addWaiversCommand(group: Command): void {
  group
    .command('waivers')
    .argument('<report>', 'JSON report of the run with the known failures')
    .argument('[file]', 'file to write', 'waivers.yaml')
    .description('excuse the failures of a run until a date: write a waiver for each, for `run --waivers`')
    .requiredOption('--owner <name>', 'who is responsible for fixing the failures')
    .option('--reason <text>', 'why the failures are accepted for now', 'known when waivers were introduced')
    .addOption(
      new Option('--expires <date>', 'last day on which the failures are excused')
        .default(inDays(30), 'in 30 days')
        .argParser(date),
    )
    .option('--force', 'overwrite the file if it exists')
    .addHelpText('after', '\nExample:\n  partnerkit conformance waivers report.json --owner dana')
    .action(write);
}

async function write(report: string, file: string, { owner, reason, expires, force }: InitFlags): Promise<void> {
  const [{ readReport }, { parseWaivers }, { stringify }] = await Promise.all([
    import('../../../conformance/reports/read-report.ts'),
    import('../../../spec/files/waivers.ts'),
    import('yaml'),
  ]);
  const failed = readReport(report).rows.filter(({ outcome }) => outcome === 'fail');
  if (failed.length === 0)
    throw new ConfigurationError([`${report}: no law failed in that run, so no waiver is needed`]);
  const waivers = parseWaivers({ waivers: failed.map(({ id }) => ({ id, reason, owner, expires })) }, 'waivers');
  const schema = packaged('spec/files/waivers.schema.json');
  writeOnce(file, schemaComment(file, schema) + stringify({ waivers }), force);
  process.stdout.write(
    `${file} excuses these failures until ${expires}:\n${failed.map(({ id }) => `  ${id}\n`).join('')}` +
      `Write the reason of each into the file, then run with --waivers ${file}\n`,
  );
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

function date(value: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(value) || Number.isNaN(Date.parse(value)))
    throw new InvalidArgumentError('Give a date such as 2026-12-31.');
  return value;
}
