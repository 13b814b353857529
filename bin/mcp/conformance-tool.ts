import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { TargetInput } from '../../spec/files/target.ts';
import type { ControlClient } from '../control-client.ts';
import { answer } from './answer.ts';
import type { McpOptions } from './create-server.ts';

/** A tool that runs conformance against the deployment of the target file, or against the mock. Without `allowWrites` it only reads. */
export function conformanceTool(server: McpServer, { control, target: file, allowWrites }: McpOptions): void {
  server.registerTool(
    'run_conformance',
    {
      title: 'Check rules against a deployment',
      description: `Sends the requests that the rules need to ${file === undefined ? 'the mock' : `the deployment of ${file}`} and judges them. A few rules take seconds, all of them minutes.`,
      inputSchema: {
        only: z
          .array(z.string())
          .min(1)
          .max(20)
          .describe('Ids of rules, or how they start, such as "labels/apply-adds" or "auth".'),
      },
      annotations: { readOnlyHint: !allowWrites, destructiveHint: false, openWorldHint: file !== undefined },
    },
    ({ only }, { signal }) =>
      answer(async () => {
        const { loadTarget, parseTarget, PreflightError, runConformance, UntrueTarget } = await import(
          '../../conformance/index.ts'
        );
        const { ConfigurationError } = await import('../../spec/files/configuration-error.ts');
        const target = file === undefined ? parseTarget(await mockTarget(control), {}, control.url) : loadTarget(file);
        const options = { only, readOnly: !allowWrites, allowNotRun: true, signal };
        const report = await runConformance(target, options).catch((error: unknown) => {
          if (!(error instanceof PreflightError || error instanceof UntrueTarget)) throw error;
          throw new ConfigurationError([error.message]);
        });
        const judged = report.rows.filter(({ outcome }) => outcome !== 'not-selected');
        return {
          verdict: report.verdict,
          deployment: report.target.baseUrl,
          rules: judged.map(({ id, rule, outcome, message, breaches }) => ({ id, rule, outcome, message, breaches })),
        };
      }),
  );
}

/** The target file of the mock, without tenants that were created on demand: the mock does not show their secrets. */
async function mockTarget(control: ControlClient): Promise<TargetInput> {
  const target: TargetInput = await (await control.ask('/target?format=json')).json();
  const isShown = ({ secret }: { readonly secret: string }) => !secret.startsWith('${');
  return { ...target, tenants: target.tenants.filter(({ keys }) => keys.every(isShown)) };
}
