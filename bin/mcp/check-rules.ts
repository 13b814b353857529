import type { Environment } from '../../conformance/client/environment.ts';
import type { TargetInput } from '../../spec/files/target.ts';
import type { ControlClient } from '../control-client.ts';
import type { McpOptions } from './create-server.ts';

/** Runs conformance against the deployment of the target file, or against the mock. Without `allowWrites` it only reads. */
export async function checkRules(
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
async function mockTarget(control: ControlClient): Promise<TargetInput> {
  const target = await control.json<TargetInput>('/target?format=json');
  const isShown = ({ secret }: { readonly secret: string }) => !secret.startsWith('${');
  const tenants = target.tenants.map((tenant) => ({ ...tenant, keys: tenant.keys.filter(isShown) }));
  return { ...target, baseUrl: control.url, tenants: tenants.filter(({ keys }) => keys.length > 0) };
}
