import { createMock, listen } from '../../mock/index.ts';
import { parseTarget } from '../../spec/files/target.ts';
import { readYamlFile } from '../../spec/files/yaml-file.ts';
import { checks } from '../checks/index.ts';
import { nodeEnvironment } from '../client/node-environment.ts';
import { type RunRecord, run } from '../run.ts';
import { memoryJournal } from '../write-journal.ts';
import { naiveServer } from './naive-server.ts';

/**
 * `npm run proof:real`: every check, slow ones too, over real sockets in real time: against the mock, and against the
 * naive server beside it. Takes as long as an upload URL lives. Exits with 1 unless both are conformant.
 */
async function judged(targetFile: string, baseUrl: string): Promise<RunRecord> {
  const file = new URL(targetFile, import.meta.url).pathname;
  const target = { ...parseTarget(readYamlFile(file), {}, file), baseUrl };
  const environment = nodeEnvironment();
  try {
    const journal = memoryJournal();
    return await run(target, { checks, environment, journal, allowLeftovers: true, slow: true });
  } finally {
    environment.close();
  }
}

const startedAt = performance.now();
const mock = await createMock();
const listening = await listen(mock, { port: 0, control: false });
const naive = await naiveServer(0);
const address = naive.address();
const port = typeof address === 'object' && address !== null ? address.port : 0;

const runs = await Promise.all([
  judged('../../fixtures/mock.target.yaml', listening.url),
  judged('naive-server.target.yaml', `http://127.0.0.1:${port}`),
]);
for (const [index, record] of runs.entries()) {
  console.log(`${index === 0 ? 'mock' : 'naive server'}: ${record.verdict}, ${record.sentence}`);
  for (const { id, outcome, message } of record.results) {
    if (['fail', 'warn', 'error', 'inconclusive', 'not-run'].includes(outcome))
      console.log(`  ${outcome} ${id}: ${message}`);
  }
}
console.log(`${((performance.now() - startedAt) / 1000).toFixed(0)} s over real sockets`);
process.exitCode = runs.every(({ exitCode }) => exitCode === 0) ? 0 : 1;

naive.close();
naive.closeAllConnections();
await listening.close();
await mock.close();
