import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { findK6 } from '../../load/run/find-k6.ts';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { type Finding, note, ok, toDo } from './finding.ts';

const oldestNode = [22, 18] as const;

/** Whether this Node can run partnerkit. @param version such as `22.18.0` */
export function examineNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldMajor, oldMinor] = oldestNode;
  if (major > oldMajor || (major === oldMajor && minor >= oldMinor)) return ok('Node', version);
  return toDo('Node', `${version} is too old: install Node ${oldestNode.join('.')} or newer`);
}

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

const usualChromium = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Only tests of pages need a browser, so its absence is just a note. */
export function examineChromium({ CHROMIUM_PATH: named }: NodeJS.ProcessEnv, exists = existsSync): Finding {
  if (named !== undefined && !exists(named)) {
    return toDo('Chromium', `CHROMIUM_PATH ${named}: no such file; correct or unset it`);
  }
  const found = named ?? usualChromium.find((path) => exists(path));
  if (found !== undefined) return ok('Chromium', found);
  return note(
    'Chromium',
    'not found; only tests of pages (partnerkit/playwright) need it; CHROMIUM_PATH says where it is',
  );
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
