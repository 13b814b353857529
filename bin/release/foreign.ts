import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createServedMock } from '../../mock/adapters/create-served-mock.ts';
import { controlClient } from '../control-client.ts';
import { createServer } from '../mcp/create-server.ts';
import { fromPip, root, run } from './programs.ts';

/**
 * `npm run check:foreign` runs test suites and a generator that nobody here wrote, each pinned, against a mock without a rate limit. A
 * failure that is no known false alarm fails. `-- 500` gives Schemathesis more examples for each operation.
 */

const [examples = '25'] = process.argv.slice(2);
const folder = join(root, '.cache');
const apiKey = 'acmefull-fake-secret-0000000000000001';
await using mock = await createServedMock({ rateLimit: false });
const { url } = await mock.listen({ port: 0 });

/** All four phases and all checks, over the document that the mock serves. */
async function schemathesis(): Promise<string[]> {
  const program = join(await fromPip('schemathesis', 'schemathesis==4.32.5'), 'schemathesis');
  const report = join(folder, 'schemathesis.ndjson');
  const options = [
    ...['--url', url, '--header', `x-api-key: ${apiKey}`, '--continue-on-failure', '--checks', 'all'],
    ...['--phases', 'examples,coverage,fuzzing,stateful', '--max-examples', examples, '--seed', '1'],
    ...['--generation-database', 'none', '--report', 'ndjson', '--report-ndjson-path', report],
  ];
  await run(program, ['run', `${url}/_mock/openapi.json`, ...options], { cwd: folder, codes: [0, 1] });
  const events = readFileSync(report, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const scenarios = events.flatMap(({ ScenarioFinished }) => ScenarioFinished?.recorder ?? []);
  if (scenarios.length < 14) throw new Error(`schemathesis tried ${scenarios.length} scenarios only`);
  return scenarios.flatMap(({ checks = {}, interactions }) =>
    Object.entries<{ name: string; status: string }[]>(checks).flatMap(([id, all]) =>
      all
        .filter(({ status }) => status === 'failure')
        .map(({ name }) => {
          const { request, response } = interactions[id];
          const body = Buffer.from(response?.content?.$base64 ?? '', 'base64');
          return `${request.method} ${request.uri.replace(url, '')}: ${name}: ${response?.status_code} ${body}`;
        }),
    ),
  );
}

async function servedDocument(): Promise<string> {
  const document = join(folder, 'openapi.json');
  writeFileSync(document, await (await fetch(`${url}/_mock/openapi.json`)).text());
  return document;
}

/** The server scenarios of the Model Context Protocol's suite. It speaks HTTP only, so the SDK's transport stands in front of our server. */
async function modelContextProtocol(): Promise<string[]> {
  const app = createMcpExpressApp();
  app.post('/mcp', async (request, response) => {
    const transport = new StreamableHTTPServerTransport();
    await createServer({ control: controlClient(url, null), allowWrites: true }).connect(transport);
    await transport.handleRequest(request, response, request.body);
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const suite = ['--yes', '@modelcontextprotocol/conformance@0.1.16', 'server', '--suite', 'all'];
    const output = await run('npx', [...suite, '--url', address, '--output-dir', join(folder, 'mcp')], {
      codes: [0, 1],
    });
    const scenarios = [...output.matchAll(/^([✓✗]) (\S+): \d+ passed, \d+ failed/gm)];
    if (scenarios.length < 30) throw new Error(`the MCP suite tried ${scenarios.length} scenarios only:\n${output}`);
    return scenarios.filter(([, mark]) => mark === '✗').map(([, , name = '']) => name);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** A client in Java by OpenAPI Generator, which must compile. */
async function openapiGenerator(): Promise<string[]> {
  const program = join(await fromPip('openapi-generator', 'openapi-generator-cli==7.26.0'), 'openapi-generator-cli');
  const java = join(folder, 'java');
  await run(program, ['generate', '-i', await servedDocument(), '-g', 'java', '--library', 'native', '-o', java]);
  await run('mvn', ['-q', '-B', '-f', join(java, 'pom.xml'), '-Dmaven.test.skip=true', 'compile']);
  return [];
}

/** Failures that a correct mock gets too, with the reason. */
const falseAlarms: readonly (readonly [alarm: RegExp, reason: string])[] = [
  [
    /^\w+ \/v1\/client\/ovcid-\S*%(0A|0D|C2%85|E2%80%A[89])\S*: positive_data_acceptance: 400 .*must match the pattern/,
    'a dot matches no end of a line in the expressions of JSON Schema (ECMA-262), but all except \\n in those of Python',
  ],
  [
    /^\w+ \/v1\/conversation\/(?![\da-f]{8}-)\S+: positive_data_acceptance: 400 .*path\.id must be a UUID/,
    'it takes the id of a site for that of a conversation, because the parameters of both are named id',
  ],
  [/^(?:prompts|resources)-|^completion-complete$/, 'the server has no prompts and no resources, and says so'],
  [
    /^logging-|^elicitation-|^server-sse-polling$|^tools-call-(?:with-logging|with-progress|sampling|elicitation)$/,
    'the server neither logs to the client, nor asks it, nor streams',
  ],
  [
    /^tools-call-(?:image|audio|embedded-resource|mixed-content)$|^json-schema-2020-12$/,
    'it calls a tool of the example server of the suite',
  ],
];

for (const suite of [schemathesis, modelContextProtocol, openapiGenerator]) {
  const failed = await suite();
  const defects = failed.filter((line) => !falseAlarms.some(([alarm]) => alarm.test(line)));
  const known = failed.length - defects.length;
  process.stdout.write(`${suite.name}: ${defects.length} failed, ${known} known false alarms\n${defects.join('\n')}`);
  if (defects.length > 0) process.exitCode = 1;
}
