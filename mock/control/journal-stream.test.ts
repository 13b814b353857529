import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createMock, type Mock } from '../index.ts';
import { sentStream } from './control-route.ts';
import { journalEvents } from './journal.ts';

const ask = (mock: Mock) =>
  mock.handle({ method: 'GET', url: '/v1/health', headers: {}, origin: 'http://localhost', body: null });

/** The ids, or the names of other events, of the next so many events. */
async function next(events: AsyncGenerator<string>, count: number) {
  const found: string[] = [];
  while (found.length < count) {
    const { value } = await events.next();
    found.push(/^(?:id|event|retry): (.*)$/m.exec(value)?.[1] ?? value);
  }
  return found;
}

it('has all that a slow reader has missed, and says what is no longer there', async () => {
  await using mock = await createMock({ journal: { entries: 2 } });
  const events = journalEvents(mock.journal, {});
  expect(await next(events, 1)).toEqual(['1000']);
  await ask(mock);
  expect(await next(events, 1)).toEqual(['1']);
  for (let i = 0; i < 4; i++) await ask(mock);
  expect(await next(events, 3)).toEqual(['dropped', '4', '5']);
});

it('has every new exchange for a reader who has seen more of an earlier mock', async () => {
  await using mock = await createMock();
  const events = journalEvents(mock.journal, {}, 7);
  await next(events, 1);
  await ask(mock);
  expect(await next(events, 1)).toEqual(['1']);
});

it('ends with its connection', async () => {
  await using mock = await createMock();
  const events = journalEvents(mock.journal, {});
  const connection = new PassThrough();
  const streamed = sentStream(events, connection);
  connection.destroy();
  await streamed;
  expect(await events.next()).toMatchObject({ done: true });
});
