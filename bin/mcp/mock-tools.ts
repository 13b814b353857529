import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { Exchange } from '../../mock/journal/exchange.ts';
import { operationIds } from '../../spec/operations.ts';
import { ruleById } from '../../spec/rules.ts';
import { answer } from './answer.ts';
import type { McpOptions } from './create-server.ts';

/** Tools that talk to a running mock. */
export function mockTools(server: McpServer, { control, allowWrites }: McpOptions): void {
  server.registerTool(
    'read_journal',
    {
      title: "Read the mock's journal",
      description:
        'The newest requests that the mock has answered, newest last. A refused request has its reason and rule.',
      inputSchema: {
        tenant: z.string().optional(),
        operationId: z.enum(operationIds as [string, ...string[]]).optional(),
        status: z
          .string()
          .regex(/^[1-5](?:\d\d|xx)$/)
          .optional()
          .describe('Such as 404, or 4xx.'),
        limit: z.int().min(1).max(100).default(20),
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (wanted) =>
      answer(async () => {
        const inputs = Object.entries(wanted).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, `${value}`]],
        );
        const reply = await control.ask(`/journal?${new URLSearchParams(inputs)}`);
        const { exchanges }: { exchanges: Exchange[] } = await reply.json();
        return exchanges.map(inShort);
      }),
  );
  if (!allowWrites) return;
  server.registerTool(
    'create_tenant',
    {
      title: 'Create a tenant in the mock',
      description:
        'Copies a tenant, with new ids and new fake keys. `ids` maps the ids of the original to the ids of the copy.',
      inputSchema: {
        from: z.string().default('acme').describe('Which tenant to copy.'),
        name: z.string().optional(),
      },
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    (body) => answer(async () => (await control.ask('/tenants', { method: 'POST', body })).json()),
  );
}

/** The parts of an exchange that show what happened. */
function inShort({ id, at, tenant, key, operationId, request, reply, refused, why, rule, fault }: Exchange) {
  return {
    id,
    at,
    tenant,
    key,
    operationId,
    request: { method: request.method, url: request.url, body: request.body?.text ?? null },
    reply: { status: reply.status, body: reply.body?.text ?? null },
    ...(refused !== null && { refused, why, rule: rule === null ? null : ruleById(rule) }),
    ...(fault !== null && { fault }),
  };
}
