/**
 * The model of a record: what each reply about it must show after the writes so far. Pure, so that a run and the judgement of its history say the
 * same.
 */
import type { OperationId } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import { type Exchange, isObject, jsonOf, succeeded, valuesOf } from '../history/exchange.ts';
import { lateWrites } from '../numbers.ts';
import type { LabelAct } from '../target/holder.ts';
import { asToken, type Learned, tokensIn, type View } from './views.ts';

export const context = 'getConversationContext';

/** How the labels in a reply differ from the model: `missing ID`, `extra foreign`, `twice`, `unreadable`. `foreign` are labels that others put on. */
export type Sign = string;

export const isForeign = (sign: Sign): boolean => sign.endsWith(' foreign');

/** Whether two signs are of one kind, of our labels: of two writes at once, either may be the one that is lost. */
export const isAlike = (one: Sign, other: Sign): boolean =>
  one === other || (!isForeign(one) && !isForeign(other) && one.split(' ')[0] === other.split(' ')[0]);

/** Whether two signs are about one label, or about labels of others: where a read misses it at one time, and shows it too long at another, it lags. */
export const isOfLabel = (one: Sign, other: Sign): boolean =>
  one === other || one.split(' ')[1] === other.split(' ')[1];

/** The rule about what a write that changes something does. */
export const effectOf = (act: LabelAct): RuleId => (act === 'apply' ? 'labels/apply-adds' : 'labels/remove-removes');

/** New names of spare labels, by their ids. */
type Renamed = ReadonlyMap<string, string>;

/** What replies may call each spare label: another version may show the id where a name was learned. */
const namesOf = ({ tokens }: View, renamed: Renamed = new Map()): readonly (readonly [id: string, names: string[]])[] =>
  [...tokens].map(([id, token]) => [id, [token, asToken(id), renamed.get(id) ?? []].flat()]);

/** What a reply shows of the labels of a record; null where it is no success, or shows no list there. */
export function readingOf(view: View, exchange: Exchange, renamed?: Renamed) {
  const tokens = succeeded(exchange) ? tokensIn(view, jsonOf(exchange)) : null;
  // An item that cannot be read is one of another version.
  if (tokens === null || tokens.includes('')) return null;
  const spares = namesOf(view, renamed);
  return {
    /** Ids of the spare labels that it shows. */
    own: new Set(spares.flatMap(([id, names]) => (names.some((name) => tokens.includes(name)) ? [id] : []))),
    /** Tokens of all other labels. */
    foreign: new Set(tokens.filter((token) => !spares.some(([, names]) => names.includes(token)))),
    /** Of spare labels alone: labels of others may share a name. */
    isTwice: [...view.tokens.values()].some((token) => tokens.indexOf(token) !== tokens.lastIndexOf(token)),
  };
}

export class RecordModel {
  readonly views: Learned['views'];
  /** Tokens of the labels that others put on, as replies of each form have shown them last. */
  readonly foreign: Map<View, ReadonlySet<string>>;
  /** As the replies to writes say: people rename labels. */
  readonly #renamed = new Map<string, string>();
  /** What a write that was not served has not done, until another one is. */
  readonly #undone = new Set<Sign>();
  /** Until when a write of a label whose reply was lost may still arrive, by the label. */
  readonly #late = new Map<string, number>();
  #lastLook: readonly Sign[] = [];
  /** The rules of writes at once, by their labels. */
  readonly #atOnce = new Map<string, RuleId>();
  #wasAtOnce = false;

  constructor({ views, foreign }: Learned) {
    this.views = views;
    this.foreign = new Map(foreign);
  }

