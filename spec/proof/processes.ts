import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Starts a server on a free port that only this machine reaches. @returns its address, without a slash at the end */
export async function onLoopback(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const { port } = new URL(await onLoopback(server));
  server.close();
  await once(server, 'close');
  return Number(port);
}

/**
 * All that a process says until it ends, on both of its streams, as it comes.
 * @param onSaid called with all of it so far
 */
export async function saidBy(
  child: ChildProcess & { readonly stdout: Readable; readonly stderr: Readable },
  onSaid: (said: string) => void = () => {},
): Promise<{ readonly code: number | null; readonly said: string }> {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      onSaid(said);
    });
  }
  const [code] = await once(child, 'close');
  return { code, said };
}

/** A folder that is removed at the end of the scope. */
export function temporaryFolder(name = 'proof') {
  const path = mkdtempSync(join(tmpdir(), `partnerkit-${name}-`));
  return {
    path,
    /** The path of a file in it. */
    at: (...names: string[]) => join(path, ...names),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Starts a program, such as a mock, that runs until the end of the scope. @returns it with the first line that it prints */
export async function started([program = '', ...args]: readonly string[], options: Omit<SpawnOptions, 'stdio'> = {}) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line]: string[] = await once(createInterface(child.stdout), 'line');
  return { child, line: line ?? '', [Symbol.dispose]: () => void child.kill('SIGKILL') };
}
