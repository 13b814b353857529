import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

/** A mock that a command has started. */
interface PeerProcess {
  /** Milliseconds from the start of the command to its first reply 200. */
  readonly took: number;
  /** Bytes resident, of all processes that the command has started. */
  resident(): Promise<number>;
  stop(): void;
}

export interface PeerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Answers 200 as soon as the mock is up. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Milliseconds. Starts that are compared take hundreds. */
const between = 10;

/** Starts a mock, and waits for its first reply. @returns null if none comes within 30 seconds */
export async function startPeer({ command, args, cwd, url, headers = {} }: PeerCommand): Promise<PeerProcess | null> {
  const startedAt = performance.now();
  // In a group of its own: WireMock's program starts another, which would go on without it.
  const child = spawn(command, args, { cwd, stdio: 'ignore', detached: true }).on('error', () => {});
  const stop = () => {
    process.off('exit', stop);
    try {
      if (child.pid !== undefined) process.kill(-child.pid);
    } catch {
      // It has ended already.
    }
  };
  process.once('exit', stop);
  while (performance.now() < startedAt + 30_000) {
    const reply = await fetch(url, { headers }).catch(() => null);
    await reply?.arrayBuffer();
    if (reply?.status === 200)
      return { took: performance.now() - startedAt, resident: () => residentOf(child.pid), stop };
    await new Promise((resolve) => setTimeout(resolve, between));
  }
  stop();
  return null;
}

/** Bytes resident of a process and of those that it has started. @throws Error without `ps` */
async function residentOf(session = 0): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-s', String(session)]);
  return stdout
    .trim()
    .split(/\s+/)
    .reduce((sum, kilobytes) => sum + Number(kilobytes) * 1024, 0);
}
