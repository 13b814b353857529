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

/** As many as the page keeps, whatever the mock itself still has. */
const mostKept = 10_000;
/** Redrawing more often than this helps no eye. */
const redrawEvery = 80;
const reconnectAfter = 1_000;

/**
 * The journal of the mock, followed over Server-Sent Events while anybody listens. EventSource could not send the control
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

  /** Forgets all up to this exchange, when the mock has. */
  forget(upTo = this.#last): void {
    this.#arrived = this.#arrived.filter(({ id }) => id > upTo);
    this.#show({ exchanges: this.#state.exchanges.filter(({ id }) => id > upTo) });
  }

  /** The newest id there is; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const ended = await this.#read(signal).catch((error: unknown) => error);
      if (signal.aborted) return;
      if (ended instanceof AnotherMock) continue;
      this.#show({ connection: 'lost' });
      await new Promise((resolve) => setTimeout(resolve, reconnectAfter));
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
    // Ids count up over the life of a mock: a smaller one means that another mock answers now, and is read from its start.
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
      const exchanges = [...this.#state.exchanges, ...this.#arrived].slice(-mostKept);
      this.#arrived = [];
      this.#show({ exchanges });
    }, redrawEvery);
  }

  #show(change: Partial<JournalState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** The one feed of the page; views share it, so that changing between them loses nothing. */
export const journalFeed = new JournalFeed();
