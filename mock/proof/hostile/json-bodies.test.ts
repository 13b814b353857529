import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import openapi from '../../../spec/generated/openapi.json' with { type: 'json' };
import { operationList } from '../../../spec/operations.ts';
import { tally } from '../../../spec/proof/tally/tally.ts';
import { createServedMock, type Mock as ServedMock } from '../../adapters/create-served-mock.ts';
import { createClock } from '../../clock.ts';
import { createMock, type Mock } from '../../create-mock.ts';
import { acme } from '../acme.ts';
import { contractClient } from '../contract-client.ts';
import { largeHostileJson, smallHostileJson } from './hostile-json.ts';
import { innate } from './innate.ts';

const errors: unknown[] = [];
const onError = (error: unknown) => void errors.push(error);
let mock: Mock;
let client: ReturnType<typeof contractClient>;
beforeAll(async () => {
  // The clock stands still, and the key was used: what changes from now on is no time.
  mock = await createMock({ rateLimit: false, onError, clock: createClock(() => Date.parse('2026-11-21T10:00:00Z')) });
  client = contractClient(mock, acme.full);
  await client.call('getHealth');
});
afterAll(() => mock.close());

const before = innate();
afterEach(() => {
  expect(innate()).toBe(before);
  expect('polluted' in {}).toBe(false);
  expect(errors).toEqual([]);
});

const documented = Object.values(openapi.paths).flatMap((path) => Object.values(path)) as {
  readonly operationId: string;
  readonly requestBody?: unknown;
}[];
const withBody = operationList.filter(({ id }) =>
  documented.some(({ operationId, requestBody }) => operationId === id && requestBody !== undefined),
);
const params = { id: acme.site };
const state = async () => JSON.stringify({ ...(await mock.snapshot()), takenAt: '' });

it('there are operations with a body', () => {
  expect(withBody.map(({ id }) => id)).toEqual(['startSiteFileUpload', 'registerSiteFile']);
});

describe.each(withBody)('$id', ({ id }) => {
  it.each(smallHostileJson)(
    'answers %s as the contract has it, and changes nothing where it refuses',
    async (_, text) => {
      const [was, files] = [await state(), mock.files.list().length];
      // The client throws at whatever the contract does not declare.
      const { status } = await client.call(id, { params, body: text });
      expect(status).toBeLessThan(500);
      if (status >= 400) expect(await state()).toBe(was);
      else expect(mock.files.list()).toHaveLength(files + 1);
      tally({ inputs: 1 });
    },
  );

  it.each(largeHostileJson(9.9e6))('is not held up by 9.9 MB of %s', async (_, text) => {
    // A harmless body of the same size takes its time too: it is what the machine is measured with.
    const harmless = `{"contentType":"a/b","x":[${'1,'.repeat(text.length / 2 - 20)}1]}`;
    const longest = 5 * (await usual(harmless));
    const send = () => client.call(id, { params, body: text });
    // Whatever else the machine does may come between once, not twice.
    if ((await milliseconds(send)) > longest) expect(await milliseconds(send)).toBeLessThan(longest);
    tally({ inputs: 2 });
  });

  it('refuses JSON that is nested too deep before it is parsed', async () => {
    const { status, body } = await client.call(id, { params, body: '['.repeat(9.9e6) });
    expect([status, body.error.message]).toEqual([400, 'body: nested more than 100 deep.']);
    tally({ inputs: 1 });
  });
});

async function milliseconds(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

let measured: Promise<number> | undefined;
function usual(body: string): Promise<number> {
  measured ??= milliseconds(() => client.call('registerSiteFile', { params, body }));
  return measured;
}

describe('over HTTP', () => {
  let served: ServedMock;
  let url: string;
  beforeAll(async () => {
    served = await createServedMock({ rateLimit: false, onError });
    ({ url } = await served.listen({ port: 0 }));
  });
  afterAll(() => served.close());

  it('others are served while a client sends 9.9 MB of brackets ten times over', async () => {
    const headers = { 'x-api-key': acme.full, 'content-type': 'application/json' };
    const body = '['.repeat(9.9e6);
    const send = () => fetch(`${url}/v1/site/${acme.site}/file`, { method: 'POST', headers, body });
    const hostile = Promise.all(Array.from({ length: 10 }, send));
    let served = 0;
    let over = false;
    hostile.finally(() => {
      over = true;
    });
    while (!over) {
      expect((await fetch(`${url}/v1/health`, { headers })).status).toBe(200);
      served++;
    }
    expect((await hostile).map(({ status }) => status)).toEqual(Array(10).fill(400));
    expect(served).toBeGreaterThan(3);
    tally({ inputs: 10 + served });
  });
});
