import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
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
  // k6 keeps its options in the archive, and the private key with them.
  if (prepared.target.tls?.cert !== undefined)
    throw new ConfigurationError([
      'tls.cert: an archive cannot show a client certificate without holding its key; use load run',
    ]);
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
