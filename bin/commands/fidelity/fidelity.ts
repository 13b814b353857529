import type { Command } from '@commander-js/extra-typings';
import type { History } from '../../../conformance/history/history.ts';
import { judge } from '../../../conformance/index.ts';
import { profileOf } from '../../../conformance/profile.ts';
import { measureFidelity } from '../../../fidelity/fidelity.ts';
import { fidelityFormats } from '../../../fidelity/report.ts';
import { writeProfile } from '../../../spec/files/profile.ts';
import { readProfile } from '../../mock-files.ts';
import { type FlagsOf, parser } from '../../option-values.ts';
import { assertWritable, publish } from '../../output/publish.ts';
import { reportOption } from '../report-option.ts';
import { readRecorded } from './recorded.ts';

const percentage = parser('a share such as 99% or 99.5%', (text) => {
  const number = /^\d+(?:\.\d+)?%$/.test(text) ? Number.parseFloat(text) : 101;
  return number > 100 ? undefined : number / 100;
});

/** `partnerkit fidelity`: how like a recorded deployment the mock is. */
export const define = (command: Command) => withOptions(command).action(start);

const withOptions = (command: Command) =>
  command
    .argument('<recording>', 'file that `conformance run --history` has written, or a HAR of the traffic of a client')
    .option('--profile <file>', 'profile of the deployment, with which the mock answers')
    .option('--at-least <share>', 'exit with 1 if fewer replies are alike, such as 99%', percentage)
    .option('--write-profile <file>', 'learn a profile from every difference that the mock can imitate')
    .option('--json', 'print the JSON report instead of text')
    .addOption(reportOption(['json', 'html', 'badge', 'text']))
    .addHelpText('after', help);

const help = `
Replays every recorded exchange against a mock in virtual time that was set up from the recording, and compares reply by reply. Sends nothing.
Exit codes: 0 as many are alike as --at-least wants, 1 fewer are, 2 usage or configuration, 3 nothing could be compared.

Examples:
  partnerkit fidelity staging.jsonl --write-profile staging.profile.yaml
  partnerkit fidelity staging.jsonl --profile staging.profile.yaml --at-least 99% --report html=fidelity.html`;

async function start(file: string, flags: FlagsOf<typeof withOptions>): Promise<void> {
  await assertWritable(flags.report, [flags.writeProfile]);
  const profile = await readProfile(flags.profile);
  const { recording, history } = readRecorded(file);
  const learnFrom = flags.writeProfile === undefined ? undefined : (profile ?? observedIn(history));
  const report = await measureFidelity(recording, {
    source: file,
    profile,
    atLeast: flags.atLeast,
    learnFrom,
  });
  if (flags.writeProfile !== undefined && report.learned !== null)
    writeProfile(flags.writeProfile, report.learned.profile);
  const text = flags.json ? fidelityFormats.json(report) : fidelityFormats.text(report);
  await publish(report, { text, files: flags.report, formats: fidelityFormats, more: [flags.writeProfile] });
}

/** What the rules of a conformance run say where the specification is silent. */
const observedIn = (history: History | null) =>
  history === null ? {} : profileOf(judge(history), history.known.target);
