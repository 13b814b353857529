/** One record under test: its model, how labels are put on it and taken off, how to look at it, and how it is learned where replies show its labels. */
import type { TargetTenant } from '../../spec/files/target.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import { isUnavailable } from '../contract/judge.ts';
import { belowId, type Change, open, type Place, type Request, valid, type Who } from '../contract/request.ts';
import { type Exchange, type Step, succeeded, type Trial } from '../history/exchange.ts';
import type { LabelKind, Owner } from '../history/facts.ts';
import { lags, maxWritesOfRecord } from '../numbers.ts';
import { type KeyOfTenant, keysFor } from '../target/deployment.ts';
import { holderKey, holderParams, type LabelAct, labelOperations } from '../target/holder.ts';
import { isSpare, type KnownHolder, type NamedLabel, sparesOf } from '../target/records.ts';
import type { Bench } from './bench.ts';
import { context, effectOf, RecordModel, type Sign } from './model.ts';
import { answeringIn } from './there.ts';
import { learned } from './views.ts';

/** The narrowest key more often than the others, so that no key is the bottleneck. */
export const inTurn = <Key>(keys: readonly Key[], turn: number): Key =>
  keys[turn % 2 === 0 ? 0 : ((turn - 1) / 2) % keys.length] as Key;

const recordKey = ({ tenant, holder }: KnownHolder): string => `${tenant} ${holderKey(holder)}`;

/** How a look is made. */
interface Looking {
  /** The rule that a difference breaks; null where nothing is judged. */
  readonly rule: RuleId | null;
  /** The label in question: a look that is a write must not repair it. */
  readonly inQuestion?: string | undefined;
  readonly trial?: Trial | undefined;
}

/** How a step is logged. */
interface StepOf {
  readonly part: Step['part'];
  /** The rule that a difference breaks; null by default, where nothing is judged. */
  readonly rule?: RuleId | null;
  /** What the record carries after it; what it carries already by default. */
  readonly carries?: ReadonlySet<string>;
  readonly trial?: Trial | undefined;
}

const nothing = { views: new Map(), foreign: new Map() };

export class RecordUnderTest {
  readonly known: KnownHolder;
  readonly tenant: TargetTenant;
  readonly place: Place;
  readonly spares: readonly NamedLabel[];
  /** Ids of the spare labels that the record carries. */
  carried: ReadonlySet<string> = new Set();
  model = new RecordModel(nothing);
  /** A conversation that is closed, also where a hook closed it. */
  isClosed: boolean;
  #turn = 0;
  /** Writes on the record when it was last seen as the model says; -1 where it was not. */
  #seenAt = -1;
  /** Labels that were written since then. */
  readonly #written = new Set<string>();
  /** What replies to writes have shown since the last look. */
  #shown: readonly Sign[] = [];

  constructor(known: KnownHolder, tenant: TargetTenant) {
    this.known = known;
    this.isClosed = known.slug === 'closed-conversation';
    this.tenant = tenant;
    this.spares = sparesOf(tenant);
    this.place = { owner: 'ours', params: holderParams(known.holder) };
  }

  /** Whether a reply shows its labels, so that there is something to judge. */
  get isSeen(): boolean {
    return this.model.views.size > 0;
  }
  /** Whether a read shows its labels. */
  get isRead(): boolean {
    return this.model.views.has(context);
  }

