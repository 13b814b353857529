import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { packageVersion } from '../../spec/package-facts.ts';
import type { ControlClient } from '../control-client.ts';
import { conformanceTool } from './conformance-tool.ts';
import { contractTools } from './contract-tools.ts';
import { mockTools } from './mock-tools.ts';

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

/** The server of `partnerkit mcp`. It is not connected yet. */
export function createServer(options: McpOptions): McpServer {
  const server = new McpServer({ name: 'partnerkit', version: packageVersion() }, { instructions });
  contractTools(server);
  mockTools(server, options);
  conformanceTool(server, options);
  return server;
}
