import { resolve } from 'node:path';
import type { Command } from 'commander';
import { commandLine } from '../../../spec/text/shell-quoted.ts';

/** Milliseconds between two lines of progress that is not on a terminal. */
const everyMs = 10_000;

/** `partnerkit load install-k6`: a k6 for who has none. */
export function addLoadInstallK6Command(load: Command): void {
  load
    .command('install-k6')
    .description('install k6 where there is none: its release, or a build with Go')
    .option('--into <folder>', 'where to put it; default: a folder in which load run looks')
    .addHelpText(
      'after',
      `
Examples:
  partnerkit load install-k6
  K6_RELEASES=https://mirror.example/k6 partnerkit load install-k6

K6_RELEASES names a mirror of https://github.com/grafana/k6/releases/download.`,
    )
    .action(async ({ into }: { readonly into?: string }) => {
      const [{ installK6 }, { cacheFolder, findK6 }, { packageRoot }] = await Promise.all([
        import('../../../load/install/install-k6.ts'),
        import('../../../load/run/find-k6.ts'),
        import('../../../spec/package-facts.ts'),
      ]);
      const look = () => findK6({ env: process.env, root: packageRoot() });
      const found = await look().catch(() => undefined);
      if (found !== undefined) {
        process.stdout.write(`k6 ${found.version} is at ${found.path}; there is nothing to install\n`);
        return;
      }
      const begin = Date.now();
      const { path, by } = await installK6({
        env: process.env,
        into: into === undefined ? cacheFolder(process.env) : resolve(into),
        onProgress: progress(begin),
        onProblem: (problem) => process.stderr.write(`${process.stderr.isTTY ? '\r\x1b[K' : ''}${problem}\n`),
      });
      if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
      const { version } = await findK6({ env: { ...process.env, K6_PATH: path }, root: packageRoot() });
      const how = by === 'release' ? 'its release, checksum compared' : 'built with Go';
      process.stdout.write(`k6 ${version} is at ${path} (${how}, ${Math.round((Date.now() - begin) / 1000)} s)\n`);
      if (into !== undefined && (await look().catch(() => undefined)) === undefined)
        process.stdout.write(`load run does not look there: set K6_PATH=${commandLine([path])}\n`);
    });
}

/** One line that is written over on a terminal; elsewhere each new step, and one in ten seconds of the same. */
function progress(begin: number): (text: string) => void {
  let [last, lastAt] = ['', 0];
  return (text) => {
    const line = `${Math.round((Date.now() - begin) / 1000)} s: ${text}`;
    if (process.stderr.isTTY) {
      process.stderr.write(`\r\x1b[K${line}`);
      return;
    }
    const step = text.replace(/\d+/g, '');
    if (step === last && Date.now() - lastAt < everyMs) return;
    [last, lastAt] = [step, Date.now()];
    process.stderr.write(`${line}\n`);
  };
}
