import { readFile, rm, writeFile } from 'node:fs/promises';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { fileProblem } from '../../spec/files/file-problem.ts';

/** The first line marks a file as ours. */
const ours = '# Written by partnerkit certify for one run, and removed after the run.';

/** Runs a function while a `.env` file has these variables. @param file undefined to write no file */
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

/** @throws ConfigurationError if the file exists and certify has not written it */
export async function assertOurs(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text !== undefined && !text.startsWith(ours)) {
    throw new ConfigurationError([
      `--env-file ${file}: this file exists and certify has not written it; give another name`,
    ]);
  }
}
