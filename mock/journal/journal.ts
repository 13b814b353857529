import { createRedaction, type Redaction } from '../../spec/redaction/redaction.ts';
import { mapValues } from '../../spec/text/map-values.ts';
import { checkArguments } from '../arguments/check-arguments.ts';
import { shapes } from '../arguments/shapes.ts';
import type { ApiReply, ApiRequest } from '../message.ts';
import type { Trace } from '../trace.ts';
import type { Exchange, KeptBody } from './exchange.ts';
import { createKeptHeaders, onlyKeyRedacted } from './kept-headers.ts';
import { createKeptUrls } from './kept-urls.ts';
import { criteria, type JournalQuery } from './query.ts';
import { empty, emptySlot, exchangeOf, type Slot } from './slot.ts';
import {
  type Gaps,
  gapVerification,
  sequenceVerification,
  type Times,
  type Verification,
  verification,
} from './verification.ts';
import { VerificationError } from './verification-error.ts';

/** How much a journal keeps. */
export interface JournalOptions {
  /** How many exchanges are kept: 1,000 by default. 0 keeps none. */
  readonly entries?: number | undefined;
  /** How much memory they may take together, in bytes: 16 MiB by default. */
  readonly bytes?: number | undefined;
  /** How many bytes of each body are kept: 16 KiB by default. */
  readonly bodyBytes?: number | undefined;
}

/** Bytes that an exchange takes beside its text: objects, properties, header names. The estimate is on the high side. */
const overhead = 1_500;

/** The last exchanges of a mock. When the journal is full, it drops and counts the oldest ones. */
export class Journal {
  readonly #capacity: number;
  readonly #maxBytes: number;
  readonly #bodyBytes: number;
  readonly #secrets: Redaction;
  /** Redacts the secret of the current request if no key of the mock has it. */
  readonly #unknownSecret = createRedaction();
  /** The oldest exchange is at `#start`. */
  readonly #ring: Slot[] = [];
  readonly #redactedHeaders = createKeptHeaders();
  readonly #keptUrl = createKeptUrls();
  readonly #listeners = new Set<(exchange: Exchange) => void>();
  #start = 0;
  #length = 0;
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
    this.#secrets = secrets;
    this.#capacity = entries;
    this.#maxBytes = bytes;
    this.#bodyBytes = bodyBytes;
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
    return { kept: this.#length, dropped: this.#dropped, bytes: this.#bytes };
  }

  /** Whether exchanges are kept, or a listener waits for them. */
  get active(): boolean {
    return this.#capacity > 0 || this.#listeners.size > 0;
  }

  /** Redacts and keeps an exchange. @param at milliseconds since the epoch, by the mock's clock */
  record(request: ApiRequest, reply: ApiReply, trace: Trace, at: number, milliseconds: number): void {
    const unknown = trace.key === null ? request.headers['x-api-key'] : undefined;
    if (unknown === undefined) this.#keep(this.#fill(request, reply, trace, at, milliseconds, this.#clean));
    else {
      this.#unknownSecret.add(unknown, '…');
      const clean = (text: string) => this.#unknownSecret.apply(this.#clean(text));
      this.#keep(this.#fill(request, reply, trace, at, milliseconds, clean));
      this.#unknownSecret.remove(unknown);
    }
  }

  #clean = (text: string) => this.#secrets.apply(text);

