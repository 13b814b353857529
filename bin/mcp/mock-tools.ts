import { z } from 'zod';
import type { Exchange } from '../../mock/journal/exchange.ts';
import { closedObject, oneOf } from '../../spec/files/closed-object.ts';
import { operationIds } from '../../spec/operations.ts';
import { ruleById } from '../../spec/rules.ts';
import type { McpOptions } from './create-server.ts';
import { type Tool, tool } from './tool.ts';

/** Tools that talk to a running mock. */
export function mockTools({ control, allowWrites }: McpOptions): Tool[] {
  const readJournal = tool({
    name: 'read_journal',
    title: "Read the mock's journal",
    description:
      'The newest requests that the mock has answered, newest last. A refused request has its reason and rule.',
    input: closedObject({
      tenant: z.string().optional(),
      operationId: oneOf(operationIds as [string, ...string[]]).optional(),
      status: z
        .string()
        .regex(/^[1-5](?:\d\d|xx)$/, 'must be a status such as 404, or a class such as 4xx')
        .optional()
        .describe('Such as 404, or 4xx.'),
      limit: z.int().min(1, 'must be from 1 to 100').max(100, 'must be from 1 to 100').default(20),
    }),
    annotations: { readOnlyHint: true, openWorldHint: false },
    async run(wanted) {
      const inputs = Object.entries(wanted).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, `${value}`]],
      );
      const { exchanges } = await control.json<{ exchanges: Exchange[] }>(`/journal?${new URLSearchParams(inputs)}`);
      return exchanges.map(inShort);
    },
  });
  const createTenant = tool({
    name: 'create_tenant',
    title: 'Create a tenant in the mock',
    description:
      'Copies a tenant, with new ids and new fake keys. `ids` maps the ids of the original to the ids of the copy.',
    input: closedObject({
      from: z.string().default('acme').describe('Which tenant to copy.'),
      name: z.string().optional(),
    }),
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    run: (body) => control.json('/tenants', { method: 'POST', body }),
  });
  return allowWrites ? [readJournal, createTenant] : [readJournal];
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
