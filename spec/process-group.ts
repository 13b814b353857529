import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

interface GroupOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Whether the program is a line for the shell. */
  readonly shell?: boolean;
  /** For stdin. */
  readonly input?: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly onOutput: (piece: Buffer, stream: 'stdout' | 'stderr') => void;
}

/** Milliseconds between SIGTERM and SIGKILL, and for streams that a background process holds open. */
const [killDelay, closeDelay] = [1_500, 200];

const hasGroups = process.platform !== 'win32';
const groups = new Set<ChildProcess>();
// However this process ends, no program outlives it.
process.on('exit', () => {
  for (const child of groups) killGroup(child, 'SIGKILL');
});

/**
 * Runs a program in a process group of its own, until it ends, is out of time or `signal` is aborted.
 * @returns how it ended: by a code or a signal, or why it could not be started. By then no process of the group is left. Never rejects
 */
export async function runInGroup([program = '', ...args]: readonly string[], options: GroupOptions) {
  const { env, shell = false, input = '', timeout, signal, onOutput } = options;
  const startedAt = performance.now();
  const late = AbortSignal.timeout(timeout);
  const stop = AbortSignal.any([signal, late]);
  const ended = (code: number | null, by: NodeJS.Signals | null, error: NodeJS.ErrnoException | null = null) => {
    const timedOut = stop.aborted && stop.reason === late.reason;
    return { code, signal: by, error, timedOut, milliseconds: performance.now() - startedAt };
  };
  try {
    const child = spawn(program, args, { env, shell, detached: hasGroups });
    groups.add(child);
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].on('data', (piece: Buffer) => onOutput(piece, stream));
    // A program that does not read its input closes the pipe, which is no error.
    child.stdin.on('error', () => undefined).end(input);
    let killing: NodeJS.Timeout | undefined;
    const end = () => {
      killGroup(child, 'SIGTERM');
      killing = setTimeout(() => killGroup(child, 'SIGKILL'), killDelay);
    };
    if (stop.aborted) end();
    stop.addEventListener('abort', end);
    const closed = once(child, 'close').catch(() => undefined);
    try {
      const result = ended(...((await once(child, 'exit')) as [number | null, NodeJS.Signals | null]));
      await Promise.race([closed, delay(closeDelay)]);
      return result;
    } finally {
      clearTimeout(killing);
      stop.removeEventListener('abort', end);
      killGroup(child, 'SIGKILL');
      groups.delete(child);
      // A process that left the group may hold them open for ever.
      child.stdout.destroy();
      child.stderr.destroy();
    }
  } catch (error) {
    return ended(null, null, error as NodeJS.ErrnoException);
  }
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    // A negative id means the whole group.
    if (pid !== undefined) process.kill(hasGroups ? -pid : pid, signal);
  } catch {
    // The process has ended already.
  }
}
