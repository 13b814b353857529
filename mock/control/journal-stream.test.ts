import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it, vi } from 'vitest';
import { createMock, type Mock } from '../index.ts';
import { streamJournal } from './journal.ts';

/** A connection that takes whatever it is given, until it is full. */
function reader() {
  const given: string[] = [];
  const state = { isFull: false };
  const write = (text: string) => given.push(text) > 0 && !state.isFull;
  const response = Object.assign(new EventEmitter(), { write, writeHead: () => response, req: {} });
  return { given, state, response: response as unknown as ServerResponse };
}

const ask = (mock: Mock) =>
  mock.handle({ method: 'GET', url: '/v1/health', headers: {}, origin: 'http://localhost', body: null });

const ids = ({ given }: { given: string[] }) =>
  [...given.join('').matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));

it('sends nothing to a full connection, and all that it has missed when it drains', async () => {
  await using mock = await createMock();
  const slow = reader();
  slow.state.isFull = true;
  const streamed = streamJournal(mock.journal, {}, undefined, slow.response);
  await ask(mock);
  await vi.waitFor(() => expect(ids(slow)).toEqual([1]));
  await ask(mock);
  await ask(mock);
  slow.state.isFull = false;
  expect(ids(slow)).toEqual([1]);
  slow.response.emit('drain');
  await vi.waitFor(() => expect(ids(slow)).toEqual([1, 2, 3]));
  slow.response.emit('close');
  await streamed;
});

it('ends with its connection', async () => {
  await using mock = await createMock();
  const gone = reader();
  const streamed = streamJournal(mock.journal, {}, undefined, gone.response);
  gone.response.emit('close');
  await streamed;
  await ask(mock);
  expect(ids(gone)).toEqual([]);
});

it('sends every new exchange to a reader who has seen more of an earlier mock', async () => {
  await using mock = await createMock();
  const back = reader();
  const streamed = streamJournal(mock.journal, {}, 7, back.response);
  await ask(mock);
  await vi.waitFor(() => expect(ids(back)).toEqual([1]));
  back.response.emit('close');
  await streamed;
});
