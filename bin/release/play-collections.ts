import { join } from 'node:path';
import { createMock } from '../../mock/index.ts';
import { temporaryFolder } from '../../spec/proof/processes.ts';
import { root, run } from './programs.ts';

/**
 * `npm run check:collections -- [FORMAT...]` runs the files of `partnerkit export` against a mock, with the programs for which they are:
 * newman (Postman), bru (Bruno) and httpyac (.http files). Without arguments all, which takes minutes.
 */

const programs: readonly (readonly [format: string, file: string, folder: string, command: readonly string[]])[] = [
  ['postman', 'collection.json', '.', ['newman@6.2.2', 'run', 'collection.json']],
  ['bruno', 'bruno', 'bruno', ['--package', '@usebruno/cli@4.1.0', 'bru', 'run']],
  ['http', 'requests.http', '.', ['httpyac@6.16.7', 'send', 'requests.http', '--all', '--bail']],
];
const chosen = process.argv.slice(2);
using home = temporaryFolder('collections');
await using mock = await createMock();
const { url } = await mock.listen({ port: 0 });
for (const [format, file, folder, command] of programs) {
  if (chosen.length > 0 && !chosen.includes(format)) continue;
  const partnerkit = join(root, 'bin/partnerkit.ts');
  await run(process.execPath, [partnerkit, 'export', format, '--mock', url, '--out', home.at(file)]);
  await run('npx', ['--yes', '--prefer-offline', ...command], { cwd: home.at(folder) });
  // Independent of the exit code of the program: the file is registered, so all steps have worked.
  const registered = mock.journal.count({ operationId: 'registerSiteFile', status: 201 });
  if (registered !== 1) throw new Error(`${format}: ${registered} files were registered`);
  if (mock.journal.count({ status: 429 }) === 0) throw new Error(`${format}: met no 429`);
  mock.reset();
  process.stdout.write(`${format}: ${command.join(' ')} runs all of it\n`);
}
