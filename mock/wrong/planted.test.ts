import { expect, it } from 'vitest';
import { createMock } from '../in-process.ts';
import { wrong } from './wrong.ts';

const id = 'auth/no-key-served-by-listLabels';

/** The statuses of requests without a key, and what the journal says of each. */
async function asked(chance: number, seed: number) {
  await using mock = await createMock({ wrong: wrong(id, { chance, seed }) });
  const request = { method: 'GET', url: '/v1/labels', headers: {}, origin: 'http://127.0.0.1', body: null };
  const keys = mock.keys.list().length;
  for (let i = 0; i < 40; i++) await mock.handle(request);
  // The key that serves what should be refused is in no list.
  expect(mock.keys.list()).toHaveLength(keys);
  return mock.journal.list().map(({ reply, fault, breaks }) => [reply.status, fault, breaks]);
}

it('names itself in the journal at each reply that it changed, and at no other', async () => {
  expect(new Set((await asked(1, 1)).map(String))).toEqual(new Set([`200,${id},auth/no-key-is-403`]));
  expect(new Set((await asked(0.5, 1)).map(String))).toEqual(new Set([`200,${id},auth/no-key-is-403`, '403,,']));
});

it('meets the same requests with the same seed, and others with another', async () => {
  expect(await asked(0.5, 7)).toEqual(await asked(0.5, 7));
  expect(await asked(0.5, 7)).not.toEqual(await asked(0.5, 8));
});

it('is switched while the mock runs, and a reset brings back what the mock was created with', async () => {
  await using mock = await createMock({ wrong: wrong(id) });
  const ask = async (headers = {}) => {
    const request = { method: 'GET', url: '/v1/labels', headers, origin: 'http://127.0.0.1', body: null };
    return (await mock.handle(request)).status;
  };
  mock.setWrong(undefined);
  expect(await ask()).toBe(403);
  mock.setWrong(wrong('limiter/burst-18'));
  const key = { 'x-api-key': 'acmefull-fake-secret-0000000000000001' };
  const burst = await Promise.all(Array.from({ length: 20 }, () => ask(key)));
  expect(burst.filter((status) => status === 200)).toHaveLength(18);
  mock.setWrong(undefined);
  expect(await ask(key)).toBe(200);
  mock.reset();
  expect([mock.wrong?.id, await ask()]).toEqual([id, 200]);
});

it('names the nearest way for one that does not exist', () => {
  expect(() => wrong('auth/no-key-served-by-listLabel')).toThrow(`did you mean ${id}?`);
});
