import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { interruption } from '../../spec/interruption.ts';
import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';

interface RunK6Options {
  readonly k6: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told of every new piece of what k6 writes to standard output: its raw output, with `--out=json=-`. What it throws ends k6. */
  readonly onRaw?: (piece: string) => void;
  /** A file that keeps the raw output. */
  readonly keep?: ((raw: Readable) => Promise<void>) | undefined;
  /** Bytes of memory at which k6 is ended: a small reply may unpack to a huge one, and k6 has no bound of its own. Default: 2 GB. */
  readonly maxMemory?: number;
  /** Milliseconds after which k6 is ended: one that is stopped or hangs would never end. Default: none. */
  readonly maxDuration?: number | undefined;
  /** Called about once a second. */
  readonly onTick?: (() => void) | undefined;
}

export interface K6Ended {
  /** k6's own code: 0 fine, 99 thresholds, 105 interrupted, 107 script, 108 aborted by the script; null when it was killed. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last lines that k6 said, without its decoration. */
  readonly said: readonly string[];
  /** Whether the run was interrupted. */
  readonly interrupted: boolean;
  /** Whether k6 was ended because it held more memory than allowed. */
  readonly tooLarge: boolean;
  /** Whether k6 was ended because it had not ended in time. */
  readonly overdue: boolean;
}

const tickMs = 1000;
const memoryMs = 200;
const keptLines = 40;

/** Runs k6 and follows its raw output until it ends. An interruption is passed on once, so that k6 finishes its teardown. */
export async function runK6({
  k6,
  args,
  env,
  onRaw,
  keep,
  maxMemory = 2 ** 31,
  maxDuration,
  onTick,
}: RunK6Options): Promise<K6Ended> {
  // A group of its own: a Ctrl-C in the terminal would reach k6 twice, and the second one ends it without its teardown.
  const child = spawn(k6, args, { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const errorLines: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorLines.push(...text.split('\n').filter((line) => line.trim() !== ''));
    errorLines.splice(0, Math.max(0, errorLines.length - keptLines));
  });
  // Through a pipe and not a file: an hour's output is gigabytes, and a k6 that nobody listens to any more ends by itself.
  let refused: { readonly error: unknown } | undefined;
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    if (refused !== undefined) return;
    try {
      onRaw?.(piece);
    } catch (error) {
      refused = { error };
      child.kill('SIGKILL');
    }
  });
  let interrupted = false;
  const interrupt = () => {
    child.kill('SIGINT');
    interrupted = true;
  };
  const abandon = () => child.kill('SIGKILL');
  // Once more ends it at once: a k6 that is stopped hears of nothing else.
  const { stopListening } = interruption(interrupt, abandon);
  process.on('exit', abandon);
  let tooLarge = false;
  const watching = setInterval(() => {
    tooLarge ||= memoryOf(child.pid) > maxMemory;
    if (tooLarge) child.kill('SIGKILL');
  }, memoryMs);
  let overdue = false;
  const expire = () => {
    overdue = true;
    child.kill('SIGKILL');
  };
  const expiring = maxDuration === undefined ? undefined : setTimeout(expire, maxDuration);
  const ticking = setInterval(() => onTick?.(), tickMs);
  try {
    const ended = new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (...end) => resolve(end));
    });
    const [[code, signal]] = await Promise.all([ended, keep?.(child.stdout)]);
    if (refused !== undefined) throw refused.error;
    return { code, signal, said: errorLines.map(plain), interrupted, tooLarge, overdue };
  } finally {
    clearInterval(ticking);
    clearInterval(watching);
    clearTimeout(expiring);
    stopListening();
    process.off('exit', abandon);
  }
}

/** Bytes that a process holds, where the system says so (Linux); else 0. */
function memoryOf(pid: number | undefined): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** `time="..." level=error msg="..."` without what surrounds the message. */
export function plain(line: string): string {
  const message = /\bmsg=("(?:[^"\\]|\\.)*"|\S+)/.exec(line)?.[1];
  if (message === undefined) return line;
  return message.startsWith('"') ? String(jsonOrUndefined(message) ?? message) : message;
}
