import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { tally } from '../../../spec/proof/tally/tally.ts';
import { createServedMock, type Mock } from '../../adapters/create-served-mock.ts';
import { acme } from '../acme.ts';
import { controlClient } from '../control-client.ts';

const errors: unknown[] = [];
const onError = (error: unknown) => void errors.push(error);
let mock: Mock;
let url: string;
let control: ReturnType<typeof controlClient>;
beforeAll(async () => {
  mock = await createServedMock({ onError });
  ({ url } = await mock.listen({ port: 0, control: { onError } }));
  control = controlClient(url);
});
afterAll(() => mock.close());
beforeEach(() => mock.reset());

/** As text, because JSON.stringify would not write most of them. */
const numbers = [
  '9007199254740993',
  '-9007199254740993',
  '1e21',
  '1e308',
  '1e999',
  '-1e999',
  '5e-324',
  '-0',
  '0.1',
  '2147483648',
  '4294967296',
  '253402300800000',
  '8640000000000001',
  `1${'0'.repeat(400)}`,
];
const fields: readonly (readonly [where: string, body: string])[] = [
  ['POST /clock/advance', '{"by":N}'],
  ['POST /clock/freeze', '{"at":N}'],
  ['POST /journal/count', '{"status":N}'],
  ['POST /journal/count', '{"since":N}'],
  ['POST /journal/count', '{"until":N}'],
  ['POST /journal/verify', '{"times":N}'],
  ['POST /journal/verify', '{"times":{"atLeast":N,"atMost":N}}'],
  ['POST /faults', '{"drop":"before","tenant":"globex","times":N}'],
  ['POST /faults', '{"drop":"before","tenant":"globex","probability":N}'],
  ['POST /faults', '{"drop":"before","tenant":"globex","seed":N,"probability":0.5}'],
  ['POST /faults', '{"drop":"before","tenant":"globex","burst":N}'],
  ['POST /faults', '{"tenant":"globex","latency":N}'],
  ['POST /faults', '{"tenant":"globex","latency":{"mean":N,"deviation":N}}'],
  ['POST /faults', '{"tenant":"globex","latency":{"median":N,"p99":N}}'],
  ['POST /faults', '{"tenant":"globex","reply":{"status":N}}'],
  ['POST /faults', '{"tenant":"globex","reply":{"status":503,"retryAfter":N}}'],
  ['POST /keys', '{"tenant":"acme","name":"n","scopes":[],"rateLimit":{"perSecond":N,"burst":1}}'],
  ['POST /keys', '{"tenant":"acme","name":"n","scopes":[],"rateLimit":{"perSecond":1,"burst":N}}'],
];

it.each(fields)('%s %s: no number breaks this request or a later one', async (where, body) => {
  const [method = '', path = ''] = where.split(' ');
  for (const number of numbers) {
    // The client throws at whatever openapi.yaml does not declare.
    const { status } = await control.send(method, path, body.replaceAll('N', number));
    expect(status, number).toBeLessThan(500);
    const after = await fetch(`${url}/v1/conversation/${acme.open}`, { headers: { 'x-api-key': acme.full } });
    expect([number, after.status]).toEqual([number, 200]);
    for (const view of ['/clock', '/faults', '/limits', '/keys', '/journal', '/snapshot?content=false']) {
      expect([number, view, (await control.send('GET', view)).status]).toEqual([number, view, 200]);
    }
    mock.reset();
  }
  expect(errors).toEqual([]);
  tally({ inputs: numbers.length });
});

it('refuses a delay beyond the limit, which a timer would turn into none', async () => {
  for (const latency of [600_001, 2 ** 31, 2 ** 32, 2 ** 53, 1e300]) {
    expect((await control.send('POST', '/faults', { tenant: 'acme', latency })).status).toBe(400);
  }
  await control.send('POST', '/faults', { tenant: 'acme', latency: 600_000 });
  const signal = AbortSignal.timeout(50);
  const reply = fetch(`${url}/v1/labels`, { headers: { 'x-api-key': acme.full }, signal });
  await expect(reply).rejects.toThrow('timeout');
  tally({ inputs: 6 });
});
