import { type ChildProcess, spawn } from 'node:child_process';

/** How a command ended. */
export interface Ended {
  /** Null where it did not end by itself. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
  /** Why it could not be started at all. */
  readonly problem: string | null;
  /** The end of what it printed, on both streams. */
  readonly output: string;
  readonly milliseconds: number;
}

interface CommandOptions {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** In milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** Bytes of output that are kept. */
const maxOutput = 16 * 1024;

/** How long a command may take to end when it is asked to, in milliseconds. */
const patience = 1_500;

const groups = new Set<ChildProcess>();
/** Whatever ends this process, no command outlives it. */
process.on('exit', () => {
  for (const child of groups) killGroup(child, 'SIGKILL');
});

/** Runs a command in a process group of its own, which is gone when this resolves. Never rejects. */
export function runCommand({ command, env, timeout, signal }: CommandOptions): Promise<Ended> {
  const [program = '', ...args] = command;
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    groups.add(child);
    const kept: Buffer[] = [];
    let bytes = 0;
    const keep = (piece: Buffer) => {
      kept.push(piece);
      bytes += piece.length;
      while (bytes - (kept[0]?.length ?? 0) > maxOutput) bytes -= kept.shift()?.length ?? 0;
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    let timedOut = false;
    let killing: NodeJS.Timeout | undefined;
    const stop = () => {
      killGroup(child, 'SIGTERM');
      killing = setTimeout(() => killGroup(child, 'SIGKILL'), patience);
    };
    const timer = setTimeout(() => {
      timedOut = true;
      stop();
    }, timeout);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    const end = (code: number | null, by: NodeJS.Signals | null, problem: string | null) => {
      clearTimeout(timer);
      clearTimeout(killing);
      signal.removeEventListener('abort', stop);
      // What it started in the background must not talk to the mock of another run.
      killGroup(child, 'SIGKILL');
      groups.delete(child);
      const output = Buffer.concat(kept).subarray(-maxOutput).toString();
      resolve({ code, signal: by, timedOut, problem, output, milliseconds: performance.now() - startedAt });
    };
    child.once('error', (error: NodeJS.ErrnoException) => end(null, null, startProblem(error, program)));
    child.once('exit', (code, by) => {
      // The rest of its output: at once, unless something in the background holds the pipe open.
      const late = setTimeout(() => end(code, by, null), 200);
      child.once('close', () => {
        clearTimeout(late);
        end(code, by, null);
      });
    });
  });
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    // A negative number names the whole group.
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // It is gone already.
  }
}

function startProblem({ code, message }: NodeJS.ErrnoException, program: string): string {
  if (code === 'ENOENT') return `${program}: there is no such program; give the command after --, such as -- npm test`;
  if (code === 'EACCES') return `${program}: this file may not be run; is it executable?`;
  return `${program}: ${message}`;
}
