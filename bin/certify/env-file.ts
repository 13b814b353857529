import { readFile, rm, writeFile } from 'node:fs/promises';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { fileProblem } from '../../spec/files/file-problem.ts';

/** By this line a file of ours is known. */
const ours = '# Written by partnerkit certify for one run; it is gone afterwards.';

/** Runs something while a `.env` file holds what its environment has. @param file undefined where none is wanted */
export async function withEnvFile<T>(
  file: string | undefined,
  environment: Readonly<Record<string, string>>,
  run: () => Promise<T>,
): Promise<T> {
  if (file === undefined) return run();
  const lines = Object.entries(environment).map(([name, value]) => `${name}="${value.replace(/["\\$`]/g, '\\$&')}"`);
  try {
    await writeFile(file, `${[ours, ...lines].join('\n')}\n`, { mode: 0o600 });
  } catch (error) {
    throw new ConfigurationError([`--env-file ${file}: ${fileProblem(error, 'written')}`]);
  }
  try {
    return await run();
  } finally {
    await rm(file, { force: true });
  }
}

/** @throws ConfigurationError where the file is there and is somebody else's */
export async function assertOurs(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text !== undefined && !text.startsWith(ours)) {
    throw new ConfigurationError([
      `--env-file ${file}: there is such a file already, and it is not ours to change; give another name`,
    ]);
  }
}
