import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigurationError } from './configuration-error.ts';
import { loadTarget, parseTarget, type TargetInput } from './target.ts';

const uuid = '7b0e4c1e-5a51-4d0b-9a44-2f3f6a6f0c11';
const key = { name: 'full', secret: 'pk_full', scopes: ['conversation:read' as const] };
const smallest = {
  baseUrl: 'https://connect.example.com',
  tenants: [{ name: 'acme', keys: [key] }],
} satisfies TargetInput;

function problemsOf(run: () => unknown): readonly string[] {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

const problems = (value: unknown, env = {}) => problemsOf(() => parseTarget(value, env, 'target.yaml'));
const withKey = (changes: object) => ({ ...smallest, tenants: [{ name: 'acme', keys: [{ ...key, ...changes }] }] });
const withTenant = (changes: object) => ({ ...smallest, tenants: [{ ...smallest.tenants[0], ...changes }] });

describe('parseTarget', () => {
  test('needs a base URL and one key, and fills in the rest', () => {
    expect(parseTarget(smallest, {}, 'target.yaml')).toEqual({
      baseUrl: 'https://connect.example.com',
      tenants: [{ name: 'acme', keys: [{ ...key, rateLimit: { perSecond: 10, burst: 20 }, revoked: false }] }],
      operations: {},
      clockSkewSeconds: 5,
      settleMilliseconds: 1000,
      headers: {},
      upload: { contentType: 'text/plain', headers: {}, registration: {} },
      hooks: {},
    });
  });

  test('takes everything that the format has', () => {
    const full = {
      ...smallest,
      tenants: [
        {
          name: 'acme',
          keys: [{ ...key, rateLimit: { perSecond: 50, burst: 100 }, revoked: true, use: 'limits' }],
          conversations: { open: uuid, closed: uuid },
          sites: { current: `ovaid-${uuid}`, legacy: '10042' },
          clientSite: { client: `ovcid-${uuid}`, site: '10042' },
          spareLabel: { id: uuid },
          privateLabel: { id: uuid, name: 'internal-risk' },
        },
      ],
      operations: {
        applyConversationLabel: {
          method: 'PUT',
          path: '/v1/conversation/{id}/labels/{labelId}',
          scopes: ['site:write'],
        },
        removeSiteLabel: null,
      },
      clockSkewSeconds: 0.5,
      settleMilliseconds: 1000,
      headers: {},
      upload: { contentType: 'text/plain', headers: {}, registration: {} },
      // The shell takes its variables.
      hooks: { revokeKey: 'revoke "${PORTAL_TOKEN}"' },
    };
    expect(parseTarget(full, {}, 'target.yaml')).toEqual(full);
  });

  test('forgets the $schema of a JSON file, which is for editors', () => {
    expect(parseTarget({ $schema: 'x', ...smallest }, {}, 'target.json')).not.toHaveProperty('$schema');
  });

  test.each([
    ['https://host/', 'https://host'],
    ['https://host/base//', 'https://host/base'],
    ['HTTPS://host/Base', 'https://host/Base'],
    ['http://127.0.0.1:4010', 'http://127.0.0.1:4010'],
  ])('reads the base URL %s as %s', (baseUrl, normalised) => {
    expect(parseTarget({ ...smallest, baseUrl }, {}, 'target.yaml').baseUrl).toBe(normalised);
  });

  test.each([
    ['https://host/v1', 'must not end with /v1'],
    ['https://host/v1/', 'must not end with /v1'],
    ['ftp://host', 'must be an http or https URL'],
    ['connect.example.com', 'must be an http or https URL'],
    ['https://', 'must be an http or https URL'],
    ['https://host/?a=1', 'must have neither a query'],
    ['https://me:secret@host', 'must have no user'],
  ])('refuses the base URL %s', (baseUrl, message) => {
    const found = problems({ ...smallest, baseUrl });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`target.yaml: baseUrl: ${message}`);
  });

  test.each([
    [
      'a misspelt property',
      withKey({ scope: [] }),
      'tenants[0].keys[0].scope: unknown property; did you mean "scopes"?',
    ],
    [
      'a foreign property',
      { ...smallest, colour: 1 },
      'colour: unknown property; allowed: $schema, baseUrl, tenants, ',
    ],
    ['an unknown operation', { ...smallest, operations: { removeSiteLable: null } }, 'did you mean "removeSiteLabel"?'],
    [
      'an unknown scope',
      withKey({ scopes: ['site:wirte'] }),
      'tenants[0].keys[0].scopes[0]: unknown value "site:wirte"; did you mean "site:write"?',
    ],
    ['an unknown use', withKey({ use: 'none' }), 'tenants[0].keys[0].use: unknown value "none"; allowed: limits'],
    ['no key', withTenant({ keys: [] }), 'tenants[0].keys: must have at least one key'],
    ['no tenant', { ...smallest, tenants: [] }, 'tenants: must have at least one tenant'],
    ['no base URL', { tenants: smallest.tenants }, 'baseUrl: is missing'],
    ['a key without secret', withKey({ secret: undefined }), 'tenants[0].keys[0].secret: is missing'],
    ['an empty secret', withKey({ secret: '' }), 'tenants[0].keys[0].secret: must be visible ASCII'],
    ['a bare number', withTenant({ sites: { legacy: 10042 } }), 'sites.legacy: must be a text; put it in quotes'],
    ['a malformed id', withTenant({ conversations: { open: 'x' } }), 'tenants[0].conversations.open: must be a UUID'],
    [
      'a client id without its prefix',
      withTenant({ clientSite: { client: uuid, site: '1' } }),
      'tenants[0].clientSite.client: must start with "ovcid-"',
    ],
    [
      'a header with a line break',
      { ...smallest, headers: { 'x-team': 'a\nb' } },
      'headers.x-team: must have no line break',
    ],
    [
      'a content type among the headers of uploads',
      { ...smallest, upload: { headers: { 'Content-Type': 'a/b' } } },
      'upload.headers: must not name Content-Type',
    ],
    ['two keys of one name', withTenant({ keys: [key, key] }), 'tenants[0].keys[1].name: another key of this tenant'],
    [
      'two tenants of one name',
      { ...smallest, tenants: [...smallest.tenants, ...smallest.tenants] },
      'tenants[1].name: another tenant has this name',
    ],
    ['a rate of nothing', withKey({ rateLimit: { perSecond: 0 } }), 'keys[0].rateLimit.perSecond: must be above 0'],
    ['half a request', withKey({ rateLimit: { burst: 2.5 } }), 'keys[0].rateLimit.burst: must be a whole number'],
    ['something else', 'https://host', 'target.yaml: must be an object'],
  ])('refuses %s', (_, value, message) => {
    const found = problems(value);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^target\.yaml: /);
    expect(found[0]).toContain(message);
  });

  test.each(['siteLabel:write', 'siteFile:read', 'webhook:write'])(
    'takes the scope %s, which the specification may only not show',
    (name) => {
      expect(problems(withKey({ scopes: [name] }))).toEqual([]);
    },
  );

  test.each([
    ['/v1/conversation/{conversationId}/label/{labelId}', 'must have the path parameters {id}, {labelId}, each once'],
    ['/v1/conversation/{id}', 'must have the path parameters {id}, {labelId}'],
    [
      '/v1/conversation/c-{id}/label/{labelId}',
      'must have the path parameters {id}, {labelId}, each once and between slashes',
    ],
    ['/v1/conversation/{id}/{id}/{labelId}', 'must have the path parameters {id}, {labelId}, each once'],
    ['v1/conversation/{id}/label/{labelId}', 'must start with "/"'],
    ['/v1/conversation/{id}?label={labelId}', 'must start with "/"'],
  ])('refuses the path %s for a conversation label', (path, message) => {
    const found = problems({ ...smallest, operations: { applyConversationLabel: { path } } });
    expect(found.join()).toContain(`target.yaml: operations.applyConversationLabel.path: ${message}`);
  });

  test('lists every problem', () => {
    const found = problems({
      baseUrl: 'host',
      tenants: [{ name: '', keys: [{ name: 'a', scopes: ['site:raed'], secert: 's' }] }],
    });
    expect(found.map((line) => line.split(': ')[1])).toEqual([
      'baseUrl',
      'tenants[0].name',
      'tenants[0].keys[0].secret',
      'tenants[0].keys[0].scopes[0]',
      'tenants[0].keys[0].secert',
    ]);
  });

  test('never repeats a secret', () => {
    expect(problems(withKey({ secret: 'hidden secret', scopes: 1 })).join()).not.toContain('hidden');
  });
});

