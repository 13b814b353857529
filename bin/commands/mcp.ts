import type { Command } from 'commander';
import { mockOptions } from './mock-options.ts';

interface McpFlags {
  readonly mock: string;
  readonly controlToken?: string;
  readonly target?: string;
  readonly allowWrites?: boolean;
}

/** `partnerkit mcp`: serves rules, mock and conformance as tools for agents, over the Model Context Protocol. */
export function mcpCommand(command: Command): void {
  command
    .option('--target <file>', 'target file of the deployment to check; default: the mock')
    .option('--allow-writes', 'allow agents to create tenants in the mock, and checks to apply and remove labels');
  mockOptions(command).addHelpText('after', '\nExample:\n  partnerkit mcp --allow-writes').action(serve);
}

async function serve({ mock, controlToken, target, allowWrites = false }: McpFlags): Promise<void> {
  const [{ serveOverStdio }, { controlClient }] = await Promise.all([
    import('../mcp/serve-over-stdio.ts'),
    import('../control-client.ts'),
  ]);
  await serveOverStdio({ control: controlClient(mock, controlToken ?? null), target, allowWrites });
}