  operation = (act: LabelAct): OperationId => labelOperations[this.known.holder.kind][act];
  /** Whether its labels were changed as often as is meant, so that nothing is repeated there. @param share of what is meant */
  isSpent = (b: Bench, share = 1): boolean =>
    b.scene.exposures.of(recordKey(this.known)).changes >= share * maxWritesOfRecord;
  keys = (b: Bench, operation: OperationId): KeyOfTenant[] => keysFor(b.deployment, operation, this.tenant);
  nextKey = (b: Bench, operation: OperationId): Who => valid(inTurn(this.keys(b, operation), this.#turn++));

  /** The rule that is broken if the effect of this write is wrong. */
  effectRule(act: LabelAct, label: string, kind: LabelKind = 'spare'): RuleId {
    if (kind === 'spare' && this.carried.has(label) === (act === 'apply'))
      return act === 'apply' ? 'labels/apply-is-idempotent' : 'labels/remove-is-idempotent';
    return this.isClosed ? 'labels/closed-conversation-can-be-labelled' : effectOf(act);
  }

  /** A write of a label. */
  request(
    b: Bench,
    act: LabelAct,
    label: string,
    how: { who?: Who | undefined; kind?: LabelKind | undefined; change?: Change; owner?: Owner } = {},
  ): Request {
    const { kind = isSpare(this.tenant, label) ? 'spare' : 'unknown', owner = 'ours', change } = how;
    const operation = this.operation(act);
    const successRule = this.effectRule(act, label, kind);
    return {
      operation,
      who: how.who ?? this.nextKey(b, operation),
      place: { ...this.place, owner },
      label: { kind, id: label },
      ...(change && { change }),
      ...(successRule !== effectOf(act) && { successRule }),
    };
  }

  /** What it carries after a write. */
  after = (act: LabelAct, label: string): ReadonlySet<string> =>
    act === 'apply' ? new Set([...this.carried, label]) : new Set([...this.carried].filter((one) => one !== label));

  tags = ({ part, rule = null, carries = this.carried, trial }: StepOf) => ({
    step: { record: recordKey(this.known), carries: [...carries], part, rule },
    ...(trial && { trial }),
  });

  /** Sends a request as a step. @returns the last try */
  async send(b: Bench, request: Request, step: StepOf): Promise<Exchange> {
    const exchange = await b.send(request, this.tags(step));
    this.saw(b, exchange);
    return exchange;
  }

  /** Takes in a step. What its reply shows is told with the next look. */
  saw(b: Bench, exchange: Exchange): void {
    if (exchange.step?.part !== 'look') this.#written.add(exchange.params.labelId?.toLowerCase() ?? '');
    const difference = b.scene.planning ? null : this.model.read(exchange);
    if (difference === null) return;
    this.model.keep(exchange, difference);
    if (exchange.step?.rule) this.#shown = difference.fresh;
  }

  /** Writes a label without a judgement. @returns the last try, after which `carried` is what it says */
  async write(b: Bench, act: LabelAct, label: string, part: 'learn' | 'write' = 'write'): Promise<Exchange> {
    const carries = this.after(act, label);
    const exchange = await this.send(b, this.request(b, act, label), { part, carries });
    if (succeeded(exchange)) this.carried = carries;
    return exchange;
  }

  /**
   * The requests that show the labels, the best first: of a conversation its context, of another record a write that changes nothing. Not with the
   * label in question, because such a look would repair what it looks for.
   */
  #requestsOfLook(b: Bench, inQuestion?: string): Request[] {
    if (this.isRead) return [{ operation: context, who: this.nextKey(b, context), place: this.place }];
    const idle = ({ id }: NamedLabel): Request[] => {
      const act = this.carried.has(id) ? 'apply' : 'remove';
      return this.model.views.has(this.operation(act)) ? [this.request(b, act, id)] : [];
    };
    const isOn = ({ id }: NamedLabel) => (this.carried.has(id) ? 1 : 0);
    const others = this.spares.filter(({ id }) => id !== inQuestion).sort((one, two) => isOn(one) - isOn(two));
    const own = this.spares.filter(({ id }) => id === inQuestion);
    return [...others, ...own].flatMap(idle);
  }

  async #lookOnce(b: Bench, { rule, inQuestion, trial }: Looking): Promise<Exchange | null> {
    const [request] = this.#requestsOfLook(b, inQuestion);
    return request === undefined ? null : b.send(request, this.tags({ part: 'look', rule, trial }));
  }

  /**
   * Looks. What is missing may only lag, so it is looked for again; how long it took is kept for the next looks.
   * @returns signs that were not there before, and those of the writes since the last look
   */
  async look(b: Bench, looking: Looking): Promise<readonly Sign[]> {
    const { state, scene } = b;
    const replied = this.#shown;
    this.#shown = [];
    if (this.isRead && state.lag > 0) await b.sleep(state.lag);
    const began = scene.now();
    const once = async () => {
      const exchange = await this.#lookOnce(b, looking);
      return { exchange, difference: exchange && !scene.planning ? this.model.read(exchange) : null };
    };
    const isDifferent = ({ difference }: Awaited<ReturnType<typeof once>>) => (difference?.signs.length ?? 0) > 0;
    let last = await once();
    // What was not written since it was last right does not lag: others put it on or take it off.
    const isLagging = last.difference?.signs.some((sign) => this.#written.has(sign.split(' ')[1] ?? ''));
    for (const at of this.isRead && isDifferent(last) ? this.#waits(b, looking) : []) {
      await b.sleep(Math.max(0, began + at - scene.now()));
      last = await once();
      if (isDifferent(last)) continue;
      if (isLagging) state.lag = Math.max(state.lag, at);
      break;
    }
    const { exchange, difference } = last;
    this.#seenAt =
      !isDifferent(last) && exchange && succeeded(exchange) ? scene.exposures.writesTo(this.known.holder) : -1;
    if (exchange === null || difference === null) return replied;
    if (!isDifferent(last)) this.#written.clear();
    this.model.keep(exchange, difference);
    return [...replied, ...difference.fresh];
  }

  #waits(b: Bench, { rule, trial }: Looking): readonly number[] {
    // What is missing for good is waited for once by each rule: a trial follows.
    const isFull = trial === undefined && rule !== null && !b.state.trialsOf.has(rule);
    // Where reads were seen to lag, one may lag longer than those so far.
    return isFull ? lags : lags.slice(0, lags.findLastIndex((at) => at <= b.state.lag) + 2);
  }

  /** What was seen counts no longer: before it is put into a state, it is looked at again. */
  forget(): void {
    this.#seenAt = -1;
  }

