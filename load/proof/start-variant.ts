import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TargetInput } from '../../spec/files/target.ts';

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
