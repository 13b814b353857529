import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange } from '../journal/exchange.ts';
import type { Journal } from '../journal/journal.ts';
import { type JournalQuery, selects } from '../journal/query.ts';
import { exchangeView } from './views.ts';

/** Milliseconds. Proxies close a silent connection after about a minute. */
const heartbeat = 15_000;

/** Milliseconds between two looks at the journal, so that a reader of a busy mock costs no look for each request. */
const interval = 50;

const eventOf = (exchange: Exchange): string =>
  `id: ${exchange.id}\nevent: exchange\ndata: ${JSON.stringify(exchangeView(exchange))}\n\n`;

/**
 * Sends the journal as Server-Sent Events: one `exchange` event with its id for each exchange that matches. A slow reader
 * continues from the journal when it can, with a `dropped` event if exchanges were dropped meanwhile.
 * @param after the id of the last exchange that the reader has; later ones are sent first
 */
export async function streamJournal(
  journal: Journal,
  query: JournalQuery,
  after: number | undefined,
  response: ServerResponse,
): Promise<void> {
  const matches = selects(query);
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', connection: 'keep-alive' });
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  response.write('retry: 1000\n\n');
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const beat = setInterval(() => response.write(': still here\n\n'), heartbeat).unref();
  // An id above the newest one comes from an earlier mock and means nothing here.
  let seen = Math.min(after ?? Number.POSITIVE_INFINITY, journal.lastId);
  try {
    for (;;) {
      const news = seen === journal.lastId ? [] : journal.list().filter(({ id }) => id > seen);
      for (const exchange of news) {
        const dropped = exchange.id - seen - 1;
        if (dropped > 0) response.write(`event: dropped\ndata: ${JSON.stringify({ count: dropped })}\n\n`);
        seen = exchange.id;
        if (!matches(exchange)) continue;
        if (!response.write(eventOf(exchange))) await once(response, 'drain', { signal: gone.signal });
      }
      await sleep(interval, undefined, { signal: gone.signal, ref: false });
    }
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    clearInterval(beat);
  }
}
