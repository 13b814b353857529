import type { Command } from '@commander-js/extra-typings';
import { fileJournal, loadTarget, nodeEnvironment } from '../../../conformance/index.ts';
import { compareDeployments } from '../../../fidelity/compare/compare.ts';
import { mockSide } from '../../../fidelity/compare/mock-side.ts';
import { comparedJson, comparedText } from '../../../fidelity/compare/text.ts';
import { interruption } from '../../../spec/interruption.ts';
import { packageVersion } from '../../../spec/package-facts.ts';
import { readProfile, readSeeds } from '../../mock-files.ts';
import { duration, type FlagsOf, positiveInteger } from '../../option-values.ts';
import { anotherRun, showProgress } from '../../output/progress.ts';

/** `partnerkit compare A B`: in which ways two deployments answer the same sequences of requests differently. */
export const define = (command: Command) => withOptions(command).action(start);

const withOptions = (command: Command) =>
  command
    .argument('<a>', 'target file of a deployment')
    .argument('<b>', 'target file of another deployment, or the word `mock`')
    .option('--profile <file>', 'with `mock`: behave like the deployment that this profile describes')
    .option('--fixtures <path>', 'with `mock`: the tenants of A, as `partnerkit fixtures from` writes them')
    .option('--read-only', 'write nothing')
    .option('--allow-leftovers', 'also register files, which the API cannot delete')
    .option('--seed <number>', 'decides which sequences are sent', positiveInteger, 1)
    .option('--sequences <number>', 'how many sequences are sent', positiveInteger, 100)
    .option('--steps <number>', 'the longest sequence', positiveInteger, 10)
    .option('--max-duration <duration>', 'end the search within this time, such as 5m', duration)
    .option('--journal <folder>', 'folder of the journal that keeps writes until they are undone', '.partnerkit')
    .option('--json', 'print JSON')
    .addHelpText('after', help);

type CompareFlags = FlagsOf<typeof withOptions>;

const help = `
Sends the same random sequences of requests to both, now, and prints the shortest sequence that shows each difference, once.
\`partnerkit conformance compare\` compares the verdicts of two runs. Both deployments are left as they were.

Exit codes: 0 alike, 1 they differ, 2 usage, configuration, or a target file that does not match its deployment,
3 nothing could be compared, or the search was interrupted before it found a difference.

Examples:
  partnerkit compare staging.yaml production.yaml --read-only
  partnerkit compare staging.yaml mock --profile staging.profile.yaml --fixtures staging-fixtures`;

async function start(a: string, b: string, flags: CompareFlags): Promise<void> {
  const deployment = (file: string) => {
    const target = loadTarget(file);
    const environment = nodeEnvironment(target);
    return {
      target,
      environment,
      journal: fileJournal(flags.journal, target.baseUrl),
      [Symbol.asyncDispose]: async () => environment.close(),
    };
  };
  await using first = deployment(a);
  const mock = b === 'mock';
  await using second = mock
    ? await mockSide(first.target, await readSeeds(flags.fixtures), await readProfile(flags.profile))
    : deployment(b);
  using progress = showProgress('sequences');
  using interrupted = interruption(() => progress.say('Interrupted: undoing changes.'));
  const result = await compareDeployments(first, second, {
    ...flags,
    kit: packageVersion(),
    signal: interrupted.signal,
    onWait: (other) => progress.say(`${anotherRun(other)}: this one begins when that has ended.`),
    onProgress: (sequences, found) => progress.show(sequences, flags.sequences, `${found} differences`),
  });
  progress.end();
  const named = [
    { name: a, target: first.target },
    { name: mock ? mockCommand(flags) : b, target: second.target, ...(mock && { printed: 'http://127.0.0.1:4010' }) },
  ] as const;
  const shown = flags.json
    ? `${JSON.stringify(comparedJson(result, ...named), null, 2)}\n`
    : comparedText(result, ...named);
  process.stdout.write(shown);
  const { alike, differ } = result.replies;
  process.exitCode = result.ways.length > 0 ? 1 : result.stopped !== null || alike + differ === 0 ? 3 : 0;
}

/** How the mock is started that the printed commands go to. */
const mockCommand = ({ fixtures, profile }: CompareFlags) =>
  ['partnerkit mock --no-rate-limit', fixtures && `--fixtures ${fixtures}`, profile && `--profile ${profile}`]
    .filter(Boolean)
    .join(' ');
