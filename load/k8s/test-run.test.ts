import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { testRun } from './test-run.ts';

const schema: object = JSON.parse(readFileSync(new URL('test-run.schema.json', import.meta.url), 'utf8'));
const valid = new Ajv2020({ strict: true }).compile(schema);

test.each([
  ['from a ConfigMap', {}],
  ['with results', { results: 'load-results' }],
])('a TestRun %s is one', (_, more) => {
  const run = testRun({
    scenario: 'fleet',
    parallelism: 4,
    variables: ['ACME_KEY'],
    ...more,
  });
  expect(valid(run), JSON.stringify(valid.errors)).toBe(true);
  expect(JSON.stringify(run)).toContain('{"secretKeyRef":{"name":"partnerkit-load","key":"ACME_KEY"}}');
});

test('the schema finds an image without its version, a misspelt field and two scripts', () => {
  const run = testRun({ scenario: 'fleet', parallelism: 4, variables: [] });
  const { runner } = run.spec;
  const wrong = [
    { ...run, spec: { ...run.spec, runner: { ...runner, image: 'grafana/k6:latest' } } },
    { ...run, spec: { ...run.spec, parallelisms: 4 } },
    { ...run, spec: { ...run.spec, script: { configMap: { name: 'a' }, localFile: '/a' } } },
    { ...run, spec: { ...run.spec, parallelism: 0 } },
  ];
  expect(wrong.filter((each) => valid(each))).toEqual([]);
});

test('k8s/fleet.yaml is what load manifest writes', () => {
  const written: unknown = parse(readFileSync(new URL('fleet.yaml', import.meta.url), 'utf8'));
  expect(written).toEqual(
    testRun({
      scenario: 'fleet',
      parallelism: 2,
      variables: ['ACME_LIMITS_KEY', 'ACME_OTHER_KEY'],
      results: 'load-results',
    }),
  );
});
