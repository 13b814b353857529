import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TargetInput } from '../../spec/files/target.ts';
import { runLoad } from '../index.ts';
import type { LoadReport } from '../report/report-schema.ts';
import { type PreparedRun, prepareRun } from '../run/prepare-run.ts';

interface RunningVariant extends AsyncDisposable {
  /** A target for load runs against it. */
  readonly target: TargetInput;
  /** Ends it at once, as a crash would. */
  kill(): void;
}

/** Starts a variant of the mock in a process of its own. It shares no event loop with the load, and it can be killed. */
export async function startVariant(name: string, keys = 0): Promise<RunningVariant> {
  const script = join(import.meta.dirname, 'serve-variant.ts');
  const child = spawn(process.execPath, [script, name, String(keys)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  let printed = '';
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    printed += text;
    if (printed.endsWith('\n')) break;
  }
  const kill = () => child.kill('SIGKILL');
  return {
    target: JSON.parse(printed),
    kill,
    async [Symbol.asyncDispose]() {
      kill();
      await ended;
    },
  };
}

export interface Trial {
  readonly scenario: string;
  readonly target: TargetInput;
  /** Seconds of the main phase. */
  readonly duration?: number | undefined;
}

/** Everything is on this machine, so any amount is allowed. */
const allowance = { maxRps: 1e6, maxRequests: 1e9, yes: false, allowLeftovers: true };
const choices = { allowance, env: process.env, where: 'target' };

/** Prepares a scenario against a mock on this machine. */
export const prepareTrial = ({ scenario, target, duration }: Trial): PreparedRun =>
  prepareRun(target, scenario, { ...choices, duration });

/** Runs a scenario against a mock on this machine, with the k6 of this machine. */
export const tryScenario = ({ scenario, target, duration }: Trial): Promise<LoadReport> =>
  runLoad(target, scenario, { ...choices, duration });
