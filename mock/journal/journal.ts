import { createRedaction, type Redaction } from '../../spec/redaction/redaction.ts';
import { checkArguments } from '../arguments/check-arguments.ts';
import { object } from '../arguments/shape.ts';
import { gaps as gapsShape, journalQuery, sequence, times as timesShape } from '../arguments/shapes.ts';
import type { ApiReply, ApiRequest } from '../message.ts';
import type { Trace } from '../trace.ts';
import type { Exchange, KeptBody } from './exchange.ts';
import { areThose, createKeptHeaders } from './kept-headers.ts';
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
  /** How many exchanges are kept: 1,000 by default; 0 keeps none. */
  readonly entries?: number | undefined;
  /** How much memory they may take in all, in bytes: 16 MiB by default. */
  readonly bytes?: number | undefined;
  /** How much is kept of one body, in bytes: 16 KiB by default. */
  readonly bodyBytes?: number | undefined;
}

/** Bytes that an exchange takes beside its text: objects, properties, header names. The estimate is on the high side. */
const overhead = 1_500;

/** The last exchanges of a mock. What no longer fits is dropped, oldest first, and counted. */
export class Journal {
  readonly #capacity: number;
  readonly #maxBytes: number;
  readonly #bodyBytes: number;
  readonly #secrets: Redaction;
  /** Holds the secret of the current request, where no key of the mock has this secret. */
  readonly #stranger = createRedaction();
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
   * @param secrets takes the keys of the mock out of what is kept
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
   * The number of the last exchange, whether it is kept or not; 0 where there was none.
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

  /** Keeps an exchange, redacted. @param at milliseconds since the epoch by the mock's clock. */
  record(request: ApiRequest, reply: ApiReply, trace: Trace, at: number, milliseconds: number): void {
    const stranger = trace.key === null ? request.headers['x-api-key'] : undefined;
    if (stranger === undefined) this.#keep(this.#fill(request, reply, trace, at, milliseconds, this.#clean));
    else {
      this.#stranger.add(stranger, '…');
      const clean = (text: string) => this.#stranger.apply(this.#clean(text));
      this.#keep(this.#fill(request, reply, trace, at, milliseconds, clean));
      this.#stranger.remove(stranger);
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
    // A reply can repeat a secret only if the request had the secret outside of its own header, which is rare.
    const strayed =
      url !== request.url || body?.clean === false || !areThose(request.headers, headers) || trace.fault !== null;
    const signed = trace.operationId === 'startSiteFileUpload';
    const text = reply.body !== null && (strayed || signed) ? clean(reply.body) : reply.body;

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
    slot.replyHeaders = strayed ? mapValues(reply.headers, clean) : reply.headers;
    slot.replyText = text === null ? null : shortened(text, this.#bodyBytes);
    slot.replyLength = text === null ? 0 : text.length;
    slot.broken = reply.broken ?? null;
    slot.delay = reply.delay ?? 0;
    slot.refused = trace.refused;
    slot.why = trace.why === null || !strayed ? trace.why : clean(trace.why);
    slot.fault = trace.fault === null ? null : trace.fault.id;
    slot.size = sizeOf(slot);
    if (this.#listeners.size > 0) {
      const exchange = exchangeOf(slot);
      for (const listener of this.#listeners) listener(exchange);
    }
    return slot;
  }

  /** The exchanges that fit, newest last. @throws MockError `invalid` for a query that makes no sense, here and below. */
  list(query: JournalQuery = {}): Exchange[] {
    checkArguments(query, journalQuery);
    const wanted = criteria(query);
    return this.#all().filter((exchange) => wanted.every((criterion) => criterion.fits(exchange)));
  }

  /** The exchange of this id; undefined where it was dropped, or never was. */
  get(id: number): Exchange | undefined {
    return this.#all().find((exchange) => exchange.id === id);
  }

  /** How many of the kept exchanges fit. */
  count(query: JournalQuery = {}): number {
    return this.list(query).length;
  }

  /** Whether the exchanges that fit are as many as they should be, in words too. */
  examine(query: JournalQuery, times: Times): Verification {
    checkArguments(query, journalQuery);
    checkArguments({ times }, object({ times: timesShape }, ['times']));
    return verification(this.#all(), query, times, this.#dropped);
  }

  /** Whether there is an exchange for each query in turn, in words too. */
  examineSequence(queries: readonly JournalQuery[]): Verification {
    checkArguments(queries, sequence);
    return sequenceVerification(this.#all(), queries, this.#dropped);
  }

  /** Whether the exchanges that fit are as far apart as they should be, in words too. */
  examineGaps(query: JournalQuery, gaps: Gaps): Verification {
    checkArguments(query, journalQuery);
    checkArguments(gaps, gapsShape);
    return gapVerification(this.#all(), query, gaps, this.#dropped);
  }

  /**
   * `journal.verify({ operationId: 'listLabels', status: 200 }, 1)`: exactly so many, or `{ atLeast, atMost }`.
   * @throws VerificationError with what came nearest, unless the exchanges that fit are as many as they should be
   */
  verify(query: JournalQuery, times: Times): void {
    this.#assert(this.examine(query, times));
  }

  /**
   * `journal.verifySequence([{ operationId: 'startSiteFileUpload' }, { method: 'PUT' }, { operationId: 'registerSiteFile' }])`:
   * in this order, whatever else stands between them.
   * @throws VerificationError naming the first step that is missing
   */
  verifySequence(queries: readonly JournalQuery[]): void {
    this.#assert(this.examineSequence(queries));
  }

  /**
   * `journal.verifyGaps({ operationId: 'listLabels' }, { atLeast: '2s' })`: not again before two seconds, by the mock's clock.
   * @throws VerificationError naming those that came too early or too late
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

  /** Forgets the exchanges of one tenant. */
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

  /** Forgets all exchanges and the count of dropped ones; ids go on counting. */
  clear(): void {
    this.#ring.length = 0;
    this.#start = 0;
    this.#length = 0;
    this.#bytes = 0;
    this.#dropped = 0;
  }

  /** The slot for the next exchange; where the ring is full, the slot of the oldest exchange, which is dropped. */
  #freeSlot(): Slot {
    // A journal that keeps no entries still tells its listeners, from a slot that is not kept.
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
    // Half a secret would not be redacted, so a secret that the cut would split is read whole.
    const margin = Math.max(this.#secrets.longest, this.#stranger.longest);
    const read = shortened ? bytes.subarray(0, this.#bodyBytes + margin) : bytes;
    const text = utf8.decode(read);
    const redacted = clean(text);
    const whole = read.length === bytes.length ? redacted : redacted.slice(0, Math.max(0, redacted.length - margin));
    const kept = { text: shortened ? whole.slice(0, this.#bodyBytes) : whole, bytes: bytes.length, shortened };
    return { kept, clean: redacted === text };
  }
}

const mapValues = (record: Readonly<Record<string, string>>, change: (value: string) => string) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

const utf8 = new TextDecoder();

/** A copy of the beginning: a slice would keep the whole text in memory. */
function shortened(text: string, length: number): string {
  return text.length <= length ? text : JSON.parse(JSON.stringify(text.slice(0, length)));
}

/** Two bytes per character, as strings beyond Latin-1 take. */
function sizeOf({ url, headers: named, requestBody, replyText }: Slot): number {
  let headers = 0;
  for (const name in named) headers += named[name]?.length ?? 0;
  return overhead + 2 * (url.length + headers + (requestBody?.text.length ?? 0) + (replyText?.length ?? 0));
}
