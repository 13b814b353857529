import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { fileProblem } from '../../spec/files/file-problem.ts';
import { buildWithGo } from './go-build.ts';
import { type Install, installRelease, k6Program } from './k6-release.ts';

interface InstallK6 extends Install {
  /** Told why a way failed, before the next is tried. */
  readonly onProblem: (problem: string) => void;
}

/** How k6 was come by. */
interface Installed {
  readonly path: string;
  readonly by: 'release' | 'go';
}

/**
 * Puts k6 into a folder: its released program, or where that is not to be had, one built with Go.
 * @throws ConfigurationError with what stood against each way
 */
export async function installK6({ onProblem, ...install }: InstallK6): Promise<Installed> {
  const { into } = install;
  try {
    mkdirSync(into, { recursive: true });
  } catch (error) {
    throw new ConfigurationError([`${into}: ${fileProblem(error, 'written')}`]);
  }
  const path = join(into, k6Program);
  try {
    await installRelease(install);
    return { path, by: 'release' };
  } catch (error) {
    onProblem(messageOf(error));
  }
  try {
    await buildWithGo(install);
    return { path, by: 'go' };
  } catch (error) {
    throw new ConfigurationError([
      `k6 was not installed: ${messageOf(error)}; install it by hand (https://grafana.com/docs/k6/latest/set-up/install-k6/), and put it on the PATH`,
    ]);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
