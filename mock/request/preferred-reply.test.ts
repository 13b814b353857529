import { expect, it } from 'vitest';
import { operationList } from '../../spec/operations.ts';
import { fillPath } from '../../spec/routes.ts';
import { createMock } from '../create-mock.ts';
import { acme, acmeParameters } from '../proof/acme.ts';
import { contractClient } from '../proof/contract-client.ts';

const mock = await createMock({ rateLimit: false });
const client = contractClient(mock, acme.full);
const ask = (path: string, prefer: string, method = 'GET') => client.send(method, path, { headers: { prefer } });

it.each(operationList)('answers $id with its named example, and with a body from its schema', async (operation) => {
  const { method, path, success } = operation;
  const url = fillPath(path, acmeParameters(path));
  const state = async () => (await mock.snapshot()).tenants.map(({ labels, files }) => ({ labels, files }));
  const before = await state();
  const named = await ask(url, 'example=typical', method);
  const made = await ask(url, 'dynamic=true', method);
  expect([named.status, made.status, named.trace.refused]).toEqual([success, success, 'preferred']);
  expect(named.body).toEqual(expect.any(Object));
  expect(named.trace.why).toContain('example=typical');
  expect(await state()).toEqual(before);
});

it('refuses what the document does not declare, and names what it does', async () => {
  expect(await ask('/v1/labels', 'example=none')).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringMatching(/example=none is not an example .* choose one of typical\./) } },
  });
  expect(await ask('/v1/labels', 'code=418, example=typical')).toMatchObject({ status: 400 });
  expect(await ask('/v1/labels', 'example=__proto__')).toMatchObject({ status: 400 });
});

it('takes the status and the example together, as several headers too', async () => {
  expect(await ask(`/v1/conversation/${acme.open}`, 'code=404; example=typical')).toMatchObject({ status: 404 });
  expect(await ask('/v1/labels', 'code=200, dynamic=true')).toMatchObject({
    status: 200,
    trace: { refused: 'preferred' },
  });
  expect(await ask('/v1/labels', 'dynamic=false, wait=5')).toMatchObject({ status: 200, trace: { refused: null } });
});
