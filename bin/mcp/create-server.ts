import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { packageVersion } from '../../spec/package-facts.ts';
import type { ControlClient } from '../control-client.ts';
import { conformanceTool } from './conformance-tool.ts';
import { contractTools } from './contract-tools.ts';
import { mockTools } from './mock-tools.ts';

export interface McpOptions {
  /** Where the mock runs. */
  readonly control: ControlClient;
  /** The target file of the deployment that conformance is run against; the mock where none is given. */
  readonly target?: string | undefined;
  /** Whether tools may change anything: make tenants, or put labels on and take them off again. */
  readonly allowWrites: boolean;
}

const instructions = `The partner API, its rules, and a mock of it. Only a rule whose provenance is "documented" can be broken: \
"reference" was seen in public pages, "assumed" is a decision of this kit. When a request to the mock is refused, read_journal says \
why and by which rule. Secrets that the mock shows are fakes.`;

/** The server of `partnerkit mcp`, connected to nothing yet. */
export function createServer(options: McpOptions): McpServer {
  const server = new McpServer({ name: 'partnerkit', version: packageVersion() }, { instructions });
  contractTools(server);
  mockTools(server, options);
  conformanceTool(server, options);
  return server;
}
