import { createParser } from 'eventsource-parser';
import { ControlFailure } from '../../control/control-failure.ts';
import { controlToken } from '../../control/control-token.ts';
import type { Exchange } from '../../control/control-types.ts';

class AnotherMock extends Error {}

interface JournalState {
  /** Oldest first. */
  readonly exchanges: readonly Exchange[];
  readonly connection: 'connecting' | 'live' | 'lost';
}

/** How many exchanges the page keeps. The mock may have more. */
const maxExchanges = 10_000;
/** Milliseconds. Nobody would see the page redraw more often. */
const redrawInterval = 80;
const reconnectDelay = 1_000;

/**
 * The journal of the mock, read as Server-Sent Events while anybody listens. EventSource cannot send the control
 * token, so the stream is read with fetch.
 */
class JournalFeed {
  #state: JournalState = { exchanges: [], connection: 'connecting' };
  #arrived: Exchange[] = [];
  #last = 0;
  #redraw: ReturnType<typeof setTimeout> | undefined;
  #abort: AbortController | undefined;
  readonly #listeners = new Set<() => void>();

  readonly state = (): JournalState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      void this.#follow(this.#abort.signal);
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#abort?.abort();
      this.#abort = undefined;
    };
  };

  /** Removes all exchanges up to this one, after the mock's journal was cleared. */
  forget(upTo = this.#last): void {
    this.#arrived = this.#arrived.filter(({ id }) => id > upTo);
    this.#show({ exchanges: this.#state.exchanges.filter(({ id }) => id > upTo) });
  }

  /** The newest id; 0 before the first exchange. */
  get last(): number {
    return this.#last;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const ended = await this.#read(signal).catch((error: unknown) => error);
      if (signal.aborted) return;
      if (ended instanceof AnotherMock) continue;
      this.#show({ connection: 'lost' });
      await new Promise((resolve) => setTimeout(resolve, reconnectDelay));
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    const response = await fetch(`/_mock/journal/stream?lastEventId=${this.#last}`, {
      signal,
      headers: controlToken.headers(),
    });
    if (!response.ok || response.body === null) throw new ControlFailure(response.status, 'no stream');
    this.#show({ connection: 'live' });
    const parser = createParser({
      onEvent: ({ event, data }) => {
        if (event === 'exchange') this.#take(JSON.parse(data) as Exchange);
      },
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      try {
        parser.feed(value);
      } catch (error) {
        await reader.cancel();
        throw error;
      }
    }
  }

  #take(exchange: Exchange): void {
    // Ids only grow while a mock runs. A smaller id means that another mock answers now, so its journal is read from the start.
    if (exchange.id <= this.#last) {
      this.#arrived = [];
      this.#last = 0;
      this.#show({ exchanges: [] });
      throw new AnotherMock();
    }
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

/** All views share this feed, so that nothing is lost when the view changes. */
export const journalFeed = new JournalFeed();
