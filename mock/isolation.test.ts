import { expect, it } from 'vitest';
import { type OperationId, operationList } from '../spec/operations.ts';
import { createMock } from './create-mock.ts';
import { acme, acmeParameters, globex } from './proof/acme.ts';
import { contractClient } from './proof/contract-client.ts';
import { defaultSeeds } from './seed/generated/tenants.ts';

const own = defaultSeeds.find(({ tenant }) => tenant === 'acme');
const foreign = defaultSeeds.find(({ tenant }) => tenant === 'globex');
const idsOf = (seed: typeof own) =>
  [
    ...(seed?.labels ?? []),
    ...(seed?.clients ?? []),
    ...(seed?.sites ?? []),
    ...(seed?.conversations ?? []),
    ...(seed?.users ?? []),
  ].map(({ id }) => id);

/** Ids that only acme has: globex has a legacy site of the same number on purpose. */
const onlyAcmes = idsOf(own).filter((id) => !idsOf(foreign).includes(id));

const bodies: Partial<Record<OperationId, unknown>> = { startSiteFileUpload: { contentType: 'text/plain' } };

it.each(operationList)(
  '$id: the owner is served, and a key of another tenant gets nothing and changes nothing',
  async (operation) => {
    const { id, path, success } = operation;
    await using mock = await createMock({ rateLimit: false });
    const owner = contractClient(mock, acme.full);
    const stranger = contractClient(mock, globex.full);
    const params = acmeParameters(path);
    let body = bodies[id];

    if (id === 'registerSiteFile') {
      const started = await owner.call('startSiteFileUpload', { params, body: { contentType: 'text/plain' } });
      const { pathname, search } = new URL(started.body.uploadUrl);
      await owner.send('PUT', pathname + search, {
        body: 'x',
        headers: { 'content-type': 'text/plain' },
        key: undefined,
      });
      body = { fileKey: started.body.fileKey };
    }

    const before = JSON.stringify(await stateOf(owner));
    const refused = await stranger.call(id, { params, body });
    if (Object.keys(params).length > 0) expect([refused.status, refused.body.error.code]).toEqual([404, 'NOT_FOUND']);
    const leaked = onlyAcmes.filter(
      (known) =>
        refused.text.includes(known.length > 8 ? known : `"${known}"`) && !Object.values(params).includes(known),
    );
    expect(leaked).toEqual([]);
    expect(JSON.stringify(await stateOf(owner))).toBe(before);

    expect((await owner.call(id, { params, body })).status).toBe(success);
  },
);

/** Everything that the owner can see of what others might have changed. */
async function stateOf(owner: ReturnType<typeof contractClient>) {
  const read = async (id: OperationId, params: Record<string, string>) => (await owner.call(id, { params })).body;
  return [
    await read('getConversationContext', { id: acme.open }),
    await read('getConversation', { id: acme.open }),
    await read('removeSiteLabel', { id: acme.site, labelId: acme.gateCode }),
    await read('removeClientSiteLabel', { clientId: acme.client, siteId: acme.site, labelId: acme.gateCode }),
  ];
}

it.each(['applySiteLabel', 'removeSiteLabel', 'startSiteFileUpload', 'getSite'] as const)(
  '%s: a legacy site number that both tenants use means the own site',
  async (id) => {
    const mock = await createMock({ rateLimit: false });
    const owner = contractClient(mock, acme.full);
    const stranger = contractClient(mock, globex.full);
    const look = async () =>
      (await owner.call('removeSiteLabel', { params: { id: acme.legacySite, labelId: acme.gateCode } })).text;
    const before = await look();
    const [theirs] = (await stranger.call('listLabels')).body.labels;
    const params = { id: acme.legacySite, labelId: theirs.id };
    expect((await stranger.call(id, { params, body: { contentType: 'a/b' } })).status).toBeLessThan(300);
    expect(await look()).toBe(before);
  },
);

it("refuses a stranger's fileKey and one of another site, and keeps them for their owner", async () => {
  await using mock = await createMock({ rateLimit: false });
  const owner = contractClient(mock, acme.full);
  const stranger = contractClient(mock, globex.full);
  const { body } = await owner.call('startSiteFileUpload', { params: { id: acme.site }, body: { contentType: 'a/b' } });
  const { pathname, search } = new URL(body.uploadUrl);
  await owner.send('PUT', pathname + search, { body: 'x', headers: { 'content-type': 'a/b' } });
  const file = { fileKey: body.fileKey };
  expect((await stranger.call('registerSiteFile', { params: { id: globex.site }, body: file })).status).toBe(404);
  expect((await owner.call('registerSiteFile', { params: { id: acme.legacySite }, body: file })).status).toBe(404);
  expect((await owner.call('registerSiteFile', { params: { id: acme.site }, body: file })).status).toBe(201);
});
