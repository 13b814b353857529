import type { ServerResponse } from 'node:http';
import type { Exchange } from '../journal/exchange.ts';
import type { Journal } from '../journal/journal.ts';
import { criteria, type JournalQuery } from '../journal/query.ts';
import { exchangeView } from './views.ts';

/** Shorter than the minute after which proxies close what is silent. */
const heartbeat = 15_000;

/**
 * The journal as Server-Sent Events: one `exchange` event for each that fits, under its id. Nothing is buffered for a reader
 * that is slow: it goes on from the journal itself when it can take more, with a `dropped` event where some are gone by then.
 * @param after the id of the last one the reader has: what came since is sent first
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

  let seen = after ?? journal.list().at(-1)?.id ?? 0;
  let behind = false;
  const send = (exchange: Exchange) => {
    seen = exchange.id;
    if (!wanted.every((criterion) => criterion.fits(exchange))) return;
    const data = JSON.stringify(exchangeView(exchange));
    behind = !response.write(`id: ${exchange.id}\nevent: exchange\ndata: ${data}\n\n`);
  };
  const catchUp = () => {
    behind = false;
    const missed = journal.list().filter(({ id }) => id > seen);
    for (const exchange of missed) {
      const gone = exchange.id - seen - 1;
      if (gone > 0) response.write(`event: dropped\ndata: ${JSON.stringify({ count: gone })}\n\n`);
      send(exchange);
      if (behind) return;
    }
  };

  const unsubscribe = journal.subscribe((exchange) => {
    if (!behind) send(exchange);
  });
  response.on('drain', () => {
    if (behind) catchUp();
  });
  catchUp();
  const timer = setInterval(() => response.write(': still here\n\n'), heartbeat).unref();
  response.once('close', () => {
    unsubscribe();
    clearInterval(timer);
  });
}
