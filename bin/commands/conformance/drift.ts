import type { Command } from 'commander';
import { addPerformOptions, type PerformFlags, perform } from './running/perform.ts';
import { told } from './running/told.ts';
import { requiredTarget } from './selection-options.ts';

interface DriftFlags extends PerformFlags {
  readonly profile: string;
  readonly allowNotRun?: boolean;
  readonly json?: boolean;
}

/** `partnerkit conformance drift`: compares a deployment with its profile. */
export function addDriftCommand(group: Command): void {
  addPerformOptions(
    group
      .command('drift')
      .description('check whether a deployment still behaves as its profile says where the specification is silent'),
  )
    .requiredOption('--profile <file>', 'profile that `conformance run --write-profile` has written')
    .option('--allow-not-run', 'do not exit with 3 if some recorded answers were not seen this time')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action((flags: DriftFlags) => told(() => start(flags)));
}

const help = `
Exit codes: 0 all recorded answers are the same, 1 a recorded answer has changed, 2 usage or configuration, 3 nothing has
changed, but some recorded answers were not seen. It does not report broken rules; \`conformance run\` does.

Example:
  partnerkit conformance drift --target staging.yaml --profile staging.profile.yaml`;

async function start(flags: DriftFlags): Promise<void> {
  const [{ loadTarget }, { loadProfile }, { driftOf, driftText }, { profileOf }] = await Promise.all([
    import('../../../conformance/index.ts'),
    import('../../../spec/files/profile.ts'),
    import('../../../conformance/reports/earlier/drift.ts'),
    import('../../../conformance/reports/profile-of.ts'),
  ]);
  const recorded = loadProfile(flags.profile);
  const target = loadTarget(requiredTarget(flags));
  const drift = driftOf(recorded, profileOf(await perform(target, flags), target));
  process.stdout.write(flags.json ? `${JSON.stringify(drift, null, 2)}\n` : driftText(drift));
  process.exitCode = drift.changed.length > 0 ? 1 : drift.unseen.length > 0 && !flags.allowNotRun ? 3 : 0;
}
