import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';

export interface RunK6Options {
  readonly k6: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The file that k6 writes its raw output to; it is followed while k6 runs. */
  readonly rawFile: string;
  /** Told of every new piece of raw output. */
  readonly onRaw: (piece: string) => void;
  /** Told after each look at the raw output, about every second. */
  readonly onTick?: () => void;
}

export interface K6Ended {
  /** k6's own code: 0 fine, 99 thresholds, 105 interrupted, 107 script, 108 aborted by the script; null when it was killed. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last lines that k6 said, without its decoration. */
  readonly said: readonly string[];
  /** Whether we were asked to stop. */
  readonly interrupted: boolean;
}

const lookEveryMs = 1000;
const keptLines = 40;

/** Runs k6 and follows its raw output until it ends. An interruption is passed on once, so that k6 finishes its teardown. */
export async function runK6({ k6, args, env, rawFile, onRaw, onTick }: RunK6Options): Promise<K6Ended> {
  // A group of its own: a Ctrl-C in the terminal would reach k6 twice, and the second one ends it without its teardown.
  const child = spawn(k6, args, { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said.push(...text.split('\n').filter((line) => line.trim() !== ''));
      said.splice(0, Math.max(0, said.length - keptLines));
    });
  }
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
    child.kill('SIGINT');
  };
  const abandon = () => child.kill('SIGKILL');
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt).on('exit', abandon);

  const follow = follower(rawFile, onRaw);
  let ended = false;
  const end = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal }));
  }).finally(() => {
    ended = true;
  });
  try {
    while (!ended) {
      await Promise.race([end, new Promise((resolve) => setTimeout(resolve, lookEveryMs))]);
      await follow();
      if (!ended) onTick?.();
    }
    await follow();
    return { ...(await end), said: said.map(plain), interrupted };
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt).off('exit', abandon);
  }
}

/** Reads what has been added to a file since the last call; nothing while there is no file yet. */
function follower(file: string, onPiece: (piece: string) => void): () => Promise<void> {
  const decoder = new StringDecoder('utf8');
  const buffer = Buffer.alloc(1 << 20);
  let position = 0;
  return async () => {
    const handle = await open(file, 'r').catch(() => undefined);
    if (handle === undefined) return;
    try {
      for (;;) {
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
        if (bytesRead === 0) return;
        position += bytesRead;
        onPiece(decoder.write(buffer.subarray(0, bytesRead)));
      }
    } finally {
      await handle.close();
    }
  };
}

/** `time="..." level=error msg="..."` without what surrounds the message. */
export function plain(line: string): string {
  const message = /\bmsg=("(?:[^"\\]|\\.)*"|\S+)/.exec(line)?.[1];
  if (message === undefined) return line;
  if (!message.startsWith('"')) return message;
  try {
    return String(JSON.parse(message));
  } catch {
    return message;
  }
}
