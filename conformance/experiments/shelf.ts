/** One record with its labels: which spare labels it carries by the model, and how to look. */
import type { TargetTenant } from '../../spec/files/target.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import { isUnavailable } from '../contract/judge.ts';
import { type Change, type Place, type Request, valid, type Who } from '../contract/request.ts';
import { type Exchange, type Step, succeeded, type Trial } from '../history/exchange.ts';
import type { LabelKind, Owner } from '../history/facts.ts';
import { lags, maxLadders, maxWritesOfRecord } from '../numbers.ts';
import { holderKey, holderParams, type LabelAct, labelOperations } from '../target/holder.ts';
import { type KeyOfTenant, keysFor } from '../target/keys.ts';
import { type KnownHolder, type NamedLabel, sparesOf } from '../target/records.ts';
import type { Bench, Tags } from './bench.ts';
import { type Difference, differencesOf, readingOf, signOf } from './differences.ts';
import type { View } from './places.ts';

export const context = 'getConversationContext';

/** The narrowest key more often than the others, so that no key is the bottleneck. */
export const inTurn = <Key>(keys: readonly Key[], turn: number): Key =>
  keys[turn % 2 === 0 ? 0 : ((turn - 1) / 2) % keys.length] as Key;

export const recordKey = ({ tenant, holder }: KnownHolder): string => `${tenant} ${holderKey(holder)}`;

/** How a look is made. */
interface Looking {
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
  /** A conversation that is closed, also where a hook closed it. */
  isClosed: boolean;
  readonly #isPlanned: boolean;
  #turn = 0;
  /** Signs that the last look has shown. */
  #shown: ReadonlySet<string> = new Set();
  /** Writes on the record when it was last seen as the model says; -1 where it was not. */
  #seenAt = -1;

  /** @param isPlanned whether replies are made up, so that they show nothing */
  constructor(known: KnownHolder, tenant: TargetTenant, isPlanned = false) {
    this.#isPlanned = isPlanned;
    this.known = known;
    this.isClosed = known.slug === 'closed-conversation';
    this.tenant = tenant;
    this.spares = sparesOf(tenant);
    this.place = { owner: 'ours', params: holderParams(known.holder) };
  }

  operation = (act: LabelAct): OperationId => labelOperations[this.known.holder.kind][act];
  /** Whether its labels were changed as often as is meant, so that nothing is repeated there. @param share of what is meant */
  isSpent = (b: Bench, share = 1): boolean =>
    b.scene.exposures.of(recordKey(this.known)).changes >= share * maxWritesOfRecord;
  keys = (b: Bench, operation: OperationId): KeyOfTenant[] => keysFor(b.deployment, operation, this.tenant);
  nextKey = (b: Bench, operation: OperationId): Who => valid(inTurn(this.keys(b, operation), this.#turn++));

  /** Whether a key and the operations are there to put labels on and take them off. */
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
    const serves = isIdle ? idle : this.isClosed ? 'labels/closed-conversation-can-be-labelled' : undefined;
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
    if (view === undefined || this.#isPlanned || !succeeded(exchange)) return [];
    const reading = readingOf(view, exchange);
    if (reading === null) return operation === context ? [] : [{ what: 'unreadable', label: null }];
    const differences = differencesOf(reading, view, [...carries], this.foreign.get(operation) ?? null);
    this.foreign.set(operation, reading.foreign);
    return differences;
  }

  /**
   * The requests that show the labels, the best first: of a conversation its context, of another record a write that changes nothing. Not with the
   * label in question, because such a look would repair what it looks for.
   */
  #glances(b: Bench, guarded?: string): Request[] {
    if (this.views.has(context)) return [{ operation: context, who: this.nextKey(b, context), place: this.place }];
    const idle = ({ id }: NamedLabel): Request[] => {
      const act = this.carried.has(id) ? 'apply' : 'remove';
      return this.views.has(this.operation(act)) ? [this.request(b, act, id)] : [];
    };
    const isOn = ({ id }: NamedLabel) => (this.carried.has(id) ? 1 : 0);
    const others = this.spares.filter(({ id }) => id !== guarded).sort((one, two) => isOn(one) - isOn(two));
    const own = this.spares.filter(({ id }) => id === guarded);
    return [...others, ...own].flatMap(idle);
  }

  /** Looks once. Where such a look is refused, another one may be served. */
  async #glance(b: Bench, guarded: string | undefined, tags: Tags): Promise<Exchange | null> {
    let shown: Exchange | null = null;
    for (const glance of this.#glances(b, guarded).slice(0, 2)) {
      shown = await b.send(glance, tags);
      if (succeeded(shown) || isUnavailable(shown)) break;
    }
    return shown;
  }

