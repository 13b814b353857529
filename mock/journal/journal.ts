import { createRedaction, type Redaction } from '../../spec/redaction/redaction.ts';
import { mapValues } from '../../spec/text/map-values.ts';
import { checkArguments, shapes } from '../arguments/shapes.ts';
import type { ApiReply, ApiRequest } from '../message.ts';
import { ruleOf } from '../refusal.ts';
import type { Trace } from '../trace.ts';
import type { Exchange, KeptBody } from './exchange.ts';
import { type JournalQuery, selects } from './query.ts';
import { redactHeaders } from './redact-headers.ts';
import {
  type Gaps,
  gapVerification,
  sequenceVerification,
  type Times,
  type Verification,
  VerificationError,
  verification,
} from './verification.ts';

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

/** An exchange as it came. Its texts are redacted and shortened when somebody first reads it. */
interface Waiting extends Pick<ApiRequest, 'method' | 'url' | 'headers'> {
  readonly id: number;
  readonly tenant: string | null;
  readonly at: number;
  readonly milliseconds: number;
  readonly reply: ApiReply;
  readonly trace: Trace;
  readonly bytes: number;
}

/** An exchange that was redacted. */
interface Settled extends Pick<Waiting, 'id' | 'tenant' | 'bytes'> {
  readonly exchange: Exchange;
}

/** The last exchanges of a mock. When the journal is full, it drops and counts the oldest ones. */
export class Journal {
  readonly #entries: number;
  readonly #maxBytes: number;
  readonly #bodyBytes: number;
  readonly #secrets: Redaction;
  readonly #listeners = new Set<(exchange: Exchange) => void>();
  /** Oldest first. The first `#gone` of them were dropped, and are removed together, because moving all others takes time. */
  #kept: (Waiting | Settled)[] = [];
  #gone = 0;
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
    this.#entries = entries;
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
    return { kept: this.#kept.length - this.#gone, dropped: this.#dropped, bytes: this.#bytes };
  }

  /**
   * Keeps an exchange. What a known key sent without a body waits to be redacted until somebody reads it.
   * @param at milliseconds since the epoch, by the mock's clock
   */
  record(request: ApiRequest, reply: ApiReply, trace: Trace, at: number, milliseconds: number): void {
    if (this.#entries === 0 && this.#listeners.size === 0) return;
    const { method, url, headers: sent } = request;
    const { key, body, fault, tenant } = trace;
    // The secret of a key waits nowhere.
    const headers = key === null ? sent : { ...sent, 'x-api-key': key.prefix };
    const length = reply.body?.length ?? 0;
    const bytes =
      overhead + 2 * (url.length + lengthOf(sent) + Math.min(length + (body?.length ?? 0), 2 * this.#bodyBytes));
    const entry = { id: ++this.#lastId, tenant, at, milliseconds, method, url, headers, reply, trace, bytes };
    const waits =
      key !== null && body === null && fault === null && sent.authorization === undefined && length <= this.#bodyBytes;
    this.#kept.push(waits ? entry : this.#settled(entry));
    this.#bytes += bytes;
    for (const listener of this.#listeners) listener(this.#exchangeAt(this.#kept.length - 1));
    while (this.#bytes > this.#maxBytes || this.#kept.length - this.#gone > this.#entries) this.#drop();
  }

  #exchangeAt(index: number): Exchange {
    const entry = this.#kept[index] as Waiting | Settled;
    if ('exchange' in entry) return entry.exchange;
    const settled = this.#settled(entry);
    this.#kept[index] = settled;
    return settled.exchange;
  }

  #settled({ id, tenant, at, milliseconds, method, url, headers, reply, trace, bytes }: Waiting): Settled {
    const redact = this.#redactFor(trace.key === null ? headers['x-api-key'] : undefined);
    const body = trace.body === null || trace.body.length === 0 ? null : this.#keptBytes(trace.body, redact);
    const text = redact(reply.body ?? '');
    const exchange: Exchange = {
      id,
      at,
      milliseconds,
      tenant,
      key: trace.key?.name ?? null,
      operationId: trace.operationId,
      request: { method, url: redact(url), headers: redactHeaders(headers, trace.key, redact), body },
      reply: {
        status: reply.status,
        headers: mapValues(reply.headers, redact),
        body: reply.body === null ? null : shortened(text, text.length, this.#bodyBytes),
        broken: reply.broken ?? null,
        delay: reply.delay ?? 0,
      },
      refused: trace.refused,
      why: trace.why === null ? null : redact(trace.why),
      rule: ruleOf(trace.refused),
      fault: trace.fault?.id ?? null,
    };
    return { id, tenant, bytes, exchange };
  }

  /**
   * Redacts all that waits, before a secret is forgotten.
   * @internal
   */
  settle(): void {
    this.#all();
  }

  /** The exchanges that match, newest last. This and the next methods throw MockError `invalid` for an invalid query. */
  list(query: JournalQuery = {}): Exchange[] {
    checkArguments(query, shapes().journalQuery);
    return this.#all().filter(selects(query));
  }

  /** The exchange with this id; undefined if it was dropped or never existed. */
  get(id: number): Exchange | undefined {
    const index = this.#kept.findIndex((kept, i) => i >= this.#gone && kept.id === id);
    return index < 0 ? undefined : this.#exchangeAt(index);
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
    this.#kept = this.#kept.slice(this.#gone).filter((entry) => entry.tenant !== tenant);
    this.#gone = 0;
    this.#bytes = this.#kept.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Removes all exchanges and resets the count of dropped ones. Later exchanges do not reuse ids. */
  clear(): void {
    this.#kept = [];
    this.#gone = 0;
    this.#bytes = 0;
    this.#dropped = 0;
  }

  #drop(): void {
    this.#bytes -= this.#kept[this.#gone++]?.bytes ?? 0;
    this.#dropped++;
    if (this.#gone * 2 < this.#kept.length) return;
    this.#kept.splice(0, this.#gone);
    this.#gone = 0;
  }

  #all(): Exchange[] {
    return Array.from({ length: this.#kept.length - this.#gone }, (_, i) => this.#exchangeAt(this.#gone + i));
  }

  /** @param unknown the secret of the request, if no key of the mock has it */
  #redactFor(unknown: string | undefined): (text: string) => string {
    if (unknown === undefined) return (text) => this.#secrets.apply(text);
    const own = createRedaction();
    own.add(unknown, '…');
    return (text) => own.apply(this.#secrets.apply(text));
  }

  #keptBytes(bytes: Uint8Array, redact: (text: string) => string): KeptBody {
    // Half a secret would not be redacted, so more is read than kept: no secret is split at the end of the kept part.
    const margin = this.#secrets.maxLength;
    const read = bytes.length > this.#bodyBytes ? bytes.subarray(0, this.#bodyBytes + margin) : bytes;
    const redacted = redact(utf8.decode(read));
    const whole = read.length === bytes.length ? redacted : redacted.slice(0, Math.max(0, redacted.length - margin));
    return shortened(whole, bytes.length, this.#bodyBytes);
  }
}

const utf8 = new TextDecoder();

/** Copies the beginning of a text. A slice would keep the whole text in memory. */
function shortened(text: string, bytes: number, limit: number): KeptBody {
  if (text.length <= limit && bytes <= limit) return { text, bytes, shortened: false };
  return { text: JSON.parse(JSON.stringify(text.slice(0, limit))), bytes, shortened: true };
}

/** The characters of all values. */
function lengthOf(headers: ApiRequest['headers']): number {
  let length = 0;
  for (const name in headers) length += headers[name]?.length ?? 0;
  return length;
}
