import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { interruption } from '../../spec/interruption.ts';
import { createServer, type McpOptions } from './create-server.ts';

/** Serves until standard input ends or a signal comes; then a run of a tool undoes its changes. Only the protocol may write to standard output. */
export async function serveOverStdio(options: McpOptions): Promise<void> {
  const server = createServer(options);
  await server.connect(new StdioServerTransport());
  await new Promise<unknown>((done) => {
    process.stdin.once('end', done);
    interruption(() => done(undefined));
  });
  await server.close();
}
