import { type ExecFileException, execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { ownCommand, packageRoot } from '../../spec/package-facts.ts';
import { commandLine } from '../../spec/text/shell-quoted.ts';
import { installPage, k6Program } from '../install-k6.ts';

type Variables = Readonly<Record<string, string | undefined>>;

interface FindK6Options {
  readonly env?: Variables;
  /** The package's own folder, whose `.cache/bin` `npm run k6:install` fills. */
  readonly root?: string;
  /** What `k6 version` prints; rejects where it cannot be run. */
  readonly versionText?: (path: string) => Promise<string>;
}

/** Where `load install-k6` puts k6, for all of a user's projects. */
export const cacheFolder = (env: Variables): string =>
  join(env.XDG_CACHE_HOME || join(env.HOME ?? homedir(), '.cache'), 'partnerkit/bin');

/**
 * The k6 to use: K6_PATH, then PATH, then the project's own `.cache/bin`, then what `load install-k6` installed.
 * @throws ConfigurationError when there is none, or only one before version 1.3, with how to install it
 */
export async function findK6(options: FindK6Options = {}) {
  const { env = process.env, root = packageRoot(), versionText = askVersion } = options;
  const named = env.K6_PATH;
  const folders = [...(env.PATH ?? '').split(delimiter), join(root, '.cache/bin'), cacheFolder(env)];
  const candidates = named ? [named] : folders.filter(Boolean).map((folder) => join(folder, k6Program));
  const unfit: string[] = [];
  for (const path of candidates) {
    const said = await versionText(path).catch((error: ExecFileException) => error);
    if (typeof said === 'string') {
      const [version, major, minor] = /\bv?(\d+)\.(\d+)\.\d+\S*/.exec(said) ?? [];
      // From version 1.3 on k6 knows all the options that it is given.
      if (version !== undefined && Number(major) + Number(minor) / 1_000 >= 1.003)
        return { path, version: version.replace(/^v/, '') };
      unfit.push(`${path} is ${version ?? 'no k6'}`);
    } else if (said.killed)
      unfit.push(`${path} did not say its version within 20 s (try again when the machine is less busy)`);
    else if (!/^(ENOENT|ENOTDIR|EACCES)$/.test(`${said.code}`))
      unfit.push(`"${path} version" failed (${said.code ?? said.message})`);
    else if (named) unfit.push(`K6_PATH: ${named} is not an executable file`);
  }
  const problem = unfit.length > 0 ? `${unfit.join(', ')}; k6 1.3 or newer is needed` : 'k6 was not found';
  const install = `run "${commandLine(ownCommand())} load install-k6", or install it by hand (${installPage})`;
  throw new ConfigurationError([`${problem}: ${install}, or set K6_PATH to one`]);
}

async function askVersion(path: string): Promise<string> {
  const { stdout } = await promisify(execFile)(path, ['version'], { timeout: 20_000 });
  return stdout;
}
