import type { ServerResponse } from 'node:http';
import type { Exchange } from '../journal/exchange.ts';
import type { Journal } from '../journal/journal.ts';
import { criteria, type JournalQuery } from '../journal/query.ts';
import { exchangeView } from './views.ts';

/** Shorter than the minute after which proxies close what is silent. */
const heartbeat = 15_000;
/** A reader that is this far behind is cut off; it comes back with its Last-Event-ID and misses nothing that is still kept. */
const mostUnread = 4 * 1024 * 1024;

/**
 * The journal as Server-Sent Events: one `exchange` event for each that fits, under its id.
 * @param after the id of the last one the reader has: what came since is sent first, and a `dropped` event where some are gone
 */
export function streamJournal(
  journal: Journal,
  query: JournalQuery,
  after: number | undefined,
  response: ServerResponse,
): void {
  const wanted = criteria(query);
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', connection: 'keep-alive' });
  response.write('retry: 1000\n\n');

  const send = (exchange: Exchange) => {
    if (!wanted.every((criterion) => criterion.fits(exchange))) return;
    response.write(`id: ${exchange.id}\nevent: exchange\ndata: ${JSON.stringify(exchangeView(exchange))}\n\n`);
    if (response.writableLength > mostUnread) response.destroy();
  };

  if (after !== undefined) {
    const missed = journal.list().filter(({ id }) => id > after);
    const gone = (missed[0]?.id ?? after + 1) - after - 1;
    if (gone > 0) response.write(`event: dropped\ndata: ${JSON.stringify({ count: gone })}\n\n`);
    missed.forEach(send);
  }
  const unsubscribe = journal.subscribe(send);
  const timer = setInterval(() => response.write(': still here\n\n'), heartbeat).unref();
  response.once('close', () => {
    unsubscribe();
    clearInterval(timer);
  });
}
