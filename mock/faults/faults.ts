import { seededRandom } from '../../spec/random.ts';
import { checkArguments, type FaultSpec, shapes } from '../arguments/shapes.ts';
import { toMilliseconds } from '../clock.ts';
import type { ApiReply, ApiRequest } from '../message.ts';
import { MockError, missing } from '../mock-error.ts';
import { pathPattern } from '../paths.ts';
import type { FiredFault, Trace } from '../trace.ts';
import { type Fault, verifyUsed } from './fault.ts';
import { latencySampler } from './latency.ts';
import { statusReply } from './status-reply.ts';

interface ActiveFault {
  readonly fault: { -readonly [Field in keyof Fault]: Fault[Field] };
  readonly matches: (request: ApiRequest, trace: Trace, isServed: boolean) => boolean;
  readonly isSelected: () => boolean;
  readonly fired: FiredFault;
  readonly reply: ApiReply | null;
}

interface FaultsOptions {
  /** Milliseconds since the epoch by the mock's clock. */
  readonly now: () => number;
  /** Whether there is a tenant of this name. */
  readonly isTenant: (name: string) => boolean;
}

/** The faults of a mock. If several match a request, the one added first applies. */
export class Faults {
  readonly #active = new Map<string, ActiveFault>();
  readonly #options: FaultsOptions;
  #added = 0;

  /** @internal */
  constructor(options: FaultsOptions) {
    this.#options = options;
  }

  /**
   * Adds a fault: `faults.add({ operationId: 'listLabels', reply: { status: 503 }, times: 1 })`.
   * @throws MockError `invalid` with every problem
   */
  add(spec: FaultSpec): Fault {
    const id = `fault-${this.#added + 1}`;
    const active = this.#activated(id, spec, 0);
    this.#added++;
    this.#active.set(id, active);
    return this.#shown(active);
  }

  /**
   * Replaces what a fault does and to which requests. It keeps its id, its place and its hits; an unchanged `times` or `lasts` counts on.
   * @throws MockError `missing` if there is no such fault, `invalid` with every problem
   */
  edit(id: string, spec: FaultSpec): Fault {
    const { fault } = this.#active.get(id) ?? missing(`there is no fault ${id}`);
    const active = this.#activated(id, spec, fault.hits);
    if (spec.times === fault.spec.times) active.fault.remaining = fault.remaining;
    if (spec.lasts === fault.spec.lasts) active.fault.endsAt = fault.endsAt;
    this.#active.set(id, active);
    return this.#shown(active);
  }

  #activated(id: string, spec: FaultSpec, hits: number): ActiveFault {
    checkArguments(spec, shapes().faultSpec);
    if (spec.tenant !== undefined && !this.#options.isTenant(spec.tenant)) {
      throw new MockError('invalid', `tenant: there is no tenant ${spec.tenant}`);
    }
    const random = seededRandom(spec.seed ?? 1);
    const endsAt = spec.lasts === undefined ? null : this.#options.now() + toMilliseconds(spec.lasts);
    return {
      fault: { id, spec: structuredClone(spec), hits, remaining: spec.times ?? null, endsAt },
      matches: target(spec),
      isSelected: () => spec.probability === undefined || random() < spec.probability,
      fired: { id, why: `${describe(spec)} (${id}).`, damage: damageOf(spec, random) },
      reply: spec.drop === 'before' ? dropped : spec.reply === undefined ? null : statusReply(spec.reply),
    };
  }

  /** All faults, each with the number of requests it has affected. */
  list(): Fault[] {
    return [...this.#active.values()].map((active) => this.#shown(active));
  }

  /** The fault with this id; undefined if it was removed or never added. */
  get(id: string): Fault | undefined {
    const active = this.#active.get(id);
    return active && this.#shown(active);
  }

  /** Removes a fault. @returns whether there was a fault with this id */
  remove(id: string): boolean {
    return this.#active.delete(id);
  }

  /**
   * Checks at the end of a test that every fault was used.
   * @throws VerificationError naming the faults that have affected no request
   */
  verifyUsed(): void {
    verifyUsed(this.list());
  }

  /** Removes all faults, or those of one tenant. */
  clear(tenant?: string): void {
    for (const [id, { fault }] of this.#active) {
      if (tenant === undefined || fault.spec.tenant === tenant) this.#active.delete(id);
    }
  }

  /**
   * Applies the first matching fault and notes it in the trace.
   * @param isServed whether the request has an operation or is an upload. Another one keeps its 404 or 405 and uses no fault up, unless the fault
   *   names its path
   * @returns its reply, if it replaces that of the operation
   */
  strike(request: ApiRequest, trace: Trace, isServed = true): ApiReply | null {
    if (this.#active.size === 0) return null;
    for (const active of this.#active.values()) {
      const { fault, matches, isSelected, fired, reply } = active;
      if (fault.spec.paused || this.#shown(active).remaining === 0) continue;
      if (!matches(request, trace, isServed) || !isSelected()) continue;
      fault.hits++;
      if (fault.remaining !== null) fault.remaining--;
      trace.fault = fired;
      if (reply !== null) trace.refused = 'fault';
      // Of a delay alone the journal has the time.
      if (reply !== null || fault.spec.drop || fault.spec.damage) trace.why = fired.why;
      return reply;
    }
    return null;
  }

  #shown({ fault }: ActiveFault): Fault {
    const isOver = fault.endsAt !== null && this.#options.now() >= fault.endsAt;
    return { ...fault, ...(isOver && { remaining: 0 }) };
  }
}

const dropped: ApiReply = { status: 503, headers: {}, body: null, broken: 'dropped' };

function target({ operationId, tenant, key, method, path }: FaultSpec): ActiveFault['matches'] {
  const pattern = path === undefined ? null : pathPattern(path);
  const verb = method?.toUpperCase();
  return (request, trace, isServed) =>
    (operationId === undefined || trace.operationId === operationId) &&
    (tenant === undefined || trace.tenant === tenant) &&
    (key === undefined || trace.key?.name === key) &&
    (verb === undefined || request.method === verb) &&
    (pattern?.(request.url) ?? isServed);
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

function describe({ reply, latency, drop, damage }: FaultSpec): string {
  const parts = [
    reply && `a reply of ${reply.status}`,
    latency !== undefined && 'latency',
    drop && `a connection dropped ${drop} the operation`,
    damage && `a ${damage} body`,
  ];
  return `An injected fault: ${parts.filter(Boolean).join(', ')}`;
}
