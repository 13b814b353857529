import { createServer } from 'node:net';
import { findK6 } from '../../load/run/find-k6.ts';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';

export interface Finding {
  readonly state: 'ok' | 'to do';
  readonly what: string;
  /** What was found, and what to do about it. */
  readonly text: string;
}

export const ok = (what: string, text: string): Finding => ({ state: 'ok', what, text });
export const toDo = (what: string, text: string): Finding => ({ state: 'to do', what, text });

/** Whether there is a k6. @param root the folder of the package, where `load install-k6` may have put it */
export async function examineK6(env: NodeJS.ProcessEnv, root: string): Promise<Finding> {
  try {
    const { path, version } = await findK6({ env, root });
    return ok('k6', `${version} (${path})`);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return toDo('k6', `partnerkit load cannot run: ${error.problems.join('; ')}`);
  }
}

/** Whether the mock could listen on this port, or does already. */
export async function examinePort(port: number, host = '127.0.0.1'): Promise<Finding> {
  const what = `port ${port}`;
  const server = createServer();
  const code = await new Promise<string | undefined>((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
  if (code === undefined) return ok(what, 'is free for the mock');
  if (await isOurMock(`http://${host}:${port}`)) return ok(what, `a mock of partnerkit runs: http://${host}:${port}`);
  const why = code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${code})`;
  return toDo(what, `${why}: stop the other program, or start the mock with another --port (0 chooses a free one)`);
}

async function isOurMock(url: string): Promise<boolean> {
  try {
    const reply = await fetch(`${url}/_mock/health`, { signal: AbortSignal.timeout(3_000) });
    return reply.headers.get('content-type')?.includes('json') === true && 'journal' in (await reply.json());
  } catch {
    return false;
  }
}
