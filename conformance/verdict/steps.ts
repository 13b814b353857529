/** What the steps on records show: how each reply and each look differs from what the record must carry. */
import type { OperationId } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import { differencesOf, readingOf, signOf } from '../experiments/differences.ts';
import { type Learned, learnedIn } from '../experiments/learn.ts';
import { ruleOf } from '../experiments/write.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import { noChance } from '../numbers.ts';
import type { Deployment } from '../target/deployment.ts';
import { tenantsOf } from '../target/records.ts';
import type { Evidence } from './evidence.ts';

/** What an exchange shows that its step does not expect. */
interface Surprise {
  readonly rule: RuleId;
  readonly sign: string;
  readonly exchange: Exchange;
}

/** How often each sign was there in windows of a record in which nothing was written. */
interface Windows {
  all: number;
  readonly seen: Map<string, number>;
}

export interface Steps {
  /** What each exchange on a record shows. */
  readonly signs: ReadonlyMap<Exchange, readonly string[]>;
  readonly surprises: readonly Surprise[];
  /** By record. */
  readonly windows: ReadonlyMap<string, Windows>;
}

/** Adds the rules that looks show kept to the evidence. What surprises counts only if a trial shows it. */
export function judgeSteps(
  exchanges: readonly Exchange[],
  deployment: Deployment,
  evidenceOf: (rule: RuleId) => Evidence,
): Steps {
  const learned = learnedIn(exchanges, tenantsOf(deployment));
  const records = Map.groupBy(exchanges, ({ step }) => step?.record ?? '');
  records.delete('');
  const signs = new Map<Exchange, readonly string[]>();
  const surprises: Surprise[] = [];
  const windows = new Map<string, Windows>();
  for (const [record, steps] of records) {
    const knows = learned.get(record);
    if (knows === undefined) continue;
    const own: Windows = { all: 0, seen: new Map() };
    windows.set(record, own);
    judgeReplyPlaces(steps, knows, evidenceOf);
    const removals = steps.filter(isRemovalOfPrivate);
    let lastSigns: readonly string[] = [];
    let lastAt = Number.NEGATIVE_INFINITY;
    for (const { exchange, found: all, isQuiet } of readRecord(steps, knows)) {
      if (exchange.step?.part === 'look') {
        const { sentAt } = exchange;
        if (all.length === 0)
          evidenceOf('labels/private-cannot-be-removed').kept += removals.filter(
            (one) => one.sentAt > lastAt && one.doneAt <= sentAt,
          ).length;
        lastAt = sentAt;
      }
      // A sign that the last look showed was not caused since.
      const found = all.filter((sign) => !lastSigns.includes(sign));
      if (exchange.step?.part === 'look') lastSigns = exchange.step.rule === null ? [] : all;
      signs.set(exchange, found);
      if (!all.includes('twice')) evidenceOf('labels/membership-is-a-set').kept++;
      if (isQuiet) {
        own.all++;
        for (const sign of found) own.seen.set(sign, (own.seen.get(sign) ?? 0) + 1);
      }
      const rule = exchange.step?.rule;
      if (exchange.trial !== undefined || rule === null || rule === undefined) continue;
      if (all.length === 0) evidenceOf(rule).kept++;
      for (const sign of found) surprises.push({ rule: ruleOf(sign, rule), sign, exchange });
    }
  }
  return { signs, surprises, windows };
}

/** A removal of a private label, after which a look shows the other labels. */
const isRemovalOfPrivate = ({ step, facts, operation, status }: Exchange) =>
  step?.part === 'refused' &&
  status !== null &&
  (operation?.startsWith('remove') ?? false) &&
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
function judgeReplyPlaces(steps: readonly Exchange[], { views }: Learned, evidenceOf: (rule: RuleId) => Evidence) {
  const learning = steps.filter((one) => one.step?.part === 'learn' && succeeded(one));
  for (const [operation, replies] of Map.groupBy(learning, (one) => one.operation as OperationId)) {
    const rule = replyRules[operation];
    const [exchange] = replies.slice(-1);
    if (rule === undefined || exchange === undefined || views.has(operation) || replies.length < noChance) continue;
    const observed = `${exchange.status}, and no list of labels in ${replies.length} of ${replies.length} replies`;
    evidenceOf(rule).failures.push({
      exchange,
      expected: 'every public label that the record carries',
      observed,
      with: [],
    });
  }
}

interface ReadStep {
  readonly exchange: Exchange;
  readonly found: readonly string[];
  /** Nothing was written since the look before. */
  readonly isQuiet: boolean;
}

/** Notes the signs by which a look shows that this write was not done. */
function note(write: Exchange, undone: Set<string>) {
  const label = write.params.labelId?.toLowerCase();
  for (const sign of [`missing ${label}`, `extra ${label}`]) undone.delete(sign);
  if (!succeeded(write)) undone.add(`${write.operation?.startsWith('apply') ? 'missing' : 'extra'} ${label}`);
}

/** The exchanges of one record in order, with what each shows. Of looks one after the other, the last counts: what came late only lags. */
function* readRecord(all: readonly Exchange[], { views, foreign: first }: Learned): Generator<ReadStep> {
  const foreign = new Map(first);
  let lastWasLook = false;
  /** What a write that was not served has not done, until another one is. */
  const undone = new Set<string>();
  const steps = all.filter(({ step }) => step?.part !== 'learn');
  for (const [i, exchange] of steps.entries()) {
    const { step, operation } = exchange;
    if (step === undefined || operation === null || operation === 'storage') continue;
    const view = views.get(operation);
    const isLook = step.part === 'look';
    const isQuiet = isLook && lastWasLook;
    lastWasLook = isLook;
    if (step.part === 'write') note(exchange, undone);
    if (view === undefined || !succeeded(exchange)) continue;
    const reading = readingOf(view, exchange);
    const next = steps[i + 1];
    const isSeenAgain =
      isLook && next?.step?.part === 'look' && next.step.rule === step.rule && next.trial?.arm === exchange.trial?.arm;
    if (reading === null) {
      if (operation !== 'getConversationContext') yield { exchange, found: ['unreadable'], isQuiet };
      continue;
    }
    const found = differencesOf(reading, view, step.carries, foreign.get(operation) ?? null)
      .map(signOf)
      .filter((sign) => !undone.has(sign));
    if (isSeenAgain && found.length > 0) continue;
    foreign.set(operation, reading.foreign);
    yield { exchange, found, isQuiet };
  }
}
