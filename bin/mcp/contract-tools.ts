import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { operationList } from '../../spec/operations.ts';
import { rules } from '../../spec/rules.ts';
import { answer } from './answer.ts';

const readOnly = { readOnlyHint: true, openWorldHint: false };

/** Tools that read the contract. They need no mock. */
export function contractTools(server: McpServer): void {
  server.registerTool(
    'find_rules',
    {
      title: 'Find rules of the contract',
      description: 'Rules whose id, section or sentence contain all words of the text. Without a text, all rules.',
      inputSchema: { text: z.string().max(200).default('').describe('For example "label idempotent" or "limiter/".') },
      annotations: readOnly,
    },
    ({ text }) =>
      answer(() => {
        const words = text.toLowerCase().split(/\s+/);
        return rules.filter(({ id, section, rule }) => {
          const searched = `${id} ${section} ${rule}`.toLowerCase();
          return words.every((word) => searched.includes(word));
        });
      }),
  );
  server.registerTool(
    'list_operations',
    {
      title: 'List the operations of the API',
      description: 'Method, path, scopes and statuses of every operation, each with its provenance.',
      annotations: readOnly,
    },
    () => answer(() => operationList),
  );
}
