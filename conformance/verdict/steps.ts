/** What the steps on records show: how each reply and each look differs from what the record must carry. */
import type { OperationId } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import { context, type Difference, RecordModel, type Sign } from '../experiments/model.ts';
import type { Learned } from '../experiments/views.ts';
import { type Exchange, type Step, succeeded } from '../history/exchange.ts';
import { noChance } from '../numbers.ts';
import type { Doubt } from './replies.ts';
import type { EvidenceOf, Traffic } from './traffic.ts';

/** How often each sign was there in windows of a record in which nothing was written. */
interface Windows {
  all: number;
  readonly seen: Map<Sign, number>;
}

export interface Steps {
  /** What each exchange on a record shows. */
  readonly signs: ReadonlyMap<Exchange, readonly Sign[]>;
  /** What exchanges show that their steps do not expect. */
  readonly doubts: readonly Doubt[];
  /** By record. */
  readonly windows: ReadonlyMap<string, Windows>;
}

/** Adds the rules that looks show kept to the evidence. What surprises counts only if a trial shows it. */
export function judgeSteps(
  { exchanges, learned }: Pick<Traffic, 'exchanges' | 'learned'>,
  evidenceOf: EvidenceOf,
): Steps {
  const records = Map.groupBy(exchanges, ({ step }) => step?.record ?? '');
  const signs = new Map<Exchange, readonly Sign[]>();
  const doubts: Doubt[] = [];
  const windows = new Map<string, Windows>();
  for (const [record, knows] of learned) {
    const steps = records.get(record) ?? [];
    const own: Windows = { all: 0, seen: new Map() };
    windows.set(record, own);
    judgeReplyPlaces(steps, knows, evidenceOf);
    const removals = steps.filter(isRemovalOfPrivate);
    let lookedAt = Number.NEGATIVE_INFINITY;
    const model = new RecordModel(knows);
    for (const { exchange, step, difference, isQuiet } of readRecord(steps, model)) {
      const { signs: all, fresh } = difference;
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
  }
  return { signs, doubts, windows };
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
  const learning = steps.filter((one) => one.step?.part === 'learn' && succeeded(one));
  for (const [operation, replies] of Map.groupBy(learning, (one) => one.operation as OperationId)) {
    const rule = replyRules[operation];
    const exchange = replies.at(-1);
    if (rule === undefined || exchange === undefined || views.has(operation) || replies.length < noChance) continue;
    const observed = `${exchange.status}, and no list of labels in ${replies.length} of ${replies.length} replies`;
    evidenceOf(rule).broken(exchange, 'every public label that the record carries', observed);
  }
}

interface ReadStep {
  readonly exchange: Exchange;
  readonly step: Step;
  readonly difference: Difference;
  /** Nothing was written since the look before. */
  readonly isQuiet: boolean;
}

/** What the exchanges of one record show, in order. Of looks one after the other, the last counts. */
function* readRecord(all: readonly Exchange[], model: RecordModel): Generator<ReadStep> {
  let lastWasLook = false;
  for (const [i, exchange] of all.entries()) {
    const { step } = exchange;
    if (step === undefined || step.part === 'learn') continue;
    const difference = model.read(exchange);
    const next = all[i + 1];
    const isLook = step.part === 'look';
    // Only reads are repeated.
    const isRead = isLook && exchange.operation === context && next?.step?.part === 'look';
    const isSeenAgain = isRead && next.step.rule === step.rule && next.trial?.arm === exchange.trial?.arm;
    if (difference !== null && isSeenAgain && difference.signs.length > 0) continue;
    const isQuiet = isLook && lastWasLook;
    lastWasLook = isLook;
    if (difference === null) continue;
    model.keep(exchange, difference);
    yield { exchange, step, difference, isQuiet };
  }
}
