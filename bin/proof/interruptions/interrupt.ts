import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileJournal } from '../../../conformance/journal/file-journal.ts';
import { stateOf } from '../../../conformance/proof/jobs/killed-run.ts';
import { type Step, slowFront } from '../../../mock/proof/slow-front.ts';
import { mockTarget } from '../../../spec/proof/mock-target.ts';
import { saidBy, temporaryFolder } from '../../../spec/proof/processes.ts';
import { program } from '../../release/program.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGKILL'] as const;
const commands = {
  conformance: ['conformance', 'run', '--only', 'labels', '--timeout', '2s', '--journal', 'journal'],
  load: ['load', 'run', 'labels', '--duration', '3s'],
} as const;
/** Milliseconds by which the deployment delays writes. Writes that restore a label once overtook delayed writes. */
const deployments = { ordinary: 0, slow: 1_200 } as const;

/** When and how a run is interrupted: by which signal, before or after which of its writes is executed. */
interface Point {
  readonly command: keyof typeof commands;
  readonly deployment: keyof typeof deployments;
  readonly signal: (typeof signals)[number];
  readonly write: number;
  readonly step: Step;
}

/** So many points of a command: each signal before and after a write is executed, each time at a later write. A load run has twelve. */
export const points = (command: Point['command'], deployment: Point['deployment'], count: number): Point[] =>
  Array.from({ length: count }, (_, n) => ({
    command,
    deployment,
    signal: signals[n % signals.length] ?? 'SIGINT',
    write: 1 + (command === 'load' ? Math.floor(n / (2 * signals.length)) % 12 : n % 180),
    step: n % 2 === 0 ? 'arrived' : 'done',
  }));

const run = (cwd: string, args: readonly string[]) =>
  spawn(process.execPath, [program, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });

/**
 * Interrupts a real run, cleans up, and compares the whole state of the deployment.
 * @returns a sentence about what differs afterwards, or why the run ended before that write; null if nothing differs
 */
export async function interrupt({ command, deployment, signal, write, step }: Point): Promise<string | null> {
  using folder = temporaryFolder('interrupted');
  let child: ReturnType<typeof run> | undefined;
  let interrupted = false;
  await using front = await slowFront(deployments[deployment], (at, now) => {
    if (interrupted || at !== write || now !== step) return;
    interrupted = true;
    child?.kill(signal);
  });
  const target = mockTarget(front.url, { perSecond: 1000, burst: 1000 });
  writeFileSync(folder.at('target.json'), JSON.stringify(target));
  const before = await stateOf(front.mock);
  child = run(folder.path, [...commands[command], '--target', 'target.json']);
  const { said } = await saidBy(child);
  if (!interrupted) return `ended before that write: ${said.trim().slice(-300)}`;
  const journal = command === 'load' ? '.partnerkit' : 'journal';
  const cleanup = ['conformance', 'cleanup', '--target', 'target.json', '--journal', journal];
  const cleaned = await saidBy(run(folder.path, cleanup));
  // By then the mock has forgotten uploads that were started and never registered.
  const after = await stateOf(front.mock);
  const changed = Object.keys(before).filter(
    (name) => name !== 'clock' && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const rest = await fileJournal(folder.at(journal), target.baseUrl).pending();
  if (changed.length === 0 && cleaned.code === 0 && rest.length === 0) return null;
  return `changed: ${changed.join(', ') || 'nothing'}; cleanup ended with ${cleaned.code}; journal: ${rest.length} entries; ${cleaned.said.trim().slice(-300)}`;
}
