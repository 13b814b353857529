import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createServer, type McpOptions } from './create-server.ts';

/** Serves until standard input ends. Only the protocol may write to standard output. */
export async function serveOverStdio(options: McpOptions): Promise<void> {
  const server = createServer(options);
  await server.connect(new StdioServerTransport());
  await new Promise((done) => process.stdin.once('end', done));
  await server.close();
}
