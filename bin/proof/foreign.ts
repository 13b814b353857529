import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { remoteMock } from '../../mock/adapters/remote-mock.ts';
import { createServer } from '../mcp/create-server.ts';
import { fromPip, root, run } from '../release/programs.ts';
import { readResults, textOf } from './referee/results.ts';
import { serve } from './referee/serve.ts';
import { schemathesis } from './referee/tools.ts';

/**
 * `npm run check:foreign` runs test suites and a generator that nobody here wrote, each pinned, against a mock without a rate limit.
 * A failure that is no known false alarm fails. `-- 500` gives Schemathesis more examples for each operation.
 */

const [examples = '25'] = process.argv.slice(2);
const folder = join(root, '.cache');
await using served = await serve(null, false);

/** All phases and checks over the document of the mock, apart from what the referee knows that it says of a right mock. */
async function ofSchemathesis(): Promise<string[]> {
  const tool = schemathesis(Number(examples));
  const known = Array.from({ length: 5 }, (_, seed) => readResults(tool.name, seed + 1)?.baseline.off ?? []).flat();
  const complaints = (await tool.judge(served, 1)).map(textOf);
  return complaints.filter((complaint) => !known.includes(complaint));
}

/** The server scenarios of the Model Context Protocol's suite. It speaks HTTP only, so the SDK's transport stands in front of our server. */
async function modelContextProtocol(): Promise<string[]> {
  const app = createMcpExpressApp();
  app.post('/mcp', async (request, response) => {
    const transport = new StreamableHTTPServerTransport();
    await createServer({ control: remoteMock(served.url), allowWrites: true }).connect(transport);
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
    return scenarios.flatMap(([, mark, name = '']) => (mark === '✗' && !falseAlarms.test(name) ? name : []));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** A client in Java by OpenAPI Generator, which must compile. */
async function openapiGenerator(): Promise<string[]> {
  const program = join(await fromPip('openapi-generator', 'openapi-generator-cli==7.26.0'), 'openapi-generator-cli');
  const java = join(folder, 'java');
  await run(program, ['generate', '-i', served.document, '-g', 'java', '--library', 'native', '-o', java]);
  await run('mvn', ['-q', '-B', '-f', join(java, 'pom.xml'), '-Dmaven.test.skip=true', 'compile']);
  return [];
}

/** What fails rightly: our server has no prompts and resources, neither logs, asks nor streams, and has not the tools of the suite's own server. */
const falseAlarms =
  /^(?:prompts|resources|logging|elicitation)-|^completion-complete$|^server-sse-polling$|^json-schema-2020-12$|^tools-call-(?:with-logging|with-progress|sampling|elicitation|image|audio|embedded-resource|mixed-content)$/;

for (const suite of [ofSchemathesis, modelContextProtocol, openapiGenerator]) {
  const failed = await suite();
  process.stdout.write(`${suite.name}: ${failed.length} failed\n${failed.map((line) => `${line}\n`).join('')}`);
  if (failed.length > 0) process.exitCode = 1;
}
