import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createMock } from '../index.ts';
import { acme } from '../proof/acme.ts';
import { streamJournal } from './journal-stream.ts';

/** A connection that takes whatever it is given. */
function reader() {
  const given: string[] = [];
  const write = (text: string | Uint8Array) => given.push(String(text)) > 0;
  const response = Object.assign(new EventEmitter(), { write, writeHead: () => response, req: {} });
  return { given, response: response as unknown as ServerResponse };
}

const ids = ({ given }: { given: string[] }) =>
  [...given.join('').matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));

it('serves a thousand readers in many turns of the event loop, each with everything in order', async () => {
  await using mock = await createMock();
  const ask = (url: string) =>
    mock.handle({ method: 'GET', url, headers: { 'x-api-key': acme.full }, origin: 'http://localhost', body: null });
  const readers = Array.from({ length: 1_000 }, reader);
  for (const { response } of readers) streamJournal(mock.journal, {}, undefined, response);
  const served = () => readers.filter((each) => ids(each).length > 0).length;

  ask('/v1/health');
  expect(served()).toBe(0);
  await turn();
  expect(served()).toBeLessThan(100);
  // While the first round is under way, more comes in.
  ask('/v1/labels');
  ask('/v1/health');
  const late = reader();
  streamJournal(mock.journal, { operationId: 'listLabels' }, 0, late.response);
  let turns = 0;
  while (!readers.every((each) => ids(each).length === 3)) {
    turns++;
    await turn();
  }
  expect(turns).toBeGreaterThan(20);
  for (const each of readers) expect(ids(each)).toEqual([1, 2, 3]);
  expect(ids(late)).toEqual([2]);
});

it('writes no more to a reader that has gone', async () => {
  await using mock = await createMock();
  const gone = reader();
  streamJournal(mock.journal, {}, undefined, gone.response);
  mock.handle({ method: 'GET', url: '/v1/health', headers: {}, origin: 'http://localhost', body: null });
  gone.response.emit('close');
  const before = gone.given.length;
  for (let i = 0; i < 3; i++) await turn();
  expect(gone.given.length).toBe(before);
});

it('sends every new exchange to a reader who has seen more of an earlier mock', async () => {
  await using mock = await createMock();
  const back = reader();
  streamJournal(mock.journal, {}, 7, back.response);
  mock.handle({ method: 'GET', url: '/v1/health', headers: {}, origin: 'http://localhost', body: null });
  for (let i = 0; i < 3; i++) await turn();
  expect(ids(back)).toEqual([1]);
});
