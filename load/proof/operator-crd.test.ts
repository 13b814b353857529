import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { testRun } from '../k8s/test-run.ts';

/**
 * The manifests against the definition of TestRun that a cluster has, or the k6-operator's own: its file is not in this repository.
 *
 *     kubectl get crd testruns.k6.io -o yaml > crd.yaml
 *     PARTNERKIT_PROOF=1 K6_OPERATOR_CRD=crd.yaml npx vitest run load/proof/operator-crd
 */
const file = process.env.K6_OPERATOR_CRD;

/** Kubernetes drops a field that it does not know; here it is a mistake. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key]) => !/^(x-kubernetes-|format$|description$)/.test(key));
  const inner = Object.fromEntries(kept.map(([key, value]) => [key, closed(value)]));
  return {
    ...inner,
    ...('properties' in inner && !('additionalProperties' in inner) && { additionalProperties: false }),
  };
}

test.runIf(file !== undefined)('the manifests fit the operator’s definition of a TestRun', () => {
  const { spec } = parse(readFileSync(file ?? '', 'utf8'));
  const version = spec.versions.find(({ name }: { name: string }) => name === 'v1alpha1');
  const schema = closed(version.schema.openAPIV3Schema) as { properties: Record<string, unknown> };
  // Every kind's own, of which a definition says nothing.
  schema.properties.metadata = { type: 'object' };
  const valid = new Ajv({ strict: false }).compile(schema);
  const options = { parallelism: 4, variables: ['ACME_KEY'], secret: 'partnerkit-load', results: 'load-results' };
  const written = parse(readFileSync(new URL('../k8s/fleet.yaml', import.meta.url), 'utf8'));
  const made = [{}, { volume: 'archives' }].map((where) => testRun({ ...options, scenario: 'fleet', ...where }));
  for (const run of [written, ...made]) expect(valid(run), JSON.stringify(valid.errors)).toBe(true);
  const [first] = made;
  expect(valid({ ...first, spec: { ...first?.spec, parallelisms: 4 } })).toBe(false);
  expect(valid({ ...first, spec: { ...first?.spec, runner: { ...first?.spec.runner, env: 'ACME_KEY' } } })).toBe(false);
});
