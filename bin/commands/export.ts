import { join } from 'node:path';
import { Argument, type Command } from '@commander-js/extra-typings';
import { strFromU8, unzipSync } from 'fflate';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { controlClient, mockOptions } from '../control-client.ts';
import type { FlagsOf } from '../option-values.ts';
import { writeOnce } from '../output/publish.ts';

/** `partnerkit export`: writes requests to a running mock as a file for an API client. */
export const define = (command: Command) => withOptions(command).action(write);

const withOptions = (command: Command) =>
  mockOptions(command)
    .addArgument(new Argument('<format>', 'the format: http is a .http file').choices(['postman', 'bruno', 'http']))
    .option('--tenant <name>', 'use ids and keys of this tenant; default: the first tenant')
    .option('--out <path>', 'file to write, or folder for bruno; default: standard output')
    .option('--force', 'overwrite files that exist')
    .addHelpText('after', '\nExample:\n  partnerkit export bruno --out partner-api');

async function write(format: string, flags: FlagsOf<typeof withOptions>): Promise<void> {
  const { out, force } = flags;
  if (format === 'bruno' && out === undefined) {
    throw new ConfigurationError(['--out FOLDER is missing: a Bruno collection is a folder']);
  }
  const query = flags.tenant === undefined ? '' : `?${new URLSearchParams({ tenant: flags.tenant })}`;
  const reply = await controlClient(flags.mock, flags.controlToken ?? null).ask(`/collections/${format}${query}`);
  if (format === 'bruno') return unpackCollection(reply, out ?? '', force);
  const text = reply.toString();
  if (out === undefined) process.stdout.write(text);
  else writeOnce(out, text, force);
}

/** Writes the files of a Bruno collection. @throws ConfigurationError if a file exists and must not be overwritten */
export function unpackCollection(archive: Uint8Array, folder: string, force?: boolean): void {
  for (const [path, bytes] of Object.entries(unzipSync(archive))) {
    // The server may not be a mock, so nothing is written outside of the folder.
    if (!/^(?:[\w ]+\/)?\w+\.(?:bru|json)$/.test(path)) {
      throw new ConfigurationError([
        `the collection has a file ${path}, which no mock sends; check the address in --mock`,
      ]);
    }
    writeOnce(join(folder, path), strFromU8(bytes), force);
  }
}
