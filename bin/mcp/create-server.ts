import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { problemLine, shapeProblems } from '../../spec/files/shape-problems.ts';
import { packageVersion } from '../../spec/package-facts.ts';
import { remedy } from '../../spec/text/nearest.ts';
import type { ControlClient } from '../control-client.ts';
import { conformanceTool } from './conformance-tool.ts';
import { answer, contractTools, mockTools } from './tools.ts';

export interface McpOptions {
  readonly control: ControlClient;
  /** The target file of the deployment to check. Without it the mock is checked. */
  readonly target?: string | undefined;
  /** Whether tools may create tenants, and apply and remove labels. */
  readonly allowWrites: boolean;
}

const instructions = `The partner API, its rules, and a mock of it. A deployment can only break rules whose provenance is "documented": \
"reference" was seen in public pages, "assumed" is a decision of this kit. When the mock refuses a request, read_journal says \
why and by which rule. Secrets that the mock shows are fakes.`;

/**
 * The server of `partnerkit mcp`. It is not connected yet. It checks inputs itself, because `McpServer` of the SDK would report mistakes in the
 * words of the schema library.
 */
export function createServer(options: McpOptions): Server {
  const tools = [...contractTools, ...mockTools(options), conformanceTool(options)];
  const server = new Server(
    { name: 'partnerkit', version: packageVersion() },
    { instructions, capabilities: { tools: {} } },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, title, description, input, annotations }) => {
      const inputSchema = { ...z.toJSONSchema(input, { io: 'input' }), type: 'object' as const };
      return { name, title, description, inputSchema, annotations };
    }),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) =>
    answer(() => {
      const called = tools.find(({ name }) => name === params.name);
      if (called === undefined) {
        const names = tools.map(({ name }) => name);
        throw new ConfigurationError([`there is no tool ${params.name}; ${remedy(params.name, names)}`]);
      }
      const { data, error } = called.input.safeParse(params.arguments ?? {}, { reportInput: true });
      if (data === undefined) throw new ConfigurationError(shapeProblems(error).map((one) => problemLine('', one)));
      return called.run(data, signal);
    }),
  );
  return server;
}
