import type { Command } from '@commander-js/extra-typings';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { remoteMock } from '../../mock/adapters/remote-mock.ts';
import { interruption } from '../../spec/interruption.ts';
import { createServer } from '../mcp/create-server.ts';
import { mockOptions } from '../mock-options.ts';

/** `partnerkit mcp`: serves rules, mock and conformance as tools for agents, over the Model Context Protocol. */
export const define = (command: Command) =>
  mockOptions(command)
    .option('--target <file>', 'target file of the deployment to check; default: the mock')
    .option('--allow-writes', 'allow agents to create tenants in the mock, and checks to apply and remove labels')
    .addHelpText('after', '\nExample:\n  partnerkit mcp --allow-writes')
    // Until standard input ends or a signal comes; then a run of a tool undoes its changes. Only the protocol may write to standard output.
    .action(async ({ mock, controlToken, target, allowWrites = false }) => {
      const server = createServer({ control: remoteMock(mock, controlToken), target, allowWrites });
      await server.connect(new StdioServerTransport());
      await new Promise<unknown>((done) => {
        process.stdin.once('end', done);
        interruption(() => done(undefined));
      });
      await server.close();
    });
