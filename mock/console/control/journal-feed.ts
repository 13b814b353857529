import { useSyncExternalStore } from 'react';
import { controlToken } from './control.ts';
import type { Exchange } from './control-types.ts';

interface JournalState {
  /** Oldest first. */
  readonly exchanges: readonly Exchange[];
  readonly connection: 'connecting' | 'live' | 'lost';
}

/** How many exchanges the page keeps. The mock may have more. */
const maxExchanges = 10_000;
/** Milliseconds. Nobody would see the page redraw more often. */
const redrawInterval = 80;
/** Milliseconds until a stream that the mock refused is opened again. */
const reopenDelay = 1_000;

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

/** The journal of the mock. All views share it, so that nothing is lost when the view changes. */
class JournalFeed {
  #state: JournalState = { exchanges: [], connection: 'connecting' };
  #arrived: Exchange[] = [];
  #last = 0;
  #source: EventSource | undefined;
  #redraw: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();

  readonly state = (): JournalState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Follows the journal for as long as the page is open. */
  async open(): Promise<void> {
    this.#source?.close();
    const source = await streamAfter(this.#last);
    this.#source = source;
    source.onopen = () => this.#show({ connection: 'live' });
    source.onerror = () => {
      this.#show({ connection: 'lost' });
      if (source.readyState === EventSource.CLOSED) setTimeout(() => void this.open(), reopenDelay);
    };
    source.addEventListener('exchange', ({ data }) => {
      const exchange: Exchange = JSON.parse(data);
      if (exchange.id > this.#last) return this.#take(exchange);
      // Ids only grow while a mock runs. A smaller id means that another mock answers now, so its journal is read from the start.
      this.forget();
      this.#last = 0;
      void this.open();
    });
  }

  /** Follows no longer, until it is opened again. */
  close(): void {
    this.#source?.close();
  }

  /** Removes all exchanges up to this one, after the mock's journal was cleared. */
  forget(upTo = this.#last): void {
    this.#arrived = this.#arrived.filter(({ id }) => id > upTo);
    if (this.#state.exchanges.some(({ id }) => id <= upTo))
      this.#show({ exchanges: this.#state.exchanges.filter(({ id }) => id > upTo) });
  }

  /** The newest id; 0 before the first exchange. */
  get last(): number {
    return this.#last;
  }

  /** The first exchange after this id with this method and path; undefined if none comes within three seconds. */
  async next(after: number, method: string, path: string): Promise<Exchange | undefined> {
    const isWanted = ({ id, request }: Exchange) =>
      id > after && request.method === method && request.url.split('?', 1)[0] === path;
    return new Promise((resolve) => {
      const timer = setTimeout(() => end(undefined), 3_000);
      const look = () => {
        const exchange = this.#state.exchanges.find(isWanted);
        if (exchange !== undefined) end(exchange);
      };
      const stop = this.subscribe(look);
      const end = (exchange: Exchange | undefined) => {
        clearTimeout(timer);
        stop();
        resolve(exchange);
      };
      look();
    });
  }

  #take(exchange: Exchange): void {
    this.#last = exchange.id;
    this.#arrived.push(exchange);
    this.#redraw ??= setTimeout(() => {
      this.#redraw = undefined;
      const exchanges = [...this.#state.exchanges, ...this.#arrived].slice(-maxExchanges);
      this.#arrived = [];
      this.#show({ exchanges });
    }, redrawInterval);
  }

  #show(change: Partial<JournalState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

export const journalFeed = new JournalFeed();

export const useJournal = () => useSyncExternalStore(journalFeed.subscribe, journalFeed.state);

/** Whether the mock answers: the stream breaks at the moment when the mock stops. */
export const useConnection = () => useSyncExternalStore(journalFeed.subscribe, () => journalFeed.state().connection);
