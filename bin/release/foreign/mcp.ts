import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { controlClient } from '../../control-client.ts';
import { createServer } from '../../mcp/create-server.ts';
import type { Suite } from './suite.ts';
import { npmTools } from './tools.ts';

/** The server scenarios of the Model Context Protocol's own suite. It speaks HTTP only, so the SDK's transport stands in front of our server. */
export const mcp: Suite = {
  async run({ folder, url }) {
    const run = await npmTools(folder, ['@modelcontextprotocol/conformance@0.1.16'], { codes: [0, 1] });
    const app = createMcpExpressApp();
    app.post('/mcp', async (request, response) => {
      const transport = new StreamableHTTPServerTransport();
      await createServer({ control: controlClient(url, null), allowWrites: true }).connect(transport);
      await transport.handleRequest(request, response, request.body);
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const address = `http://127.0.0.1:${port}/mcp`;
      const said = await run('conformance', 'server', '--suite', 'all', '--url', address, '--output-dir', 'results');
      const scenarios = [...said.matchAll(/^([✓✗]) (\S+): \d+ passed, \d+ failed/gm)];
      const failed = scenarios.filter(([, mark]) => mark === '✗').map(([, , name = '']) => name);
      return { tried: scenarios.length, failed };
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
  falseAlarms: [
    ...known('the server has no prompts, and says so', [
      ...['prompts-list', 'prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource'],
      ...['prompts-get-with-image', 'completion-complete'],
    ]),
    ...known('the server has no resources, and says so', [
      ...['resources-list', 'resources-read-text', 'resources-read-binary', 'resources-templates-read'],
      ...['resources-subscribe', 'resources-unsubscribe'],
    ]),
    ...known('the server neither logs to the client, nor asks it, nor streams', [
      ...['logging-set-level', 'tools-call-with-logging', 'tools-call-with-progress', 'tools-call-sampling'],
      ...['tools-call-elicitation', 'elicitation-sep1034-defaults', 'elicitation-sep1330-enums', 'server-sse-polling'],
    ]),
    ...known('it calls a tool of the example server of the suite', [
      ...['tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource', 'tools-call-mixed-content'],
      'json-schema-2020-12',
    ]),
  ],
};

function known(reason: string, scenarios: readonly string[]) {
  return scenarios.map((scenario) => [scenario, reason] as const);
}
