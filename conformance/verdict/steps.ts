/** What the steps on records show: how each reply and each look differs from what the record must carry. */
import type { OperationId } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import { context, RecordModel, readingOf, type Sign } from '../experiments/model.ts';
import { type Learned, mayShow } from '../experiments/views.ts';
import { type Exchange, jsonOf, succeeded, valuesOf } from '../history/exchange.ts';
import { noChance } from '../numbers.ts';
import type { Doubt } from './law.ts';
import type { EvidenceOf, Traffic } from './traffic.ts';

export type Steps = ReturnType<typeof judgeSteps>;

/** Adds the rules that looks show kept to the evidence. What surprises counts only if a trial shows it. */
export function judgeSteps({ exchanges, learned }: Pick<Traffic, 'exchanges' | 'learned'>, evidenceOf: EvidenceOf) {
  const records = Map.groupBy(exchanges, ({ step }) => step?.record ?? '');
  /** What each exchange on a record shows. */
  const signs = new Map<Exchange, readonly Sign[]>();
  /** What exchanges show that their steps do not expect. */
  const doubts: Doubt[] = [];
  const lost: Doubt[] = [];
  /** By record, windows in which nothing was written: how often each sign was there. */
  const windows = new Map<string, { all: number; readonly seen: Map<Sign, number> }>();
  let lag = 0;
  for (const [record, knows] of learned) {
    const steps = records.get(record) ?? [];
    const own = { all: 0, seen: new Map<Sign, number>() };
    windows.set(record, own);
    judgeReplyPlaces(steps, knows, evidenceOf);
    const removals = steps.filter(isRemovalOfPrivate);
    let lookedAt = Number.NEGATIVE_INFINITY;
    const model = new RecordModel(knows);
    for (const { exchange, step, difference, isQuiet, late } of readRecord(steps, model)) {
      const { signs: all, fresh } = difference;
      if (all.length === 0) lag = Math.max(lag, late);
      if (step.part === 'look') {
        const { sentAt } = exchange;
        const isBetween = (one: Exchange) => one.sentAt > lookedAt && one.doneAt <= sentAt;
        if (all.length === 0) evidenceOf('labels/private-cannot-be-removed').kept += removals.filter(isBetween).length;
        lookedAt = sentAt;
      }
      signs.set(exchange, fresh);
      if (!all.includes('twice')) evidenceOf('labels/membership-is-a-set').kept++;
      if (isQuiet) {
        own.all++;
        for (const sign of fresh) own.seen.set(sign, (own.seen.get(sign) ?? 0) + 1);
      }
      const { rule } = step;
      if (exchange.trial !== undefined || rule === null) continue;
      if (all.length === 0) evidenceOf(rule).kept++;
      for (const sign of fresh)
        doubts.push({
          rule: model.ruleOf(sign, rule),
          sign,
          words: `${sign} on ${record}`,
          exchanges: [exchange],
          of: 1,
        });
    }
    lost.push(...[...lostIn(steps, knows, model, record)].slice(0, 1));
  }
  if (lag > 0)
    evidenceOf('labels/apply-adds').answers.push(
      `a context showed a write only when asked again, ${(lag / 1000).toFixed(1)} s after it`,
    );
  // A colleague may take a label off one record just then.
  if (lost.length > 1) doubts.push(...lost);
  return { signs, doubts, windows };
}

/** Labels of others that were there before the learning writes, are gone after them, and stay away. No trial repeats those writes. */
function* lostIn(steps: readonly Exchange[], { views, foreign }: Learned, model: RecordModel, record: string) {
  for (const [view, learned] of foreign) {
    const own = steps.filter((one) => one.step?.part === 'learn' && views.get(one.operation as never) === view);
    const before = own.map((one) => readingOf(view, one)).find((one) => one !== null)?.foreign ?? new Set();
    const now = model.foreign.get(view) ?? learned;
    const lost = [...before].filter((label) => !learned.has(label) && !now.has(label));
    // As many others are the same under new names.
    if (lost.length === 0 || now.size >= before.size) continue;
    const words = `label ${lost[0]}, which ${record} carried before the first writes, is gone, and nobody was seen to take labels off`;
    yield { rule: 'labels/apply-adds', sign: 'missing foreign', words, exchanges: own.slice(-1), of: 1 } as const;
  }
}

/** A removal of a private label, after which a look shows the other labels. */
const isRemovalOfPrivate = ({ step, facts, operation, status }: Exchange) =>
  step?.part === 'refused' &&
  status !== null &&
  operation?.startsWith('remove') &&
  facts?.caller === 'valid' &&
  facts.owner === 'ours' &&
  facts.label === 'private';

/** The documented rule about what a write answers. */
export const replyRules: Readonly<Partial<Record<OperationId, RuleId>>> = {
  applyConversationLabel: 'labels/conversation-apply',
  removeConversationLabel: 'labels/conversation-remove',
  applySiteLabel: 'labels/site-apply',
  removeClientSiteLabel: 'labels/link-remove',
};

/** A write whose reply must show the labels, and of which no reply does. */
function judgeReplyPlaces(steps: readonly Exchange[], { views }: Learned, evidenceOf: EvidenceOf) {
  const asked = new Set(steps.flatMap(({ params }) => (params.labelId ? [params.labelId.toLowerCase()] : [])));
  const learning = steps.filter((one) => one.step?.part === 'learn' && succeeded(one));
  for (const [operation, replies] of Map.groupBy(learning, (one) => one.operation as OperationId)) {
    const rule = replyRules[operation];
    const exchange = replies.at(-1);
    if (rule === undefined || exchange === undefined || views.has(operation) || replies.length < noChance) continue;
    const isTold = replies.some(({ step }) => step?.carries.length);
    // The removal of the only label leaves none to tell where labels stand: then it may be any list.
    const mayBe = (json: unknown) =>
      isTold ? mayShow(json, asked) : valuesOf(json).some(([, value]) => Array.isArray(value));
    if (replies.some((one) => mayBe(jsonOf(one)))) {
      if (isTold) evidenceOf(rule).unclear.push(`${operation} shows labels at several places, as during a roll-out`);
      continue;
    }
    const observed = `${exchange.status}, and no list of labels in any reply`;
    evidenceOf(rule).broken(exchange, 'every public label that the record carries', observed);
  }
}

/**
 * What the exchanges of one record show, in order. Of looks one after the other, the last counts; `late`: milliseconds after the last write, where the
 * looks before it showed something else.
 */
function* readRecord(all: readonly Exchange[], model: RecordModel) {
  let lastWasLook = false;
  let writtenAt = 0;
  let wasOther = false;
  for (const [i, exchange] of all.entries()) {
    const { step } = exchange;
    if (step === undefined || step.part === 'learn') continue;
    const difference = model.read(exchange);
    const next = all[i + 1];
    const isLook = step.part === 'look';
    // Only reads are repeated.
    const isRead = isLook && exchange.operation === context && next?.step?.part === 'look';
    const isSeenAgain = isRead && next.step.rule === step.rule && next.trial?.arm === exchange.trial?.arm;
    if (!isLook) writtenAt = exchange.doneAt;
    const late = isLook && wasOther ? exchange.doneAt - writtenAt : 0;
    wasOther = difference !== null && isSeenAgain && difference.signs.length > 0;
    if (wasOther) continue;
    // Nothing was written since the look before.
    const isQuiet = isLook && lastWasLook;
    lastWasLook = isLook;
    if (difference === null) continue;
    model.keep(exchange, difference);
    yield { exchange, step, difference, isQuiet, late };
  }
}
