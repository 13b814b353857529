import { controlToken, type Exchange } from './control.ts';
import { shared } from './shared.ts';

/** How many exchanges the page keeps. The mock may have more. */
const maxExchanges = 10_000;
/** Milliseconds. Nobody would see the page redraw more often. */
const redrawInterval = 80;
/** Milliseconds until a stream that the mock refused is opened again. */
const reopenDelay = 1_000;

/** Oldest first. All views share them, so that nothing is lost when the view changes. */
const exchanges = shared<readonly Exchange[]>([]);
/** Whether the mock answers: the stream breaks at the moment when the mock stops. */
const connection = shared<'connecting' | 'live' | 'lost'>('connecting');
let arrived: Exchange[] = [];
let last = 0;
let source: EventSource | undefined;

/** The stream after this exchange. It reconnects by itself, as long as the mock does not refuse it. */
async function streamAfter(id: number): Promise<EventSource> {
  const url = `/_mock/journal/stream?lastEventId=${id}`;
  if (controlToken.get() === null) return new EventSource(url);
  // The EventSource of browsers cannot send the control token.
  const { EventSource: Sending } = await import('eventsource');
  const send: typeof fetch = (input, init) =>
    fetch(input, { ...init, headers: { ...init?.headers, ...controlToken.headers() } });
  return new Sending(new URL(url, location.origin), { fetch: send }) as EventSource;
}

function take(exchange: Exchange): void {
  last = exchange.id;
  // The first of those that have not been drawn asks for them to be.
  if (arrived.push(exchange) > 1) return;
  setTimeout(() => {
    const all = [...exchanges.get(), ...arrived].slice(-maxExchanges);
    arrived = [];
    exchanges.set(all);
  }, redrawInterval);
}

/** The journal of the mock. */
export const journalFeed = {
  use: exchanges.use,
  useConnection: connection.use,

  /** The newest id; 0 before the first exchange. */
  last: () => last,

  /** Follows the journal until it is closed. */
  async open(): Promise<void> {
    source?.close();
    const stream = await streamAfter(last);
    source = stream;
    // What the mock has already is drawn first, so that a list that is not read yet is no empty one.
    stream.onopen = () =>
      setTimeout(() => stream.readyState === EventSource.OPEN && connection.set('live'), 2 * redrawInterval);
    stream.onerror = () => {
      connection.set('lost');
      if (stream.readyState === EventSource.CLOSED) setTimeout(() => void journalFeed.open(), reopenDelay);
    };
    stream.addEventListener('exchange', ({ data }) => {
      const exchange: Exchange = JSON.parse(data);
      if (exchange.id > last) return take(exchange);
      // Ids only grow while a mock runs. A smaller id means that another mock answers now, so its journal is read from the start.
      journalFeed.forget();
      last = 0;
      void journalFeed.open();
    });
  },

  close: () => source?.close(),

  /** Removes all exchanges up to this one, after the mock's journal was cleared. */
  forget(upTo = last): void {
    arrived = arrived.filter(({ id }) => id > upTo);
    const kept = exchanges.get().filter(({ id }) => id > upTo);
    if (kept.length < exchanges.get().length) exchanges.set(kept);
  },

  /** The first exchange after this id with this method and path; undefined if none comes within three seconds. */
  async next(after: number, method: string, path: string): Promise<Exchange | undefined> {
    for (let tries = 0; tries < 60; tries++) {
      const found = exchanges
        .get()
        .find(({ id, request }) => id > after && request.method === method && request.url.split('?', 1)[0] === path);
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return undefined;
  },
};
