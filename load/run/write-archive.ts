import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { environmentArguments, mainScript, type PreparedRun, runFolder } from './prepare-run.ts';

/**
 * Packs scenario, shared modules, target and settings into one file that `k6 run` takes anywhere. The environment is left
 * out, and secrets with it: the target asks for them by name when it runs.
 * @throws Error with what k6 said
 */
export async function writeArchive(
  prepared: PreparedRun,
  { k6, file }: { readonly k6: string; readonly file: string },
): Promise<void> {
  using folder = runFolder(prepared.portable);
  const settings = environmentArguments({ ...prepared.settings, TARGET: folder.target });
  await promisify(execFile)(k6, [
    'archive',
    '--no-color',
    '--include-system-env-vars=false',
    ...settings,
    '-O',
    file,
    mainScript,
  ]);
}
