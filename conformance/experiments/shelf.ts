/** One record with its labels: which spare labels it carries by the model, and how to look. */
import type { TargetTenant } from '../../spec/files/target.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import { type Change, type Place, type Request, valid, type Who } from '../contract/request.ts';
import { type Exchange, type Step, succeeded, type Trial } from '../history/exchange.ts';
import type { LabelKind, Owner } from '../history/facts.ts';
import { holderKey, holderParams, type LabelAct, labelOperations } from '../target/holder.ts';
import { type KeyOfTenant, keysFor } from '../target/keys.ts';
import { type KnownHolder, type NamedLabel, sparesOf } from '../target/records.ts';
import type { Bench } from './bench.ts';
import { type Difference, differencesOf, readingOf } from './differences.ts';
import { lags } from './numbers.ts';
import type { View } from './places.ts';

export const context = 'getConversationContext';

/** The narrowest key more often than the others, so that no key is the bottleneck. */
export const inTurn = (keys: readonly KeyOfTenant[], turn: number): KeyOfTenant =>
  keys[turn % 2 === 0 ? 0 : ((turn - 1) / 2) % keys.length] as KeyOfTenant;

export const recordKey = ({ tenant, holder }: KnownHolder): string => `${tenant} ${holderKey(holder)}`;

/** How a look is made. */
export interface Looking {
  /** The rule that a difference breaks; null where nothing is judged. */
  readonly rule: RuleId | null;
  /** The label in question: a look that is a write must not repair it. */
  readonly guarded?: string | undefined;
  readonly trial?: Trial | undefined;
}

export class Shelf {
  readonly known: KnownHolder;
  readonly tenant: TargetTenant;
  readonly place: Place;
  readonly spares: readonly NamedLabel[];
  /** Ids of the spare labels that the record carries, by the model. */
  carried: ReadonlySet<string> = new Set();
  readonly views = new Map<OperationId, View>();
  /** Tokens of the other labels, by the operation that shows them, as they were last seen. */
  readonly foreign = new Map<OperationId, ReadonlySet<string>>();
  #turn = 0;

  constructor(known: KnownHolder, tenant: TargetTenant) {
    this.known = known;
    this.tenant = tenant;
    this.spares = sparesOf(tenant);
    this.place = { owner: 'ours', params: holderParams(known.holder) };
  }

  operation = (act: LabelAct): OperationId => labelOperations[this.known.holder.kind][act];
  keys = (b: Bench, operation: OperationId): KeyOfTenant[] => keysFor(b.deployment, operation, this.tenant);
  nextKey = (b: Bench, operation: OperationId): Who => valid(inTurn(this.keys(b, operation), this.#turn++));

  /** Whether labels can be put on and taken off, and replies show them. */
  isUsable = (b: Bench): boolean =>
    this.spares.length > 0 &&
    [this.operation('apply'), this.operation('remove')].every(
      (one) => this.keys(b, one).length > 0 && b.deployment.operation(one),
    );

  /** A write of a label. */
  request(
    b: Bench,
    act: LabelAct,
    label: string,
    how: { who?: Who; kind?: LabelKind; change?: Change; owner?: Owner } = {},
  ): Request {
    const { kind = 'spare', owner = 'ours', change } = how;
    const operation = this.operation(act);
    const isIdle = kind === 'carried' || (kind === 'spare' && (act === 'apply') === this.carried.has(label));
    const idle: RuleId = act === 'apply' ? 'labels/apply-is-idempotent' : 'labels/remove-is-idempotent';
    const isClosed = this.known.slug === 'closed-conversation';
    const serves = isIdle ? idle : isClosed ? 'labels/closed-conversation-can-be-labelled' : undefined;
    return {
      operation,
      who: how.who ?? this.nextKey(b, operation),
      place: { ...this.place, owner },
      label: { kind, id: label },
      ...(change && { change }),
      ...(serves && { serves }),
    };
  }

  /** What the model says after a write. */
  after = (act: LabelAct, label: string): ReadonlySet<string> =>
    act === 'apply' ? new Set([...this.carried, label]) : new Set([...this.carried].filter((one) => one !== label));

  step = (part: Step['part'], rule: RuleId | null, carries: ReadonlySet<string> = this.carried): Step => ({
    record: recordKey(this.known),
    carries: [...carries],
    part,
    rule,
  });

  /** How a reply differs from the model, and in other labels from the last one of this operation. */
  compare(operation: OperationId, exchange: Exchange, carries: ReadonlySet<string> = this.carried): Difference[] {
    const view = this.views.get(operation);
    if (view === undefined || !succeeded(exchange)) return [];
    const reading = readingOf(view, exchange);
    if (reading === null) return operation === context ? [] : [{ what: 'unreadable', label: null }];
    const differences = differencesOf(reading, view, [...carries], this.foreign.get(operation) ?? null);
    this.foreign.set(operation, reading.foreign);
    return differences;
  }

  /** The request that shows the labels: of a conversation its context, of another record a write that changes nothing. */
  #glance(b: Bench, guarded?: string): Request | null {
    if (this.views.has(context)) return { operation: context, who: this.nextKey(b, context), place: this.place };
    const idle = ({ id }: NamedLabel) => {
      const act = this.carried.has(id) ? 'apply' : 'remove';
      return this.views.has(this.operation(act)) ? [this.request(b, act, id)] : [];
    };
    // Not with the label in question, because this look is a write and would repair what it looks for.
    const [other] = this.spares.filter(({ id }) => id !== guarded).flatMap(idle);
    return other ?? this.spares.flatMap(idle)[0] ?? null;
  }

  /**
   * Looks. What is missing may only lag, so it is looked for again; how long it took is kept for the next looks.
   * @returns how the last look differs
   */
  async look(b: Bench, { rule, guarded, trial }: Looking): Promise<Difference[]> {
    const glance = this.#glance(b, guarded);
    if (glance === null) return [];
    const tags = { step: this.step('look', rule), trial };
    const isRead = glance.operation === context;
    const began = b.scene.now();
    if (isRead && b.state.lag > 0) await b.sleep(b.state.lag);
    let exchange = await b.send(glance, tags);
    let differences = this.compare(glance.operation, exchange);
    // Once for each rule in full: what is missing for good would be waited for again and again.
    const isFirst = trial === undefined && rule !== null && !b.state.trialsOf.has(rule);
    const patience = !isRead || b.scene.planning ? [] : isFirst ? lags : lags.slice(0, 1);
    for (const wait of patience) {
      if (differences.length === 0) break;
      await b.sleep(wait);
      exchange = await b.send(glance, tags);
      differences = this.compare(glance.operation, exchange);
      if (differences.length === 0) b.state.lag = Math.max(b.state.lag, Math.min(b.scene.now() - began, 4_000));
    }
    return differences;
  }

  /** Takes over what the record carries, and puts it into a state: writes only what differs. */
  async establish(b: Bench, state: ReadonlySet<string>) {
    const glance = this.#glance(b);
    const exchange = glance && (await b.send(glance, { step: this.step('look', null) }));
    const view = glance && this.views.get(glance.operation);
    const reading = exchange && view ? readingOf(view, exchange) : null;
    if (reading) this.foreign.set(glance?.operation ?? context, reading.foreign);
    if (reading) this.carried = reading.own;
    for (const { id } of this.spares)
      if (!reading || state.has(id) !== reading.own.has(id)) {
        const act = state.has(id) ? 'apply' : 'remove';
        const written = await b.send(this.request(b, act, id), { step: this.step('write', null, this.after(act, id)) });
        if (succeeded(written)) this.carried = this.after(act, id);
      }
    this.carried = new Set(state);
  }
}
