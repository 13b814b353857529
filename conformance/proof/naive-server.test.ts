import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseTarget } from '../../spec/files/target.ts';
import { readYamlFile } from '../../spec/files/yaml-file.ts';
import { nodeEnvironment } from '../client/node-environment.ts';
import { runConformance } from '../index.ts';
import { memoryJournal } from '../journal/write-journal.ts';
import { naiveServer } from './naive-server.ts';

it('imports nothing from partnerkit', () => {
  const source = readFileSync(new URL('naive-server.ts', import.meta.url), 'utf8');
  const imported = [...source.matchAll(/from '([^']+)'/g)].map((match) => match[1]);
  expect(imported.every((name) => name?.startsWith('node:'))).toBe(true);
});

it('passes the laws about labels, contexts and uploads over real sockets', async () => {
  const file = new URL('naive-server.target.yaml', import.meta.url).pathname;
  const server = await naiveServer(0);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const target = { ...parseTarget(readYamlFile(file), {}, file), baseUrl: `http://127.0.0.1:${port}` };
  const environment = nodeEnvironment();
  const only = ['labels', 'context', 'upload'];
  const report = await runConformance(target, { environment, journal: memoryJournal(), allowLeftovers: true, only });
  environment.close();
  server.close();
  server.closeAllConnections();
  const odd = report.rows.filter(({ outcome }) =>
    ['fail', 'warn', 'error', 'inconclusive', 'not-run'].includes(outcome),
  );
  expect(odd.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
  expect(report.exitCode).toBe(0);
});