describe(`\${NAME}`, () => {
  test('takes the environment variable, anywhere', () => {
    const target = parseTarget(
      { ...withKey({ secret: `pk_\${ACME_KEY}` }), baseUrl: `https://\${HOST}:\${PORT}` },
      { ACME_KEY: '123', HOST: 'example.com', PORT: '8443' },
      'target.yaml',
    );
    expect([target.baseUrl, target.tenants[0]?.keys[0]?.secret]).toEqual(['https://example.com:8443', 'pk_123']);
  });

  test('that is not set is named with its place, once, beside the other problems', () => {
    const value = { ...withKey({ secret: `\${ACME_READER_KEY}`, use: 'none' }), baseUrl: `\${BASE}` };
    expect(problems(value)).toEqual([
      'target.yaml: baseUrl: environment variable BASE is not set',
      'target.yaml: tenants[0].keys[0].secret: environment variable ACME_READER_KEY is not set',
      'target.yaml: tenants[0].keys[0].use: unknown value "none"; allowed: limits',
    ]);
  });

  test('that is not set leaves no other complaint about its text', () => {
    expect(problems(withTenant({ conversations: { open: `\${OPEN}` } }))).toEqual([
      'target.yaml: tenants[0].conversations.open: environment variable OPEN is not set',
    ]);
  });

  test.each(['$ACME_KEY', `\${ACME_KEY:-x}`, '%ACME_KEY%'])('is named where it was meant: %s', (secret) => {
    const remedy = /: looks like a variable; write "\$\{NAME\}"/;
    const [line, ...others] = problems({ ...withKey({ secret }), headers: {} }, { ACME_KEY: 'pk' });
    expect([line, others]).toEqual([expect.stringMatching(remedy), []]);
    expect(problems({ ...smallest, headers: { authorization: `Bearer ${secret}` } })).toEqual([
      expect.stringMatching(/headers\.authorization: looks like/),
    ]);
    expect(problems(withTenant({ spareLabel: { id: uuid, name: secret } }))).toEqual([]);
  });

  test('is not looked for in a value of the environment', () => {
    const target = parseTarget(withKey({ secret: `\${A}` }), { A: `\${B}`, B: 'b' }, 'target.yaml');
    expect(target.tenants[0]?.keys[0]?.secret).toBe(`\${B}`);
  });
});

