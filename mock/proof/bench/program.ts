import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, existsSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { acme } from '../acme.ts';

/** This checkout. */
export const checkout = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * The package as it is published, in a folder of its own, so that a build in the meantime changes nothing; what it depends on
 * is found above. Processes that run here can import `partnerkit`.
 */
export const installed = join(checkout, '.cache/bench/package/');

/** The program as users run it. From source, Node would also need memory to strip types. */
export const program = join(installed, 'dist/bin/partnerkit.cjs');

let prepared = false;

/** Copies the built package once for all parts. @throws Error if there is no build */
export function preparePackage(): void {
  if (prepared) return;
  const dist = join(checkout, 'dist');
  if (!existsSync(join(dist, 'chunks'))) throw new Error(`${dist} holds no whole build; run npm run build first`);
  rmSync(installed, { recursive: true, force: true });
  cpSync(dist, join(installed, 'dist'), { recursive: true });
  copyFileSync(join(checkout, 'package.json'), join(installed, 'package.json'));
  prepared = true;
}

/** A server that was started as a user starts it, and has answered once. */
interface RunningProgram {
  /** Milliseconds from the start of the process to its first 200. */
  readonly took: number;
  stop(): Promise<void>;
}

/**
 * Starts Node with these arguments, waits for the address that it prints, and for the first 200 of `/v1/health`.
 * @param key an API key that the server knows
 */
export async function startProgram(args: readonly string[], key: string = acme.full): Promise<RunningProgram> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { cwd: installed, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const kill = () => child.kill();
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const [line] = await Promise.race([once(child.stdout, 'data'), ended]);
  const url = /http:\/\/[\d.:]+/.exec(String(line))?.[0];
  if (url === undefined) throw new Error(`${args.join(' ')} printed no address but ${String(line)}`);
  const [reply] = await once(get(`${url}/v1/health`, { headers: { 'x-api-key': key }, agent: false }), 'response');
  const took = performance.now() - startedAt;
  reply.resume();
  const stop = async () => {
    kill();
    await ended;
  };
  if (reply.statusCode !== 200) {
    await stop();
    throw new Error(`the first reply was ${reply.statusCode}`);
  }
  return {
    took,
    stop,
  };
}
