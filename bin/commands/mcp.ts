import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Command } from 'commander';
import { interruption } from '../../spec/interruption.ts';
import { controlClient } from '../control-client.ts';
import { createServer } from '../mcp/create-server.ts';
import { mockOptions } from './mock-options.ts';

interface McpFlags {
  readonly mock: string;
  readonly controlToken?: string;
  readonly target?: string;
  readonly allowWrites?: boolean;
}

/** `partnerkit mcp`: serves rules, mock and conformance as tools for agents, over the Model Context Protocol. */
export function define(command: Command): void {
  command
    .option('--target <file>', 'target file of the deployment to check; default: the mock')
    .option('--allow-writes', 'allow agents to create tenants in the mock, and checks to apply and remove labels');
  mockOptions(command).addHelpText('after', '\nExample:\n  partnerkit mcp --allow-writes').action(serve);
}

/** Until standard input ends or a signal comes; then a run of a tool undoes its changes. Only the protocol may write to standard output. */
async function serve({ mock, controlToken, target, allowWrites = false }: McpFlags): Promise<void> {
  const server = createServer({ control: controlClient(mock, controlToken ?? null), target, allowWrites });
  await server.connect(new StdioServerTransport());
  await new Promise<unknown>((done) => {
    process.stdin.once('end', done);
    interruption(() => done(undefined));
  });
  await server.close();
}
