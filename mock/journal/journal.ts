import type { Trace } from '../handle.ts';
import type { ApiReply, ApiRequest } from '../message.ts';
import type { Exchange, KeptBody } from './exchange.ts';
import { createKeptHeaders } from './kept-headers.ts';
import { createKeptUrls } from './kept-urls.ts';
import { criteria, type JournalQuery } from './query.ts';
import { redactQuery, redactSecret } from './redact.ts';
import { holdsSecret, withoutBeginningOf } from './secret-forms.ts';
import { empty, emptySlot, exchangeOf, type Slot } from './slot.ts';
import { type Times, type Verification, VerificationError, verification } from './verification.ts';

export interface JournalOptions {
  /** How many exchanges are kept: 1,000 by default; 0 keeps none. */
  readonly entries?: number | undefined;
  /** How much memory they may take in all, in bytes: 16 MiB by default. */
  readonly bytes?: number | undefined;
  /** How much is kept of one body, in bytes: 16 KiB by default. */
  readonly bodyBytes?: number | undefined;
}

/** What an exchange takes beside its text: objects, properties, header names. An estimate on the safe side. */
const overhead = 1_500;

/** The last exchanges of a mock. What no longer fits is dropped, oldest first, and counted. */
export class Journal {
  readonly #capacity: number;
  readonly #maxBytes: number;
  readonly #bodyBytes: number;
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

  constructor({ entries = 1_000, bytes = 16 * 1024 * 1024, bodyBytes = 16 * 1024 }: JournalOptions = {}) {
    this.#capacity = entries;
    this.#maxBytes = bytes;
    this.#bodyBytes = bodyBytes;
  }

  /** How many exchanges are kept now, and how many were dropped to make room since the journal was last cleared. */
  get size(): { readonly kept: number; readonly dropped: number; readonly bytes: number } {
    return { kept: this.#length, dropped: this.#dropped, bytes: this.#bytes };
  }

  /** Whether anything would become of an exchange. */
  get active(): boolean {
    return this.#capacity > 0 || this.#listeners.size > 0;
  }

  /** Keeps an exchange, redacted. @param at milliseconds since the epoch by the mock's clock. */
  record(request: ApiRequest, reply: ApiReply, trace: Trace, at: number, milliseconds: number): void {
    const secret = request.headers['x-api-key'];
    const body = trace.body === null || trace.body.length === 0 ? null : this.#keptBytes(trace.body, secret);
    const query = request.url.includes('?') ? redactQuery(request.url) : request.url;
    // A reply can repeat a key only after a request that had it where it does not belong, which hardly any has.
    const strayed =
      secret !== undefined && hasStrayed(secret, query, body?.text ?? '', request.headers['content-type']);
    const clean = strayed ? (text: string) => redactSecret(text, secret) : unchanged;
    const signed = trace.operationId === 'startSiteFileUpload' && reply.body !== null;
    const replyText = signed ? redactQuery(reply.body ?? '') : reply.body;
    const cleanReply = replyText === null ? null : clean(replyText);

    const slot = this.#freeSlot();
    slot.id = ++this.#lastId;
    slot.at = at;
    slot.milliseconds = milliseconds;
    slot.tenant = trace.tenant;
    slot.key = trace.key === null ? null : trace.key.name;
    slot.operationId = trace.operationId;
    slot.method = request.method;
    slot.url = this.#keptUrl(clean(query));
    slot.headers = this.#redactedHeaders(request.headers, trace.key);
    slot.requestBody = body && { ...body, text: clean(body.text) };
    slot.status = reply.status;
    slot.replyHeaders = reply.headers;
    slot.replyText = cleanReply === null ? null : shortened(cleanReply, this.#bodyBytes);
    slot.replyLength = cleanReply === null ? 0 : cleanReply.length;
    slot.broken = reply.broken ?? null;
    slot.delay = reply.delay ?? 0;
    slot.refused = trace.refused;
    slot.why = trace.why === null ? null : clean(trace.why);
    slot.fault = trace.fault === null ? null : trace.fault.id;
    slot.size = sizeOf(slot);
    if (this.#listeners.size > 0) {
      const exchange = exchangeOf(slot);
      for (const listener of this.#listeners) listener(exchange);
    }
    this.#keep(slot);
  }

  /** The exchanges that fit, newest last. */
  list(query: JournalQuery = {}): Exchange[] {
    const wanted = criteria(query);
    return this.#all().filter((exchange) => wanted.every((criterion) => criterion.fits(exchange)));
  }

  get(id: number): Exchange | undefined {
    return this.#all().find((exchange) => exchange.id === id);
  }

  /** How many of the kept exchanges fit. */
  count(query: JournalQuery = {}): number {
    return this.list(query).length;
  }

  /** Whether the exchanges that fit are as many as they should be, in words too. */
  examine(query: JournalQuery, times: Times): Verification {
    return verification(this.#all(), query, times, this.#dropped);
  }

  /** @throws VerificationError with what came nearest, unless the exchanges that fit are as many as they should be. */
  verify(query: JournalQuery, times: Times): void {
    const examined = this.examine(query, times);
    if (!examined.verified) throw new VerificationError(examined);
  }

  /** Calls the listener with every exchange from now on. @returns what ends that. */
  subscribe(listener: (exchange: Exchange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Forgets all exchanges and the count of dropped ones; ids go on counting. */
  clear(): void {
    this.#ring.length = 0;
    this.#start = 0;
    this.#length = 0;
    this.#bytes = 0;
    this.#dropped = 0;
  }

  /** The slot behind the newest exchange; where the ring is full, that of the oldest, which is dropped for it. */
  #freeSlot(): Slot {
    // Without entries there are only listeners, and nothing stays.
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

  #keptBytes(bytes: Uint8Array, secret = ''): KeptBody {
    const shortened = bytes.length > this.#bodyBytes;
    const text = utf8.decode(shortened ? bytes.subarray(0, this.#bodyBytes) : bytes);
    return { text: shortened ? withoutBeginningOf(secret, text) : text, bytes: bytes.length, shortened };
  }
}

/** Looks into a path for the key as it is only: paths are long, and there is one in every request. */
function hasStrayed(secret: string, url: string, body: string, contentType = ''): boolean {
  if (url.includes(secret) || contentType.includes(secret)) return true;
  return (
    ((url.includes('?') || url.includes('%')) && holdsSecret(url, secret)) || (body !== '' && holdsSecret(body, secret))
  );
}

const utf8 = new TextDecoder();

const unchanged = (text: string) => text;

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
