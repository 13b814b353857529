import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { Environment } from '../../conformance/client/environment.ts';
import type { RemoteMock } from '../../mock/adapters/remote-mock.ts';
import type { Exchange } from '../../mock/journal/exchange.ts';
import { words } from '../../spec/files/shape-problems.ts';
import type { TargetInput } from '../../spec/files/target.ts';
import { operationIds, operationList } from '../../spec/operations.ts';
import { packageVersion } from '../../spec/package-facts.ts';
import { ruleById, rules } from '../../spec/rules.ts';

interface McpOptions {
  readonly control: RemoteMock;
  /** The target file of the deployment to check. Without it the mock is checked. */
  readonly target?: string | undefined;
  /** Whether tools may create tenants, and apply and remove labels. */
  readonly allowWrites: boolean;
}

/** The library of the protocol checks what a tool is given, and knows none of our words. */
const closedObject = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.strictObject(shape, { error: words });

const instructions = `The partner API, its rules, and a mock of it. A deployment can only break rules whose provenance is "documented": \
"reference" was seen in public pages, "assumed" is a decision of this kit. When the mock refuses a request, read_journal says \
why and by which rule. Secrets that the mock shows are fakes.`;

/** The server of `partnerkit mcp`. It is not connected yet. */
export function createServer(options: McpOptions): McpServer {
  const { control, target, allowWrites } = options;
  const server = new McpServer({ name: 'partnerkit', version: packageVersion() }, { instructions });
  const reading = { readOnlyHint: true, openWorldHint: false };

  server.registerTool(
    'find_rules',
    {
      title: 'Find rules of the contract',
      description: 'Rules whose id, section or sentence contain all words of the text. Without a text, all rules.',
      inputSchema: closedObject({
        text: z.string().default('').describe('For example "label idempotent" or "limiter/".'),
      }),
      annotations: reading,
    },
    ({ text }) => {
      const searchedFor = text.toLowerCase().split(/\s+/);
      const found = rules.filter(({ id, section, rule }) => {
        const searched = `${id} ${section} ${rule}`.toLowerCase();
        return searchedFor.every((word) => searched.includes(word));
      });
      return asJson(found);
    },
  );
  server.registerTool(
    'list_operations',
    {
      title: 'List the operations of the API',
      description: 'Method, path, scopes and statuses of every operation, each with its provenance.',
      inputSchema: closedObject({}),
      annotations: reading,
    },
    () => asJson(operationList),
  );
  server.registerTool(
    'read_journal',
    {
      title: "Read the mock's journal",
      description:
        'The newest requests that the mock has answered, newest last. A refused request has its reason and rule.',
      inputSchema: closedObject({
        tenant: z.string().optional(),
        operationId: z.enum(operationIds, { error: words }).optional(),
        status: z.string().optional().describe('Such as 404, or 4xx.'),
        limit: z.int().min(1, 'must be from 1 to 100').max(100, 'must be from 1 to 100').default(20),
      }),
      annotations: reading,
    },
    async (wanted) => {
      const query = new URLSearchParams(Object.entries(wanted).map(([name, value]) => [name, String(value)]));
      const { exchanges } = await control.json<{ exchanges: Exchange[] }>(`/journal?${query}`);
      return asJson(exchanges.map(inShort));
    },
  );
  server.registerTool(
    'run_conformance',
    {
      title: 'Check rules against a deployment',
      description: `Sends the requests that the rules need to ${target === undefined ? 'the mock' : `the deployment of ${target}`} and judges them. A few rules take seconds, all of them minutes.`,
      inputSchema: closedObject({
        only: z
          .array(z.string())
          .min(1, 'must have at least one id')
          .describe('Ids of rules, or how they start, such as "labels/apply-adds" or "auth".'),
      }),
      annotations: { readOnlyHint: !allowWrites, destructiveHint: false, openWorldHint: target !== undefined },
    },
    async ({ only }, { signal }) => asJson(await checkRules(only, options, signal)),
  );
  if (allowWrites)
    server.registerTool(
      'create_tenant',
      {
        title: 'Create a tenant in the mock',
        description:
          'Copies a tenant, with new ids and new fake keys. `ids` maps the ids of the original to the ids of the copy.',
        inputSchema: closedObject({
          from: z.string().default('acme').describe('Which tenant to copy.'),
          name: z.string().optional(),
        }),
        annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
      },
      async (body) => asJson(await control.json('/tenants', 'POST', body)),
    );
  return server;
}

const asJson = (data: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(data, null, 1) }] });

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

/** Runs conformance against the deployment of the target file, or against the mock. Without `allowWrites` it only reads. */
async function checkRules(
  only: readonly string[],
  { control, target: file, allowWrites }: McpOptions,
  signal: AbortSignal,
) {
  const { loadTarget, parseTarget, runConformance } = await import('../../conformance/index.ts');
  const target = file === undefined ? parseTarget(await mockTarget(control), {}, control.url) : loadTarget(file);
  const environment = file === undefined ? await reachingOnly(control.url) : undefined;
  const options = { only, readOnly: !allowWrites, allowNotRun: true, signal, environment };
  const report = await runConformance(target, options);
  const judged = report.rows.filter(({ outcome }) => outcome !== 'not-selected');
  return {
    verdict: report.verdict,
    deployment: report.target.baseUrl,
    rules: judged.map(({ id, rule, outcome, message, breaches }) => ({ id, rule, outcome, message, breaches })),
  };
}

/** An environment that sends nothing to another origin, even if the mock gives an upload URL there. */
async function reachingOnly(origin: string): Promise<Environment> {
  const [{ nodeEnvironment }, { TransportError }] = await Promise.all([
    import('../../conformance/index.ts'),
    import('../../conformance/client/http.ts'),
  ]);
  const real = nodeEnvironment();
  const send: Environment['send'] = async (request, sending) => {
    const named = new URL(request.url).origin;
    if (named === origin) return real.send(request, sending);
    throw new TransportError('unusable', `the mock gave ${named}, but only ${origin} is sent requests`);
  };
  return { ...real, send };
}

/**
 * The target file of the mock, with the keys whose secrets it shows. The user has named its address, so requests go there, whatever address the
 * mock itself gives.
 */
async function mockTarget(control: RemoteMock): Promise<TargetInput> {
  const target = await control.json<TargetInput>('/target?format=json');
  const isShown = ({ secret }: { readonly secret: string }) => !secret.startsWith('${');
  const tenants = target.tenants.map((tenant) => ({ ...tenant, keys: tenant.keys.filter(isShown) }));
  return { ...target, baseUrl: control.url, tenants: tenants.filter(({ keys }) => keys.length > 0) };
}
