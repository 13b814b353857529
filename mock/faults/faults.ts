import { seededRandom } from '../../spec/random.ts';
import { toMilliseconds } from '../clock.ts';
import type { ApiReply, ApiRequest } from '../message.ts';
import type { FiredFault, Trace } from '../trace.ts';
import type { Fault, FaultSpec, FaultTarget } from './fault.ts';
import { latencySampler } from './latency.ts';
import { pathPattern } from './path-pattern.ts';
import { statusReply } from './status-reply.ts';

interface Armed {
  readonly fault: { id: string; spec: FaultSpec; hits: number; remaining: number | null };
  readonly fits: (request: ApiRequest, trace: Trace) => boolean;
  readonly strikes: () => boolean;
  readonly fired: FiredFault;
  /** When its time is over. */
  readonly until: number;
  readonly reply: ApiReply | null;
}

/** The faults in force. Of several that fit a request the one added first strikes. */
export class Faults {
  readonly #armed = new Map<string, Armed>();
  readonly #now: () => number;
  #added = 0;

  /** @param now milliseconds since the epoch by the mock's clock */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @throws RangeError when the fault does nothing, or a number in it is out of range. */
  add(spec: FaultSpec): Fault {
    check(spec);
    const random = seededRandom(spec.seed ?? 1);
    const id = `fault-${this.#added + 1}`;
    const fault = { id, spec: structuredClone(spec), hits: 0, remaining: spec.times ?? null };
    const armed: Armed = {
      fault,
      fits: target(spec),
      strikes: strikesOf(spec, random),
      until: spec.lasts === undefined ? Number.POSITIVE_INFINITY : this.#now() + toMilliseconds(spec.lasts),
      fired: { id, why: `${inWords(spec)} (${id}).`, damage: damageOf(spec, random) },
      reply: spec.drop === 'before' ? dropped : spec.reply === undefined ? null : statusReply(spec.reply),
    };
    this.#added++;
    this.#armed.set(id, armed);
    return this.#shown(armed);
  }

  list(): Fault[] {
    return [...this.#armed.values()].map((armed) => this.#shown(armed));
  }

  get(id: string): Fault | undefined {
    const armed = this.#armed.get(id);
    return armed && this.#shown(armed);
  }

  /** Whether there was one. */
  remove(id: string): boolean {
    return this.#armed.delete(id);
  }

  /** Removes all faults, or those of one tenant. */
  clear(tenant?: string): void {
    for (const [id, { fault }] of this.#armed) {
      if (tenant === undefined || fault.spec.tenant === tenant) this.#armed.delete(id);
    }
  }

  /** Notes in the trace the fault that strikes this request. @returns its reply, where it has one in place of the operation's. */
  strike(request: ApiRequest, trace: Trace): ApiReply | null {
    if (this.#armed.size === 0) return null;
    for (const { fault, fits, strikes, fired, reply, until } of this.#armed.values()) {
      if (fault.remaining === 0 || this.#now() >= until || !fits(request, trace) || !strikes()) continue;
      fault.hits++;
      if (fault.remaining !== null) fault.remaining--;
      trace.fault = fired;
      if (reply !== null) {
        trace.refused = 'fault';
        trace.why = fired.why;
      }
      return reply;
    }
    return null;
  }

  #shown({ fault: { id, spec, hits, remaining }, until }: Armed): Fault {
    return { id, spec, hits, remaining: this.#now() >= until ? 0 : remaining };
  }
}

const dropped: ApiReply = { status: 503, headers: {}, body: null, broken: 'dropped' };

function check({ reply, latency, drop, damage, times, lasts, probability, burst }: FaultSpec): void {
  if (reply === undefined && latency === undefined && drop === undefined && damage === undefined) {
    throw new RangeError('a fault needs something that happens: give reply, latency, drop or damage');
  }
  if (times !== undefined && !(Number.isInteger(times) && times > 0))
    throw new RangeError('times: give a whole number above 0');
  if (lasts !== undefined && !(toMilliseconds(lasts) > 0)) throw new RangeError('lasts: give a duration above 0');
  if (burst !== undefined && !(Number.isInteger(burst) && burst > 0))
    throw new RangeError('burst: give a whole number above 0');
  if (probability !== undefined && !(probability >= 0 && probability <= 1)) {
    throw new RangeError('probability: give a number from 0 to 1');
  }
  const { status = 500, retryAfter = 1 } = reply ?? {};
  if (!(Number.isInteger(status) && status >= 200 && status <= 599)) {
    throw new RangeError('reply.status: give a whole number from 200 to 599');
  }
  if (!(Number.isInteger(retryAfter) && retryAfter >= 0)) throw new RangeError('reply.retryAfter: give whole seconds');
  checkHeaders(reply?.headers ?? {});
}

/** These say how the reply is sent, which is not the reply's to say; a wrong one would keep it from being sent at all. */
const ofTheTransport = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (ofTheTransport.has(name.toLowerCase())) {
      throw new RangeError(`reply.headers.${name}: is set by the server itself; use drop or damage to break a reply`);
    }
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value)) {
      throw new RangeError(`reply.headers.${name}: give the name of a header, and visible ASCII for its value`);
    }
  }
}

function target({ operationId, tenant, key, method, path }: FaultTarget): Armed['fits'] {
  const pattern = path === undefined ? null : pathPattern(path);
  const verb = method?.toUpperCase();
  return (request, trace) =>
    (operationId === undefined || trace.operationId === operationId) &&
    (tenant === undefined || trace.tenant === tenant) &&
    (key === undefined || trace.key?.name === key) &&
    (verb === undefined || request.method === verb) &&
    (pattern === null || pattern(request.url));
}

function strikesOf({ probability, burst = 1 }: FaultSpec, random: () => number): () => boolean {
  if (probability === undefined) return () => true;
  let left = 0;
  return () => {
    if (left === 0 && random() < probability) left = burst;
    return left > 0 && left-- > 0;
  };
}

function damageOf({ latency, drop, damage }: FaultSpec, random: () => number): FiredFault['damage'] {
  const sample = latency === undefined ? null : latencySampler(latency, random);
  return (reply) => ({
    ...reply,
    ...(damage === 'malformed' && { body: `${(reply.body ?? '{}').slice(0, -1)},]` }),
    ...(damage === 'truncated' && { broken: 'truncated' as const }),
    ...(drop !== undefined && { broken: 'dropped' as const }),
    ...(sample !== null && { delay: (reply.delay ?? 0) + sample() }),
  });
}

function inWords({ reply, latency, drop, damage }: FaultSpec): string {
  const parts = [
    reply && `a reply of ${reply.status}`,
    latency !== undefined && 'latency',
    drop && `a connection dropped ${drop} the operation`,
    damage && `a ${damage} body`,
  ];
  return `An injected fault: ${parts.filter(Boolean).join(', ')}`;
}