  /**
   * Looks. What is missing may only lag, so it is looked for again; how long it took is kept for the next looks.
   * @returns how the last look differs, without what the look before has shown already
   */
  async look(b: Bench, { rule, guarded, trial }: Looking): Promise<Difference[]> {
    const tags = { step: this.step('look', rule), trial };
    const isRead = this.views.has(context);
    if (isRead && b.state.lag > 0) await b.sleep(b.state.lag);
    const began = b.scene.now();
    let isSeen = false;
    const look = async () => {
      const exchange = await this.#glance(b, guarded, tags);
      isSeen = exchange !== null && succeeded(exchange);
      return exchange === null ? [] : this.compare(exchange.operation as OperationId, exchange);
    };
    let differences = await look();
    for (const at of isRead && !b.scene.planning ? this.#waits(b, rule, trial) : []) {
      if (differences.length === 0) break;
      await b.sleep(Math.max(0, began + at - b.scene.now()));
      differences = await look();
      if (differences.length === 0) b.state.lag = Math.max(b.state.lag, at);
    }
    const shown = new Set(differences.map(signOf));
    const fresh = differences.filter((one) => !this.#shown.has(signOf(one)));
    this.#shown = shown;
    this.#seenAt = shown.size === 0 && isSeen ? b.scene.exposures.writesTo(this.known.holder) : -1;
    return fresh;
  }

  #waits(b: Bench, rule: RuleId | null, trial: Trial | undefined): readonly number[] {
    const isFull = trial === undefined && rule !== null && b.state.ladders < maxLadders && !b.state.trialsOf.has(rule);
    if (isFull) b.state.ladders++;
    return isFull ? lags : lags.slice(0, 1);
  }

  /**
   * Takes over what the record carries, and puts it into a state: writes only what differs.
   * @returns whether the record is in this state, as far as replies show it
   */
  async establish(b: Bench, state: ReadonlySet<string>): Promise<boolean> {
    for (let tries = 0; tries < 2; tries++) {
      const isKnown = tries === 0 && this.#seenAt === b.scene.exposures.writesTo(this.known.holder);
      const own = isKnown ? this.carried : await this.#seeOwn(b);
      const wrong = this.spares.filter(({ id }) => own === null || state.has(id) !== own.has(id));
      if (wrong.length === 0) break;
      const isRead = this.views.has(context);
      if (tries === 1 && own !== null && isRead) return false;
      let isShown = false;
      for (const { id } of wrong) {
        const act = state.has(id) ? 'apply' : 'remove';
        const after = this.after(act, id);
        const written = await b.send(this.request(b, act, id), { step: this.step('write', null, after) });
        if (succeeded(written)) this.carried = after;
        const view = this.views.get(this.operation(act));
        const shown = view && succeeded(written) ? readingOf(view, written)?.own : undefined;
        isShown = shown?.size === state.size && [...shown].every((one) => state.has(one));
      }
      if (own === null || b.scene.planning) break;
      // Where only writes show labels, a look may itself be what changes them: the reply to the last write counts.
      if (tries === 1 && !isShown) return false;
      if (isRead) await b.sleep(b.state.lag);
    }
    this.carried = new Set(state);
    this.#shown = new Set();
    return true;
  }

  /** Which spare labels the record shows; null where nothing shows it. */
  async #seeOwn(b: Bench): Promise<ReadonlySet<string> | null> {
    const exchange = await this.#glance(b, undefined, { step: this.step('look', null) });
    const operation = exchange?.operation as OperationId;
    const view = this.views.get(operation);
    if (exchange === null || view === undefined) return null;
    if (this.#isPlanned) return this.carried;
    const reading = readingOf(view, exchange);
    if (reading === null) return null;
    this.foreign.set(operation, reading.foreign);
    this.carried = reading.own;
    return reading.own;
  }
}
