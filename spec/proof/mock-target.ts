import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { parseTarget, type Target, type TargetKey, type TargetTenant } from '../files/target.ts';

const described = parse(readFileSync(new URL('../../fixtures/mock.target.yaml', import.meta.url), 'utf8'));

/**
 * The packaged target, which describes the mock, as if it stood elsewhere.
 * @param rateLimit of all keys, in place of their own
 */
export function mockTarget(baseUrl: string, rateLimit?: TargetKey['rateLimit']): Target {
  const { tenants, ...target } = parseTarget({ ...described, baseUrl }, {}, 'target');
  const raised = (keys: TargetTenant['keys']) => keys.map((key) => ({ ...key, ...(rateLimit && { rateLimit }) }));
  return { ...target, tenants: tenants.map((tenant) => ({ ...tenant, keys: raised(tenant.keys) })) };
}
