import { type ChildProcess, spawn } from 'node:child_process';

/** How a command ended. */
export interface Ended {
  /** Null if a signal ended the command. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
  /** Why the command could not be started; null if it was. */
  readonly problem: string | null;
  /** The last output, of both streams. */
  readonly output: string;
  /** Whether the output, also what was not kept, has the secret. */
  readonly revealed: boolean;
  readonly milliseconds: number;
}

interface CommandOptions {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** In milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** A text that the command should not print. */
  readonly secret?: string;
}

/** The largest number of bytes of output that is kept. */
const maxOutput = 16 * 1024;

/** Milliseconds between SIGTERM and SIGKILL. */
const killDelay = 1_500;

const groups = new Set<ChildProcess>();
// However this process ends, no command outlives it.
process.on('exit', () => {
  for (const child of groups) killGroup(child, 'SIGKILL');
});

/** Runs a command in a process group of its own. When this resolves, no process of the group is left. Never rejects. */
export function runCommand({ command, env, timeout, signal, secret = '' }: CommandOptions): Promise<Ended> {
  const [program = '', ...args] = command;
  const startedAt = performance.now();
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  groups.add(child);
  let kept = Buffer.alloc(0);
  let revealed = false;
  let recent = Buffer.alloc(0);
  const keep = (piece: Buffer) => {
    // The secret may be split over pieces.
    recent = Buffer.concat([recent.subarray(-secret.length), piece]);
    revealed ||= secret !== '' && recent.includes(secret);
    kept = Buffer.concat([kept, piece]).subarray(-maxOutput);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const late = AbortSignal.timeout(timeout);
  const stop = AbortSignal.any([signal, late]);
  let timedOut = false;
  let killing: NodeJS.Timeout | undefined;
  const end = () => {
    timedOut = late.aborted;
    killGroup(child, 'SIGTERM');
    killing = setTimeout(() => killGroup(child, 'SIGKILL'), killDelay);
  };
  if (stop.aborted) end();
  stop.addEventListener('abort', end);
  return new Promise((resolve) => {
    const ended = (code: number | null, by: NodeJS.Signals | null, problem: string | null = null) => {
      clearTimeout(killing);
      stop.removeEventListener('abort', end);
      // Background processes of the command must not reach the mock of another run, which may get the same port.
      killGroup(child, 'SIGKILL');
      groups.delete(child);
      // A process that left the group may hold them open for ever.
      child.stdout.destroy();
      child.stderr.destroy();
      const milliseconds = performance.now() - startedAt;
      resolve({ code, signal: by, timedOut, problem, output: kept.toString(), revealed, milliseconds });
    };
    child.once('error', (error: NodeJS.ErrnoException) => ended(null, null, startProblem(error, program)));
    child.once('exit', (code, by) => {
      // The streams close at once, unless a background process keeps them open.
      const closing = setTimeout(() => ended(code, by), 200);
      child.once('close', () => {
        clearTimeout(closing);
        ended(code, by);
      });
    });
  });
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    // A negative id means the whole group.
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // The process has ended already.
  }
}

function startProblem({ code, message }: NodeJS.ErrnoException, program: string): string {
  if (code === 'ENOENT') return `${program}: no such program; give the command after --, such as -- npm test`;
  if (code === 'EACCES') return `${program}: permission denied; is the file executable?`;
  return `${program}: ${message}`;
}
