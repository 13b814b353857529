import type { Command } from '@commander-js/extra-typings';
import { loadTarget } from '../../spec/files/target.ts';
import { packageRoot } from '../../spec/package-facts.ts';
import { examineK6, examineTarget, ok } from '../doctor/examine.ts';
import type { FlagsOf } from '../option-values.ts';

/** `partnerkit doctor`: says what this machine and a deployment lack. */
export const define = (command: Command) => withOptions(command).action(start);

const withOptions = (command: Command) =>
  command
    .option('--target <file>', 'also check this deployment: its address, its clock, and that the target file is true')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing to do, 1 something to do, 2 usage or configuration.\n\nExample:\n  partnerkit doctor --target target.yaml',
    );

async function start({ target, json = false }: FlagsOf<typeof withOptions>): Promise<void> {
  // Another Node than a supported one does not get here.
  const findings = [ok('Node', process.versions.node), await examineK6(process.env, packageRoot())];
  if (target !== undefined) findings.push(...(await examineTarget(loadTarget(target))));
  const width = Math.max(...findings.map(({ what }) => what.length));
  const lines = findings.map(({ state, what, text }) => `${state.padEnd(9)} ${what.padEnd(width)}  ${text}\n`);
  process.stdout.write(json ? `${JSON.stringify(findings, null, 2)}\n` : lines.join(''));
  process.exitCode = findings.some(({ state }) => state === 'to do') ? 1 : 0;
}
