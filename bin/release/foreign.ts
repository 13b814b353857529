import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createServedMock } from '../../mock/adapters/create-served-mock.ts';
import { clientSuite } from './foreign/clients/client-suite.ts';
import { go } from './foreign/clients/go.ts';
import { postman } from './foreign/clients/postman.ts';
import { python } from './foreign/clients/python.ts';
import { http } from './foreign/http.ts';
import { mcp } from './foreign/mcp.ts';
import { openapiGenerator } from './foreign/openapi-generator.ts';
import { schemathesis } from './foreign/schemathesis.ts';
import { specmatic } from './foreign/specmatic.ts';
import { spectral } from './foreign/spectral.ts';
import { judged, type Suite } from './foreign/suite.ts';

/**
 * Test suites and generators that nobody here wrote, each pinned, each against a new mock. `npm run check:foreign` is what CI
 * runs, `-- --long` tries more, `-- --only spectral` one of them. A failure that is no known false alarm fails, and so does a
 * false alarm that the long form no longer sees.
 */
const suites: Readonly<Record<string, Suite>> = {
  http,
  spectral,
  mcp,
  specmatic,
  schemathesis,
  'openapi-generator': openapiGenerator,
  postman: clientSuite(postman),
  python: clientSuite(python),
  go: clientSuite(go),
};

const { only, long = false } = parseArgs({
  options: { only: { type: 'string' }, long: { type: 'boolean' } },
}).values;
const wanted = Object.entries(suites).filter(([name, suite]) =>
  only === undefined ? long || !suite.onlyLong : name === only,
);
if (wanted.length === 0) throw new Error(`--only ${only}: give one of ${Object.keys(suites).join(', ')}`);

const root = resolve(import.meta.dirname, '../..');
for (const [name, { run, falseAlarms = [] }] of wanted) {
  const startedAt = performance.now();
  await using mock = await createServedMock({ rateLimit: false });
  const { url, port } = await mock.listen({ port: 0 });
  const folder = join(root, '.cache/foreign', name);
  const apiKey = 'acmefull-fake-secret-0000000000000001';
  // A suite that cannot run fails, and the others are still tried.
  const { tried, failed } = await run({ folder, long, url, port, apiKey }).catch((error: Error) => ({
    tried: 0,
    failed: [error.message],
  }));
  const { defects, unseen } = judged(failed, falseAlarms);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const told = `${tried} tried, ${defects.length} failed, ${failed.length - defects.length} known false alarms, ${seconds} s`;
  process.stdout.write(`${name}: ${told}\n${defects.map((line) => `  ${line}\n`).join('')}`);
  const stale = long ? unseen : [];
  for (const [known] of stale) process.stdout.write(`  no longer seen, take this false alarm out: ${known}\n`);
  if (tried === 0 || defects.length > 0 || stale.length > 0) process.exitCode = 1;
}
// A program that could not be started leaves the timer of its time limit.
process.exit();
