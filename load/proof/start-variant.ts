import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { TargetInput } from '../../spec/files/target.ts';

interface RunningVariant extends AsyncDisposable {
  /** A target for load runs against it. */
  readonly target: TargetInput;
  /** Ends it at once, as a crash would. */
  kill(): void;
}

/** Starts a variant of the mock in a process of its own. It shares no event loop with the load, and it can be killed. */
export async function startVariant(name: string, keys?: number): Promise<RunningVariant> {
  const script = join(import.meta.dirname, 'serve-variant.ts');
  const child = spawn(process.execPath, [script, name, ...(keys === undefined ? [] : [String(keys)])], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  const target = await new Promise<TargetInput>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (printed.endsWith('\n')) resolve(JSON.parse(printed));
    });
    child.once('exit', (code) => reject(new Error(`the mock "${name}" ended with ${code} before it listened`)));
  });
  return { target, kill: () => child.kill('SIGKILL'), [Symbol.asyncDispose]: () => stop(child) };
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}