  /**
   * Takes over what the record carries, and puts it into a state: writes only what differs.
   * @param inQuestion the label that the next write is about, so that the look before it is always the same
   * @returns whether the record is in this state, as far as replies show it
   */
  async establish(b: Bench, state: ReadonlySet<string>, inQuestion?: string): Promise<boolean> {
    for (let tries = 0; tries < 2; tries++) {
      const isKnown = tries === 0 && this.#seenAt === b.scene.exposures.writesTo(this.known.holder);
      let own = isKnown ? this.carried : await this.#seeOwn(b, inQuestion);
      const differing = () => this.spares.filter(({ id }) => own === null || state.has(id) !== own.has(id));
      // What was written a moment ago may lag.
      if (tries === 1 && this.isRead && differing().length > 0) {
        await b.sleep(lags[0]);
        own = await this.#seeOwn(b, inQuestion);
      }
      const wrong = differing();
      if (wrong.length === 0) break;
      if (tries === 1 && own !== null && this.isRead) return false;
      const replies: Exchange[] = [];
      for (const { id } of wrong) replies.push(await this.write(b, state.has(id) ? 'apply' : 'remove', id));
      // Where neither the look nor any of the writes was served, nothing says what the record carries.
      if (own === null && replies.every(isUnavailable)) return false;
      if (own === null || b.scene.planning) break;
      const shown = this.model.readingOf(replies.at(-1) as Exchange)?.own;
      const isShown = shown?.size === state.size && [...shown].every((one) => state.has(one));
      // Where only writes show labels, a look may itself be what changes them: the reply to the last write counts.
      if (tries === 1 && !isShown) return false;
    }
    this.carried = new Set(state);
    return true;
  }

  /** Which spare labels the record shows; null where nothing shows it. */
  async #seeOwn(b: Bench, inQuestion?: string): Promise<ReadonlySet<string> | null> {
    if (this.isRead) await b.sleep(b.state.lag);
    const exchange = await this.#lookOnce(b, { rule: null, inQuestion });
    if (exchange === null || !this.model.views.has(exchange.operation as OperationId)) return null;
    if (b.scene.planning) return this.carried;
    this.saw(b, exchange);
    const own = this.model.readingOf(exchange)?.own ?? null;
    if (own !== null) this.carried = own;
    return own;
  }
}

/** The record, once it is learned where the replies about it show labels. The first script that asks for it learns it. */
export const recordOf = (b: Bench, known: KnownHolder, tenant: TargetTenant): Promise<RecordUnderTest> =>
  b.once(b.state.records, recordKey(known), () => learn(b, new RecordUnderTest(known, tenant)));

/** Writes that have two labels to go by, each of them on and off. */
const learningWrites = (x: string, y: string | undefined): readonly (readonly [LabelAct, string])[] => {
  const [put, take] = [(label: string) => ['apply', label] as const, (label: string) => ['remove', label] as const];
  return y === undefined
    ? [take(x), put(x), take(x), put(x), take(x)]
    : [take(x), take(y), put(x), put(y), take(x), put(x), take(y), take(x), put(y), take(y)];
};

async function learn(b: Bench, record: RecordUnderTest): Promise<RecordUnderTest> {
  const [x, y] = record.spares.map(({ id }) => id);
  const isUsable = (['apply', 'remove'] as const)
    .map(record.operation)
    .every((one) => record.keys(b, one).length > 0 && b.deployment.operation(one));
  if (x === undefined || !isUsable) return record;
  const isConversation = record.known.holder.kind === 'conversation';
  const observed: Exchange[] = [];
  const readContext = async () => {
    if (!isConversation || record.keys(b, context).length === 0) return;
    const request = { operation: context, who: record.nextKey(b, context), place: record.place } as const;
    observed.push(await record.send(b, request, { part: 'learn' }));
  };
  await readContext();
  for (const [act, label] of learningWrites(x, y)) {
    const exchange = await record.write(b, act, label, 'learn');
    observed.push(exchange);
    // Nothing is put on that cannot be taken off again.
    if (act === 'remove' && !b.has(record.operation(act)) && !(await isAnswered(b, exchange))) return record;
    if (isConversation) await b.sleep(Math.max(b.deployment.settleMilliseconds, b.state.lag));
    await readContext();
  }
  record.model = new RecordModel(learned(observed, record.spares));
  return record;
}

/** Whether a removal that was refused was refused by the operation: a path below it, where nothing is, is answered otherwise. */
async function isAnswered(b: Bench, removal: Exchange): Promise<boolean> {
  const request = b.state.requests.get(removal);
  if (request === undefined) return false;
  const path = `${removal.url.slice(b.deployment.baseUrl.length)}/x`;
  let last = removal;
  // A front that has lost its service answers like a router, for some seconds.
  for (const wait of [0, ...lags.slice(0, 3)]) {
    await b.sleep(wait);
    if (wait > 0) last = await b.send(request);
    const below = await b.send({ ...request, change: open(belowId, { path }) });
    const again = isUnavailable(last) ? [await b.send(request)] : [];
    if (answeringIn([last, ...again, below]).has(request.operation)) b.state.answering.add(request.operation);
    if (b.has(request.operation)) break;
  }
  return b.has(request.operation);
}