  /** Takes in a step. @returns what the model does not expect, and of it what the last look did not show; null where it shows no labels, or is not judged by what it shows */
  read(exchange: Exchange) {
    const { step, operation } = exchange;
    if (step === undefined) return null;
    const { part, rule, carries } = step;
    const isWrite = part === 'write' || part === 'at-once';
    if (part !== 'look' && !(part === 'at-once' && this.#wasAtOnce)) this.#atOnce.clear();
    this.#wasAtOnce = part === 'at-once';
    this.#noteWrite(exchange, isWrite);
    if (part === 'at-once' && rule !== null) this.#atOnce.set(exchange.params.labelId ?? '', rule);
    const view = this.views.get(operation as OperationId);
    if (view === undefined || !succeeded(exchange) || (part !== 'write' && part !== 'look')) return null;
    if (operation !== context) this.#noteNames(exchange);
    const reading = this.readingOf(exchange);
    // Every field of a context may be absent.
    if (reading === null && operation === context) return null;
    const all = reading === null ? ['unreadable'] : this.#signsOf(reading, view, carries);
    const isLate = (label = '') => (this.#late.get(label) ?? 0) > exchange.sentAt;
    const signs = all.filter((sign) => !this.#undone.has(sign) && !isLate(sign.split(' ')[1]));
    return { signs, fresh: signs.filter((sign) => !this.#lastLook.includes(sign)) };
  }

  /** What a reply about the record shows of its labels; null where nothing is known of such replies, or it shows no list. */
  readingOf(exchange: Exchange) {
    const view = this.views.get(exchange.operation as OperationId);
    return view === undefined ? null : readingOf(view, exchange, this.#renamed);
  }

  #noteNames(write: Exchange) {
    const known = [...this.views.values()].flatMap(({ tokens }) => [...tokens]);
    for (const [, value] of valuesOf(jsonOf(write))) {
      if (!isObject(value) || typeof value.name !== 'string') continue;
      const name = asToken(value.name);
      // The name of another spare label is a wrong name.
      if (!known.some(([id]) => id === value.id) || known.some(([, token]) => token === name)) continue;
      this.#renamed.set(String(value.id), name);
      for (const [view, tokens] of this.foreign)
        this.foreign.set(view, new Set([...tokens].filter((token) => token !== name)));
    }
  }

  #noteWrite(write: Exchange, isWrite: boolean) {
    const label = write.params.labelId?.toLowerCase() ?? '';
    if ([null, 502, 504].includes(write.status)) this.#late.set(label, write.doneAt + lateWrites);
    if (!isWrite) return;
    for (const sign of [`missing ${label}`, `extra ${label}`]) this.#undone.delete(sign);
    if (!succeeded(write)) this.#undone.add(`${write.operation?.startsWith('apply') ? 'missing' : 'extra'} ${label}`);
  }

  #signsOf(
    { own, foreign, isTwice }: NonNullable<ReturnType<typeof readingOf>>,
    view: View,
    carries: readonly string[],
  ): Sign[] {
    const before = this.foreign.get(view) ?? foreign;
    return [
      ...[...view.tokens.keys()].flatMap((label) => {
        const must = carries.includes(label);
        return must === own.has(label) ? [] : [`${must ? 'missing' : 'extra'} ${label}`];
      }),
      ...(isTwice ? ['twice'] : []),
      ...([...before].some((token) => !foreign.has(token)) ? ['missing foreign'] : []),
      ...([...foreign].some((token) => !before.has(token)) ? ['extra foreign'] : []),
    ];
  }

  /** Takes over what a reply shows. Of looks one after the other, only the last counts: what came late only lags. */
  keep(exchange: Exchange, { signs }: { readonly signs: readonly Sign[] }): void {
    const { step, operation } = exchange;
    const view = this.views.get(operation as OperationId);
    const reading = this.readingOf(exchange);
    if (view && reading) this.foreign.set(view, reading.foreign);
    // Where nothing is judged, the record is put into a state next.
    if (step?.part === 'look') this.#lastLook = step.rule === null ? [] : signs;
  }

  /** The rule that a sign breaks: of two writes at once, that of the write of this label. @param rule of the step that shows it */
  ruleOf(sign: Sign, rule: RuleId): RuleId {
    if (sign === 'twice') return 'labels/membership-is-a-set';
    return this.#atOnce.get(sign.split(' ')[1] ?? '') ?? rule;
  }
}
