import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { acme } from '../acme.ts';
import { controlOperations } from '../control-client.ts';
import type { Schema } from './contract.ts';
import { hostileJson, hostileText } from './hostile-values.ts';

/** One request to the control API; the path is below `/_mock`. */
interface ControlRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}

interface Described {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

const document = parse(readFileSync(join(import.meta.dirname, '../../control/openapi.yaml'), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** The properties that the body of an operation may have, and those that it must have. */
function bodyOf(method: string, path: string): { readonly all: string[]; readonly required: readonly string[] } {
  const described = document.paths[path.replace('/_mock', '')]?.[method.toLowerCase()];
  const reference = described?.requestBody?.content['application/json']?.schema ?? {};
  const schema = document.components.schemas[reference.$ref?.split('/').at(-1) ?? ''] ?? reference;
  return { all: Object.keys(schema.properties ?? {}), required: schema.required ?? [] };
}

const usual: Readonly<Record<string, readonly unknown[]>> = {
  tenant: ['acme', 'globex', 'clone'],
  from: ['acme', 'initech'],
  name: ['clone', 'made', 'full'],
  scopes: [['site:read'], [], ['no:scope']],
  by: ['5m', '1s', 1000, -1, '99999d'],
  at: [0, '2026-11-21T10:00:00Z', '9999-12-31T23:59:59Z'],
  rateLimit: [{ perSecond: 1, burst: 1 }, null, { perSecond: 0, burst: 1e9 }],
  status: [200, 429, 503, 999, 0],
  times: [0, 1, { atLeast: 1 }],
  drop: ['before', 'after'],
  reply: [{ status: 503 }, { status: 999 }, { status: 200, headers: { 'x-a': 'b' } }],
  query: [{}, { tenant: 'acme' }],
  path: ['/v1/labels', '/v1/**', '***'],
  latency: ['10ms', 'normal:1ms,1ms', 'tail:0ms,0ms', '99h'],
};

const value = (name: string): fc.Arbitrary<unknown> =>
  usual[name] === undefined
    ? hostileJson
    : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...usual[name]) }, { weight: 1, arbitrary: hostileJson });

function bodies(method: string, path: string): fc.Arbitrary<string | undefined> {
  if (method === 'GET' || method === 'DELETE') return fc.constant(undefined);
  const { all, required } = bodyOf(method, path);
  const record = fc.record(Object.fromEntries(all.map((name) => [name, value(name)])), { requiredKeys: [...required] });
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(undefined) },
    { weight: 8, arbitrary: record.map((one) => JSON.stringify(one)) },
    { weight: 1, arbitrary: hostileJson.map((one) => JSON.stringify(one)) },
    { weight: 1, arbitrary: hostileText },
  );
}

/** The usual values of path parameters. `{{key}}` stands for the id of an existing key. */
function segment(path: string, name: string): fc.Arbitrary<string> {
  const of: Readonly<Record<string, string>> = {
    conversation: acme.open,
    site: acme.site,
    keys: '{{key}}',
    tenants: 'acme',
  };
  const before = path.split('/').at(path.split('/').indexOf(`{${name}}`) - 1) ?? '';
  const known = name === 'labelId' ? acme.vip : name === 'clientId' ? acme.client : (of[before] ?? '1');
  return fc.oneof(
    { weight: 10, arbitrary: fc.constant(known) },
    { weight: 1, arbitrary: fc.constantFrom('globex', acme.privateLabel, acme.legacySite, 'clone') },
    { weight: 1, arbitrary: hostileText.map((text) => encodeURIComponent(text.toWellFormed()) || '-') },
  );
}

const query = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('tenant', 'limit', 'since', 'status', 'content', 'path', '__proto__'), hostileText)
      .map(([name, text]) => `?${name}=${encodeURIComponent(text.toWellFormed())}`),
  },
);

/** Requests to every operation of the control API but the stream, which does not end. */
export const controlRequests: fc.Arbitrary<ControlRequest> = fc.oneof(
  ...controlOperations
    .filter(({ path }) => !path.endsWith('/stream'))
    .map(({ method, path }) => {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      return fc
        .record({ segments: fc.tuple(...names.map((name) => segment(path, name))), query, body: bodies(method, path) })
        .map(({ segments, query, body }): ControlRequest => {
          const left = [...segments];
          const filled = path.replace('/_mock', '').replace(/\{\w+\}/g, () => left.shift() ?? '-');
          return { method, path: filled + query, body };
        });
    }),
);
