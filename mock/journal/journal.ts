import { createRedaction, type Redaction } from '../../spec/redaction/redaction.ts';
import { checkArguments, type JournalOptions, type JournalQuery, shapes } from '../arguments/shapes.ts';
import type { ApiReply, ApiRequest } from '../message.ts';
import type { Trace } from '../trace.ts';
import { type Exchange, exchangeOf, type Observed } from './exchange.ts';
import { selects } from './query.ts';
import {
  type Expectation,
  type Gaps,
  type Times,
  type Verification,
  VerificationError,
  verification,
} from './verification.ts';

/** Bytes that an exchange takes beside its text: objects, properties, header names. The estimate is on the high side. */
const overhead = 1_500;

/** A kept exchange: as it came until somebody first reads it, and then redacted. */
interface Entry {
  readonly bytes: number;
  state: Observed | Exchange;
}

/** The last exchanges of a mock. When the journal is full, it drops and counts the oldest ones. */
export class Journal {
  readonly #options: Required<{ [Option in keyof JournalOptions]: number }>;
  readonly #secrets: Redaction;
  readonly #listeners = new Set<(exchange: Exchange) => void>();
  readonly #clearListeners = new Set<() => void>();
  /** Oldest first. */
  #kept: Entry[] = [];
  #bytes = 0;
  #lastId = 0;
  #dropped = 0;

  /**
   * @param secrets redacts the keys of the mock
   * @internal
   */
  constructor(
    { entries = 1_000, bytes = 16 * 1024 * 1024, bodyBytes = 16 * 1024 }: JournalOptions = {},
    secrets = createRedaction(),
  ) {
    this.#options = { entries, bytes, bodyBytes };
    this.#secrets = secrets;
  }

  /**
   * The id of the last exchange, even if it is not kept; 0 before the first.
   * @internal
   */
  get lastId(): number {
    return this.#lastId;
  }

  /** How many exchanges are kept now, and how many were dropped to make room since the journal was last cleared. */
  get size(): { readonly kept: number; readonly dropped: number; readonly bytes: number } {
    return { kept: this.#kept.length, dropped: this.#dropped, bytes: this.#bytes };
  }

  /**
   * Keeps an exchange. What a known key sent without a body waits to be redacted until somebody reads it.
   * @param at milliseconds since the epoch, by the mock's clock
   */
  record(request: ApiRequest, reply: ApiReply, trace: Trace, at: number, milliseconds: number): void {
    const { entries, bytes: maxBytes, bodyBytes } = this.#options;
    if (entries === 0 && this.#listeners.size === 0) return;
    const { method, url, headers: sent } = request;
    const { key, body, fault, passedTo, tenant } = trace;
    // The secret of a key waits nowhere.
    const headers = key === null ? sent : { ...sent, 'x-api-key': key.prefix };
    const length = reply.body?.length ?? 0;
    let bytes = overhead + 2 * (url.length + Math.min(length + (body?.length ?? 0), 2 * bodyBytes));
    for (const name in sent) bytes += 2 * (sent[name]?.length ?? 0);
    const id = ++this.#lastId;
    const entry: Entry = { bytes, state: { id, tenant, at, milliseconds, method, url, headers, reply, trace } };
    const waits =
      key !== null &&
      body === null &&
      fault === null &&
      passedTo === null &&
      sent.authorization === undefined &&
      length <= bodyBytes;
    if (!waits) this.#read(entry);
    this.#kept.push(entry);
    this.#bytes += bytes;
    for (const listener of this.#listeners) listener(this.#read(entry));
    while (this.#bytes > maxBytes || this.#kept.length > entries) {
      this.#bytes -= this.#kept.shift()?.bytes ?? 0;
      this.#dropped++;
    }
  }

  #read(entry: Entry): Exchange {
    const { state } = entry;
    if ('request' in state) return state;
    const exchange = exchangeOf(state, this.#secrets, this.#options.bodyBytes);
    entry.state = exchange;
    return exchange;
  }

  /** The exchanges that match, newest last. This and the next methods throw MockError `invalid` for an invalid query. */
  list(query: JournalQuery = {}): Exchange[] {
    checkArguments(query, shapes().journalQuery);
    return this.#all().filter(selects(query));
  }

  /** The exchange with this id; undefined if it was dropped or never existed. */
  get(id: number): Exchange | undefined {
    const entry = this.#kept.find(({ state }) => state.id === id);
    return entry && this.#read(entry);
  }

  /** How many of the kept exchanges match. */
  count(query: JournalQuery = {}): number {
    return this.list(query).length;
  }

  /** Checks the number, the order or the spacing of matching exchanges: `examine({ query, times: 1 })`. */
  examine(expected: Expectation): Verification {
    checkArguments(expected, shapes().verifyRequest);
    return verification(this.#all(), expected, this.#dropped);
  }

  /**
   * `journal.verify({ operationId: 'listLabels', status: 200 }, 1)`: exactly this many, or `{ atLeast, atMost }`.
   * @throws VerificationError with the nearest exchanges, if the number is wrong
   */
  verify(query: JournalQuery, times: Times): void {
    this.#assert({ query, times });
  }

  /**
   * `journal.verifySequence([{ operationId: 'startSiteFileUpload' }, { method: 'PUT' }, { operationId: 'registerSiteFile' }])`:
   * in this order. Other exchanges may come between them.
   * @throws VerificationError naming the first step that is missing
   */
  verifySequence(sequence: readonly JournalQuery[]): void {
    this.#assert({ sequence });
  }

  /**
   * `journal.verifyGaps({ operationId: 'listLabels' }, { atLeast: '2s' })`: at least two seconds apart, by the mock's clock.
   * @throws VerificationError naming the exchanges that came too early or too late
   */
  verifyGaps(query: JournalQuery, gaps: Gaps): void {
    this.#assert({ query, gaps });
  }

  #assert(expected: Expectation): void {
    const examined = this.examine(expected);
    if (!examined.verified) throw new VerificationError(examined);
  }

  /** Calls the listener with every exchange from now on. @returns a function that removes the listener. */
  subscribe(listener: (exchange: Exchange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Calls the listener whenever the journal is cleared. @returns a function that removes the listener. */
  onClear(listener: () => void): () => void {
    this.#clearListeners.add(listener);
    return () => void this.#clearListeners.delete(listener);
  }

  /** Removes the exchanges of one tenant. */
  forget(tenant: string): void {
    this.#kept = this.#kept.filter(({ state }) => state.tenant !== tenant);
    this.#bytes = this.#kept.reduce((all, { bytes }) => all + bytes, 0);
  }

  /** Removes all exchanges and resets the count of dropped ones. Later exchanges do not reuse ids. */
  clear(): void {
    this.#kept = [];
    this.#bytes = 0;
    this.#dropped = 0;
    for (const listener of this.#clearListeners) listener();
  }

  #all(): Exchange[] {
    return this.#kept.map((entry) => this.#read(entry));
  }
}
