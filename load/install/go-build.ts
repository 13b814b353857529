import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type Install, k6Program } from './k6-release.ts';
import { k6Version } from './k6-version.ts';

/**
 * Builds k6 with Go into a folder; minutes. Not by `go install module@version`: that asks for the newest release too, and fails
 * where the newest cannot be had. The module's own folder has its go.sum, so what is built is what was released.
 * @throws Error that says why it could not be built
 */
export async function buildWithGo({ env, into, onProgress }: Install): Promise<void> {
  const go = (args: readonly string[], options: Parameters<typeof output>[2] = {}) =>
    output('go', args, { env: { ...env, CGO_ENABLED: '0' }, ...options });
  onProgress(`downloading k6 ${k6Version} as a Go module`);
  const downloaded = await go(['mod', 'download', '-json', `go.k6.io/k6/v2@v${k6Version}`]);
  const { Dir: cwd } = JSON.parse(downloaded) as { readonly Dir: string };
  onProgress('downloading what it needs');
  const packages = (await go(['list', '-deps', '.'], { cwd })).trim().split('\n').length;
  let built = 0;
  // Without what debuggers need, which is a quarter of the work.
  const lean = ['-gcflags=all=-dwarf=false', '-ldflags=-s -w'];
  const options = ['-mod=readonly', '-trimpath', '-buildvcs=false', ...lean, '-o', join(into, k6Program)];
  // -v names each package once it is built; what Go has built before is not named.
  await go(['build', '-v', ...options, '.'], {
    cwd,
    onLine: () => {
      built += 1;
      onProgress(`building with Go: ${built} of at most ${packages} packages`);
    },
  });
}

interface OutputOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Told of every line on standard error. */
  readonly onLine?: () => void;
}

/** What a program prints. @throws Error with the last that it said where it fails, or where there is none */
function output(program: string, args: readonly string[], { env, cwd, onLine }: OutputOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...env }, ...(cwd !== undefined && { cwd }) });
    let [printed, said] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4000);
      for (const _ of text.matchAll(/\n/g)) onLine?.();
    });
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new Error(`${program} is not installed`) : error),
    );
    child.on('close', (code) => {
      if (code === 0) resolve(printed);
      else reject(new Error(`${program} ${args[0]} failed: ${said.trim().split('\n').at(-1) ?? ''}`));
    });
  });
}
