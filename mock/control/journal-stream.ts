import type { ServerResponse } from 'node:http';
import type { Exchange } from '../journal/exchange.ts';
import type { Journal } from '../journal/journal.ts';
import { criteria, type JournalQuery, selects } from '../journal/query.ts';
import { exchangeView } from './views.ts';

/** Milliseconds. Proxies close a silent connection after about a minute. */
const heartbeat = 15_000;

/** How many readers are served in one turn of the event loop. Requests to the API wait at most this long. */
const readersPerTurn = 32;

interface Reader {
  /** The id of the last exchange that the reader was sent, or that does not match its query. */
  seen: number;
  /** The buffer of the reader's connection is full. */
  behind: boolean;
  readonly matches: (exchange: Exchange) => boolean;
  readonly everything: boolean;
  readonly response: ServerResponse;
}

const eventOf = (exchange: Exchange): string =>
  `id: ${exchange.id}\nevent: exchange\ndata: ${JSON.stringify(exchangeView(exchange))}\n\n`;

/**
 * Sends the exchanges of one journal to all its readers. Thousands of readers must not hold up the API, so each turn of the
 * event loop serves only some of them, and the new exchanges are turned into text once for all readers.
 */
class Feed {
  readonly #journal: Journal;
  readonly #readers = new Set<Reader>();
  #unsubscribe: (() => void) | undefined;
  #waiting: Exchange[] = [];
  #busy = false;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  add(reader: Reader): void {
    this.#readers.add(reader);
    this.#unsubscribe ??= this.#journal.subscribe((exchange) => {
      this.#waiting.push(exchange);
      if (this.#busy) return;
      this.#busy = true;
      setImmediate(() => this.#round());
    });
  }

  remove(reader: Reader): void {
    this.#readers.delete(reader);
    if (this.#readers.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#waiting = [];
  }

  #round(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    const texts = batch.map(eventOf);
    const all = Buffer.from(texts.join(''));
    const readers = this.#readers.values();
    const turn = () => {
      for (let i = 0; i < readersPerTurn; i++) {
        const { value: reader, done } = readers.next();
        if (done) {
          this.#busy = this.#waiting.length > 0;
          if (this.#busy) setImmediate(() => this.#round());
          return;
        }
        give(reader, batch, texts, all);
      }
      setImmediate(turn);
    };
    turn();
  }
}

function give(reader: Reader, batch: readonly Exchange[], texts: readonly string[], all: Buffer): void {
  const [first] = batch;
  const last = batch.at(-1);
  // A reader whose buffer was full continues from the journal itself.
  if (reader.behind || first === undefined || last === undefined || last.id <= reader.seen) return;
  const isWanted = (exchange: Exchange) => exchange.id > reader.seen && reader.matches(exchange);
  const text =
    reader.everything && first.id > reader.seen ? all : texts.filter((_, i) => isWanted(batch[i] as Exchange)).join('');
  reader.seen = last.id;
  if (text.length > 0) reader.behind = !reader.response.write(text);
}

const feeds = new WeakMap<Journal, Feed>();

/**
 * Sends the journal as Server-Sent Events: one `exchange` event with its id for each exchange that matches. Nothing is
 * buffered for a slow reader: it continues from the journal when it can, with a `dropped` event if exchanges were dropped.
 * @param after the id of the last exchange that the reader has; later ones are sent first
 */
export function streamJournal(
  journal: Journal,
  query: JournalQuery,
  after: number | undefined,
  response: ServerResponse,
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', connection: 'keep-alive' });
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  response.write('retry: 1000\n\n');

  const reader: Reader = {
    // An id above the newest one comes from an earlier mock and means nothing here.
    seen: Math.min(after ?? Number.POSITIVE_INFINITY, journal.lastId),
    behind: false,
    matches: selects(query),
    everything: criteria(query).length === 0,
    response,
  };
  const catchUp = () => {
    reader.behind = false;
    const missed = journal.list().filter(({ id }) => id > reader.seen);
    for (const exchange of missed) {
      const dropped = exchange.id - reader.seen - 1;
      if (dropped > 0) response.write(`event: dropped\ndata: ${JSON.stringify({ count: dropped })}\n\n`);
      reader.seen = exchange.id;
      if (reader.matches(exchange)) reader.behind = !response.write(eventOf(exchange));
      if (reader.behind) return;
    }
  };
  response.on('drain', () => {
    if (reader.behind) catchUp();
  });
  catchUp();
  const feed = feeds.get(journal) ?? new Feed(journal);
  feeds.set(journal, feed);
  feed.add(reader);
  const timer = setInterval(() => response.write(': still here\n\n'), heartbeat).unref();
  response.once('close', () => {
    feed.remove(reader);
    clearInterval(timer);
  });
}
