import { describe, expect, it } from 'vitest';
import type { Profile } from '../../spec/files/profile-schema.ts';
import { type OperationId, operationIds, operations } from '../../spec/operations.ts';
import { fillPath } from '../../spec/routes.ts';
import { acme, acmeParameters } from '../proof/acme.ts';
import { mockOf } from '../proof/contract-client.ts';

const full = { key: acme.full };
const line = (id: OperationId, method: string = operations[id].method, path: string = operations[id].path) =>
  `${method} ${fillPath(path, acmeParameters(operations[id].path))}`;

type Override = NonNullable<NonNullable<Profile['operations']>[OperationId]>;

/** Everything about an operation that the specification leaves open, decided in another way. */
function otherwise(id: OperationId): Override {
  const { method, path, provenance } = operations[id];
  const open = (field: 'method' | 'path' | 'scopes' | 'success') => provenance[field] !== 'documented';
  return {
    ...(open('method') && { method: method === 'GET' ? 'POST' : 'PATCH' }),
    ...(open('path') && { path: path.replace('/v1/', '/v1/other/') }),
    ...(open('scopes') && { scopes: ['special:thing'] }),
    ...(open('success') && { status: 202 }),
  };
}

/** What the specification itself has: no deployment is without it. */
const demanded = new Set<OperationId>([
  'listLabels',
  'getConversationContext',
  'applyConversationLabel',
  'removeConversationLabel',
  'applySiteLabel',
  'removeClientSiteLabel',
  'startSiteFileUpload',
  'registerSiteFile',
]);

describe.each(operationIds)('%s', (id) => {
  const { provenance, success } = operations[id];
  const override = otherwise(id);

  it('is served only as the profile describes it', async () => {
    if (override === undefined) return;
    const { scopes, ...rest } = override;
    const { ask, mock } = await mockOf({ operations: { [id]: rest } });
    const body = { contentType: 'a/b' };
    if (id === 'registerSiteFile') {
      const { json } = await ask(`POST /v1/site/${acme.site}/file/upload-url`, { ...full, body });
      await ask(`PUT ${json.uploadUrl}`, { body: 'x', headers: { 'content-type': 'a/b' } });
      Object.assign(body, json);
    }
    const reply = await ask(line(id, override.method, override.path), { ...full, body });
    expect([reply.refused, reply.status]).toEqual([null, rest.status ?? success]);
    expect(reply.json).toEqual(expect.any(Object));
    if (override.path !== undefined) expect((await ask(line(id), full)).status).not.toBe(success);
    await mock.close();
  });

  it('needs the scopes of the profile', async () => {
    if (provenance.scopes === 'documented') return;
    const scoped = await mockOf({ operations: { [id]: { scopes: ['special:thing'] } } });
    expect((await scoped.ask(line(id), full)).refused).toBe('missing-scope');
    const open = await mockOf({ operations: { [id]: { scopes: [] } } });
    expect((await open.ask(line(id), { key: acme.none })).refused).not.toBe('missing-scope');
  });

  it('is absent if the profile says so, unless the specification names it', async () => {
    const absent = mockOf({ operations: { [id]: null } });
    if (demanded.has(id)) return expect(absent).rejects.toThrow(`operations.${id}: the specification has this`);
    const { status, refused } = await (await absent).ask(line(id), full);
    // Its path may still serve another method.
    expect([404, 405]).toContain(status);
    expect(['unknown-path', 'wrong-method']).toContain(refused);
  });
});

it('two operations that no request could tell apart are refused', async () => {
  const path = '/v1/conversation/{id}/label/{labelId}';
  await expect(mockOf({ operations: { removeConversationLabel: { method: 'PUT', path } } })).rejects.toMatchObject({
    // Else the command would print a stack trace.
    name: 'ConfigurationError',
    message: expect.stringMatching(
      /^operations\.removeConversationLabel: PUT .* cannot be told apart from applyConversationLabel/,
    ),
  });
});
