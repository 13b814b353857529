import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Exchange } from '../../mock/journal/exchange.ts';
import { closedObject, oneOf } from '../../spec/files/closed-object.ts';
import { operationIds, operationList } from '../../spec/operations.ts';
import { packageVersion } from '../../spec/package-facts.ts';
import { ruleById, rules } from '../../spec/rules.ts';
import type { ControlClient } from '../control-client.ts';
import { checkRules } from './check-rules.ts';

export interface McpOptions {
  readonly control: ControlClient;
  /** The target file of the deployment to check. Without it the mock is checked. */
  readonly target?: string | undefined;
  /** Whether tools may create tenants, and apply and remove labels. */
  readonly allowWrites: boolean;
}

/** A tool as clients see it, with the function that makes data for JSON. What it throws is an error of the tool. */
interface Tool<Input extends z.ZodObject> {
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly annotations: ToolAnnotations;
  run(input: z.output<Input>, signal: AbortSignal): unknown;
}

const instructions = `The partner API, its rules, and a mock of it. A deployment can only break rules whose provenance is "documented": \
"reference" was seen in public pages, "assumed" is a decision of this kit. When the mock refuses a request, read_journal says \
why and by which rule. Secrets that the mock shows are fakes.`;

/** The server of `partnerkit mcp`. It is not connected yet. */
export function createServer(options: McpOptions): McpServer {
  const { control, target, allowWrites } = options;
  const server = new McpServer({ name: 'partnerkit', version: packageVersion() }, { instructions });
  const tool = <Input extends z.ZodObject>(name: string, { input, run, ...about }: Tool<Input>) => {
    // The server has checked it by the schema.
    const answer = async (given: unknown, signal: AbortSignal) => run(given as z.output<Input>, signal);
    server.registerTool(name, { ...about, inputSchema: input as z.ZodObject }, async (given, { signal }) => ({
      content: [{ type: 'text', text: JSON.stringify(await answer(given, signal), null, 1) }],
    }));
  };
  const reading = { readOnlyHint: true, openWorldHint: false };

  tool('find_rules', {
    title: 'Find rules of the contract',
    description: 'Rules whose id, section or sentence contain all words of the text. Without a text, all rules.',
    input: closedObject({
      text: z
        .string()
        .max(200, 'must have at most 200 characters')
        .default('')
        .describe('For example "label idempotent" or "limiter/".'),
    }),
    annotations: reading,
    run({ text }) {
      const words = text.toLowerCase().split(/\s+/);
      return rules.filter(({ id, section, rule }) => {
        const searched = `${id} ${section} ${rule}`.toLowerCase();
        return words.every((word) => searched.includes(word));
      });
    },
  });
  tool('list_operations', {
    title: 'List the operations of the API',
    description: 'Method, path, scopes and statuses of every operation, each with its provenance.',
    input: closedObject({}),
    annotations: reading,
    run: () => operationList,
  });
  tool('read_journal', {
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
    annotations: reading,
    async run(wanted) {
      const inputs = Object.entries(wanted).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, `${value}`]],
      );
      const { exchanges } = await control.json<{ exchanges: Exchange[] }>(`/journal?${new URLSearchParams(inputs)}`);
      return exchanges.map(inShort);
    },
  });
  tool('run_conformance', {
    title: 'Check rules against a deployment',
    description: `Sends the requests that the rules need to ${target === undefined ? 'the mock' : `the deployment of ${target}`} and judges them. A few rules take seconds, all of them minutes.`,
    input: closedObject({
      only: z
        .array(z.string())
        .min(1, 'must have at least one id')
        .max(20, 'must have at most 20 ids')
        .describe('Ids of rules, or how they start, such as "labels/apply-adds" or "auth".'),
    }),
    annotations: { readOnlyHint: !allowWrites, destructiveHint: false, openWorldHint: target !== undefined },
    run: ({ only }, signal) => checkRules(only, options, signal),
  });
  if (allowWrites)
    tool('create_tenant', {
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
  return server;
}

/** The parts of an exchange that show what happened. */
function inShort({ id, at, tenant, key, operationId, request, reply, refused, why, rule, fault }: Exchange) {
  return {
    ...{ id, at, tenant, key, operationId },
    request: { method: request.method, url: request.url, body: request.body?.text ?? null },
    reply: { status: reply.status, body: reply.body?.text ?? null },
    ...(refused !== null && { refused, why, rule: rule === null ? null : ruleById(rule) }),
    ...(fault !== null && { fault }),
  };
}
