import { z } from 'zod';
import type { Exchange } from '../../mock/journal/exchange.ts';
import { MockError } from '../../mock/mock-error.ts';
import { closedObject, oneOf } from '../../spec/files/closed-object.ts';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { operationIds, operationList } from '../../spec/operations.ts';
import { ruleById, rules } from '../../spec/rules.ts';
import type { McpOptions } from './create-server.ts';

/** A tool as clients see it, with the function that answers. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly annotations: Readonly<
    Partial<Record<'readOnlyHint' | 'destructiveHint' | 'openWorldHint' | 'idempotentHint', boolean>>
  >;
  /** Returns data for JSON, or throws a ConfigurationError. */
  run(input: z.output<Input>, signal: AbortSignal): unknown;
}

/** A tool whose function gets what its schema allows. */
export const tool = <Input extends z.ZodObject>(definition: Tool<Input>): Tool => definition as unknown as Tool;

const text = (text: string) => [{ type: 'text' as const, text }];

/** The answer of a tool: data as JSON text. Whatever is thrown becomes an error of the tool; mistakes have the messages of the command line. */
export async function answer(make: () => unknown) {
  try {
    return { content: text(JSON.stringify(await make(), null, 1)) };
  } catch (error) {
    if (error instanceof ConfigurationError) return { isError: true, content: text(error.problems.join('\n')) };
    if (error instanceof MockError) return { isError: true, content: text(error.message) };
    return { isError: true, content: text(`the tool failed: ${error instanceof Error ? error.message : error}`) };
  }
}

const annotations = { readOnlyHint: true, openWorldHint: false };

/** Tools that read the contract. They need no mock. */
export const contractTools: readonly Tool[] = [
  tool({
    name: 'find_rules',
    title: 'Find rules of the contract',
    description: 'Rules whose id, section or sentence contain all words of the text. Without a text, all rules.',
    input: closedObject({
      text: z
        .string()
        .max(200, 'must have at most 200 characters')
        .default('')
        .describe('For example "label idempotent" or "limiter/".'),
    }),
    annotations,
    run({ text }) {
      const words = text.toLowerCase().split(/\s+/);
      return rules.filter(({ id, section, rule }) => {
        const searched = `${id} ${section} ${rule}`.toLowerCase();
        return words.every((word) => searched.includes(word));
      });
    },
  }),
  tool({
    name: 'list_operations',
    title: 'List the operations of the API',
    description: 'Method, path, scopes and statuses of every operation, each with its provenance.',
    input: closedObject({}),
    annotations,
    run: () => operationList,
  }),
];

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