describe('loadTarget', () => {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-target-'));
  const write = (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const yaml = `
baseUrl: https://connect.example.com
tenants:
  - name: acme
    keys: [{ name: full, secret: "\${ACME_KEY}", scopes: [conversation:read] }]
`;

  test('reads YAML', () => {
    const target = loadTarget(write('target.yaml', yaml), { ACME_KEY: 'pk' });
    expect(target.tenants[0]?.keys[0]).toMatchObject({ secret: 'pk', scopes: ['conversation:read'] });
  });

  test('reads JSON', () => {
    expect(loadTarget(write('target.json', JSON.stringify(smallest)), {}).baseUrl).toBe(smallest.baseUrl);
  });

  test('names the file', () => {
    const file = write('unset.yaml', yaml);
    expect(problemsOf(() => loadTarget(file, {}))).toEqual([
      `${file}: tenants[0].keys[0].secret: environment variable ACME_KEY is not set`,
    ]);
  });

  test('names a file that is not there', () => {
    expect(problemsOf(() => loadTarget('nowhere.yaml', {}))).toEqual([
      'nowhere.yaml: cannot be read: there is no such file; check the path',
    ]);
  });

  test('names line and column of a mistake in the syntax', () => {
    const file = write('broken.yaml', 'baseUrl: x\ntenants: [\n');
    expect(problemsOf(() => loadTarget(file, {}))[0]).toMatch(/broken\.yaml:3:1: /);
  });
});
