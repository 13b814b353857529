import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { interruption } from '../../spec/interruption.ts';
import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import type { Reason } from '../verdict/recording.ts';

interface RunK6Options {
  readonly k6: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Gets every new piece of what k6 writes to standard output: its raw output, with `--out=json=-`. What it throws ends k6. */
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

const tickMs = 1000;
const memoryMs = 200;

/** Why k6 is killed. */
const kills = {
  interrupted: 'the run was interrupted',
  'too-much-memory': 'k6 held too much memory and was ended: a reply may unpack to far more bytes than were sent',
  overdue: 'k6 had not ended long after its plan, and was ended: it was stopped, or the machine stood still',
} as const;

/**
 * Runs k6 and follows its raw output until it ends. An interruption is passed on once, so that k6 finishes its teardown.
 * @returns why the run did not go as planned, as far as k6's raw output does not say it
 */
export async function runK6(options: RunK6Options): Promise<readonly Reason[]> {
  const { k6, args, env, onRaw, keep, maxMemory = 2 ** 31, maxDuration, onTick } = options;
  // A group of its own: a Ctrl-C in the terminal would reach k6 twice, and the second one ends it without its teardown.
  const child = spawn(k6, args, { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = text.trim().split('\n').at(-1) || said;
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
  let why: keyof typeof kills | undefined;
  const end = (reason: keyof typeof kills, signal: NodeJS.Signals = 'SIGKILL') => {
    why ??= reason;
    child.kill(signal);
  };
  const abandon = () => child.kill('SIGKILL');
  // Once more ends it at once: a k6 that is stopped hears of nothing else.
  using _ = interruption(() => end('interrupted', 'SIGINT'), abandon);
  process.on('exit', abandon);
  const watching = setInterval(() => memoryOf(child.pid) > maxMemory && end('too-much-memory'), memoryMs);
  const expiring = maxDuration === undefined ? undefined : setTimeout(() => end('overdue'), maxDuration);
  const ticking = setInterval(() => onTick?.(), tickMs);
  try {
    const ended = new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (...end) => resolve(end));
    });
    const [[code, signal]] = await Promise.all([ended, keep?.(child.stdout)]);
    if (refused !== undefined) throw refused.error;
    if (why !== undefined) return [{ code: why, text: kills[why] }];
    // 108: the script has ended the run, and its raw output says why.
    if (code === 0 || code === 108) return [];
    const how = signal === null ? `k6 ended with ${code}` : `k6 was killed by ${signal}`;
    const { msg = said } = Object(jsonOrUndefined(said));
    return [{ code: 'k6-failed', text: said === '' ? how : `${how}: ${String(msg).trim()}` }];
  } finally {
    clearInterval(ticking);
    clearInterval(watching);
    clearTimeout(expiring);
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
