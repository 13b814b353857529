import { seededRandom } from '../../spec/random.ts';
import { checkArguments } from '../arguments/check-arguments.ts';
import { faultSpec } from '../arguments/shapes.ts';
import { toMilliseconds } from '../clock.ts';
import type { ApiReply, ApiRequest } from '../message.ts';
import { MockError } from '../mock-error.ts';
import { pathPattern } from '../patterns/path-pattern.ts';
import type { FiredFault, Trace } from '../trace.ts';
import type { Fault, FaultSpec, FaultTarget } from './fault.ts';
import { latencySampler } from './latency.ts';
import { statusReply } from './status-reply.ts';
import { verifyUsed } from './verify-used.ts';

interface Armed {
  readonly fault: { id: string; spec: FaultSpec; hits: number; remaining: number | null };
  readonly fits: (request: ApiRequest, trace: Trace) => boolean;
  readonly strikes: () => boolean;
  readonly fired: FiredFault;
  /** When the fault ends. */
  readonly until: number;
  readonly reply: ApiReply | null;
}

interface FaultsOptions {
  /** Milliseconds since the epoch by the mock's clock. */
  readonly now: () => number;
  /** Whether there is a tenant of this name. */
  readonly isTenant: (name: string) => boolean;
}

/** The faults in force. Of several that fit a request the one added first strikes. */
export class Faults {
  readonly #armed = new Map<string, Armed>();
  readonly #now: () => number;
  readonly #isTenant: (name: string) => boolean;
  #added = 0;

  /** @internal */
  constructor({ now, isTenant }: FaultsOptions) {
    this.#now = now;
    this.#isTenant = isTenant;
  }

  /**
   * Puts a fault in force: `faults.add({ operationId: 'listLabels', reply: { status: 503 }, times: 1 })`.
   * @throws MockError `invalid` with everything that is wrong, in the words of the control API
   */
  add(spec: FaultSpec): Fault {
    checkArguments(spec, faultSpec);
    if (spec.tenant !== undefined && !this.#isTenant(spec.tenant)) {
      throw new MockError('invalid', `tenant: there is no tenant ${spec.tenant}`);
    }
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

  /** The faults in force, each with how often it struck. */
  list(): Fault[] {
    return [...this.#armed.values()].map((armed) => this.#shown(armed));
  }

  /** The fault of this id; undefined where it is not in force. */
  get(id: string): Fault | undefined {
    const armed = this.#armed.get(id);
    return armed && this.#shown(armed);
  }

  /** Returns whether there was a fault of this id. */
  remove(id: string): boolean {
    return this.#armed.delete(id);
  }

  /**
   * For the end of a test.
   * @param tenant looks at the faults of this tenant alone
   * @throws VerificationError naming the faults in force that have struck no request
   */
  verifyUsed(tenant?: string): void {
    verifyUsed(this.list().filter(({ spec }) => tenant === undefined || spec.tenant === tenant));
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