  #fill(
    request: ApiRequest,
    reply: ApiReply,
    trace: Trace,
    at: number,
    milliseconds: number,
    clean: (text: string) => string,
  ): Slot {
    const url = this.#keptUrl(request.url, clean);
    const headers = this.#redactedHeaders(request.headers, trace.key, clean);
    const body = trace.body === null || trace.body.length === 0 ? null : this.#keptBytes(trace.body, clean);
    // A reply can repeat a secret only if the request had it outside of the key's header, which is rare.
    const secretElsewhere =
      url !== request.url ||
      body?.clean === false ||
      !onlyKeyRedacted(request.headers, headers) ||
      trace.fault !== null;
    const signed = trace.operationId === 'startSiteFileUpload';
    const text = reply.body !== null && (secretElsewhere || signed) ? clean(reply.body) : reply.body;

    const slot = this.#freeSlot();
    slot.id = ++this.#lastId;
    slot.at = at;
    slot.milliseconds = milliseconds;
    slot.tenant = trace.tenant;
    slot.key = trace.key === null ? null : trace.key.name;
    slot.operationId = trace.operationId;
    slot.method = request.method;
    slot.url = url;
    slot.headers = headers;
    slot.requestBody = body?.kept ?? null;
    slot.status = reply.status;
    slot.replyHeaders = secretElsewhere ? mapValues(reply.headers, clean) : reply.headers;
    slot.replyText = text === null ? null : shortened(text, this.#bodyBytes);
    slot.replyLength = text === null ? 0 : text.length;
    slot.broken = reply.broken ?? null;
    slot.delay = reply.delay ?? 0;
    slot.refused = trace.refused;
    slot.why = trace.why === null || !secretElsewhere ? trace.why : clean(trace.why);
    slot.fault = trace.fault === null ? null : trace.fault.id;
    slot.size = sizeOf(slot);
    if (this.#listeners.size > 0) {
      const exchange = exchangeOf(slot);
      for (const listener of this.#listeners) listener(exchange);
    }
    return slot;
  }

  /** The exchanges that match, newest last. This and the next methods throw MockError `invalid` for an invalid query. */
  list(query: JournalQuery = {}): Exchange[] {
    checkArguments(query, shapes().journalQuery);
    const wanted = criteria(query);
    return this.#all().filter((exchange) => wanted.every((criterion) => criterion.matches(exchange)));
  }

  /** The exchange with this id; undefined if it was dropped or never existed. */
  get(id: number): Exchange | undefined {
    return this.#all().find((exchange) => exchange.id === id);
  }

  /** How many of the kept exchanges match. */
  count(query: JournalQuery = {}): number {
    return this.list(query).length;
  }

  /** Checks the number of matching exchanges. */
  examine(query: JournalQuery, times: Times): Verification {
    checkArguments(query, shapes().journalQuery);
    checkArguments({ times }, shapes().withTimes);
    return verification(this.#all(), query, times, this.#dropped);
  }

  /** Checks that there is an exchange for each query, in this order. */
  examineSequence(queries: readonly JournalQuery[]): Verification {
    checkArguments(queries, shapes().sequence);
    return sequenceVerification(this.#all(), queries, this.#dropped);
  }

  /** Checks the time between matching exchanges. */
  examineGaps(query: JournalQuery, gaps: Gaps): Verification {
    checkArguments(query, shapes().journalQuery);
    checkArguments(gaps, shapes().gaps);
    return gapVerification(this.#all(), query, gaps, this.#dropped);
  }

  /**
   * `journal.verify({ operationId: 'listLabels', status: 200 }, 1)`: exactly this many, or `{ atLeast, atMost }`.
   * @throws VerificationError with the nearest exchanges, if the number is wrong
   */
  verify(query: JournalQuery, times: Times): void {
    this.#assert(this.examine(query, times));
  }

  /**
   * `journal.verifySequence([{ operationId: 'startSiteFileUpload' }, { method: 'PUT' }, { operationId: 'registerSiteFile' }])`:
   * in this order. Other exchanges may come between them.
   * @throws VerificationError naming the first step that is missing
   */
  verifySequence(queries: readonly JournalQuery[]): void {
    this.#assert(this.examineSequence(queries));
  }

  /**
   * `journal.verifyGaps({ operationId: 'listLabels' }, { atLeast: '2s' })`: at least two seconds apart, by the mock's clock.
   * @throws VerificationError naming the exchanges that came too early or too late
   */
  verifyGaps(query: JournalQuery, gaps: Gaps): void {
    this.#assert(this.examineGaps(query, gaps));
  }

  #assert(examined: Verification): void {
    if (!examined.verified) throw new VerificationError(examined);
  }

  /** Calls the listener with every exchange from now on. @returns a function that removes the listener. */
  subscribe(listener: (exchange: Exchange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Removes the exchanges of one tenant. */
  forget(tenant: string): void {
    const kept: Slot[] = [];
    for (let i = 0; i < this.#length; i++) {
      const slot = this.#ring[(this.#start + i) % this.#capacity];
      if (slot === undefined) continue;
      if (slot.tenant === tenant) this.#bytes -= slot.size;
      else kept.push(slot);
    }
    this.#ring.splice(0, this.#ring.length, ...kept);
    this.#start = 0;
    this.#length = kept.length;
  }

  /** Removes all exchanges and resets the count of dropped ones. Later exchanges do not reuse ids. */
  clear(): void {
    this.#ring.length = 0;
    this.#start = 0;
    this.#length = 0;
    this.#bytes = 0;
    this.#dropped = 0;
  }

  /** The slot for the next exchange. If the ring is full, the oldest exchange is dropped and its slot is used. */
  #freeSlot(): Slot {
    // A journal that keeps nothing still calls its listeners, with a slot outside of the ring.
    if (this.#capacity === 0) return emptySlot();
    if (this.#length === this.#capacity) this.#drop();
    const at = (this.#start + this.#length) % this.#capacity;
    const slot = this.#ring[at] ?? emptySlot();
    this.#ring[at] = slot;
    return slot;
  }

  #keep(slot: Slot): void {
    if (this.#capacity === 0) return;
    while (this.#length > 0 && this.#bytes + slot.size > this.#maxBytes) this.#drop();
    if (slot.size > this.#maxBytes) {
      empty(slot);
      this.#dropped++;
      return;
    }
    this.#length++;
    this.#bytes += slot.size;
  }

  #drop(): void {
    const oldest = this.#ring[this.#start];
    if (oldest !== undefined) {
      this.#bytes -= oldest.size;
      empty(oldest);
    }
    this.#start = (this.#start + 1) % this.#capacity;
    this.#length--;
    this.#dropped++;
  }

  #all(): Exchange[] {
    const all: Exchange[] = [];
    for (let i = 0; i < this.#length; i++) {
      const slot = this.#ring[(this.#start + i) % this.#capacity];
      if (slot !== undefined) all.push(exchangeOf(slot));
    }
    return all;
  }

  #keptBytes(bytes: Uint8Array, clean: (text: string) => string): { kept: KeptBody; clean: boolean } {
    const shortened = bytes.length > this.#bodyBytes;
    // Half a secret would not be redacted, so more is read than kept: no secret is split at the end of the kept part.
    const margin = Math.max(this.#secrets.maxLength, this.#unknownSecret.maxLength);
    const read = shortened ? bytes.subarray(0, this.#bodyBytes + margin) : bytes;
    const text = utf8.decode(read);
    const redacted = clean(text);
    const whole = read.length === bytes.length ? redacted : redacted.slice(0, Math.max(0, redacted.length - margin));
    const kept = { text: shortened ? whole.slice(0, this.#bodyBytes) : whole, bytes: bytes.length, shortened };
    return { kept, clean: redacted === text };
  }
}

const utf8 = new TextDecoder();

/** Copies the beginning of a text. A slice would keep the whole text in memory. */
function shortened(text: string, length: number): string {
  return text.length <= length ? text : JSON.parse(JSON.stringify(text.slice(0, length)));
}

/** Estimated bytes, with two bytes per character. */
function sizeOf({ url, headers: named, requestBody, replyText }: Slot): number {
  let headers = 0;
  for (const name in named) headers += named[name]?.length ?? 0;
  return overhead + 2 * (url.length + headers + (requestBody?.text.length ?? 0) + (replyText?.length ?? 0));
}
