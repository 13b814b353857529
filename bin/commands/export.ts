import { join } from 'node:path';
import { Argument, type Command } from '@commander-js/extra-typings';
import { strFromU8, unzipSync } from 'fflate';
import { remoteMock } from '../../mock/adapters/remote-mock.ts';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { mockOptions } from '../mock-options.ts';
import { writeOnce } from '../output/publish.ts';

/** `partnerkit export`: writes requests to a running mock as a file for an API client. */
export const define = (command: Command) =>
  mockOptions(command)
    .addArgument(new Argument('<format>', 'the format: http is a .http file').choices(['postman', 'bruno', 'http']))
    .option('--tenant <name>', 'use ids and keys of this tenant; default: the first tenant')
    .option('--out <path>', 'file to write, or folder for bruno; default: standard output')
    .option('--force', 'overwrite files that exist')
    .addHelpText('after', '\nExample:\n  partnerkit export bruno --out partner-api')
    .action(async (format, { mock, controlToken, tenant, out, force }) => {
      if (format === 'bruno' && out === undefined)
        throw new ConfigurationError(['--out FOLDER is missing: a Bruno collection is a folder']);
      const query = new URLSearchParams(tenant === undefined ? {} : { tenant });
      const reply = await remoteMock(mock, controlToken).ask(`/collections/${format}?${query}`);
      if (format === 'bruno') unpackCollection(reply, out ?? '', force);
      else if (out === undefined) process.stdout.write(reply);
      else writeOnce(out, reply.toString(), force);
    });

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
