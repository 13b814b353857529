/** Counts the trials of a history: what the script shows and the control does not was done by the request. */
import type { OperationId } from '../../spec/operations.ts';
import { type RuleId, ruleById } from '../../spec/rules.ts';
import { isUnavailable } from '../contract/judge.ts';
import { replySigns } from '../contract/reply.ts';
import { counted } from '../counted.ts';
import { likelihood } from '../experiments/chance.ts';
import { context, isAlike, isForeign, isOfLabel, type Sign } from '../experiments/model.ts';
import { answerOf, type Counts, countWords, isOfOthers } from '../experiments/trial.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import { rare } from '../numbers.ts';
import { sparesOf, tenantsOf } from '../target/records.ts';
import { goneIn, isByAFront, isRare } from './excuses.ts';
import type { Doubt } from './law.ts';
import type { Replies } from './replies.ts';
import { replyRules, type Steps } from './steps.ts';
import type { EvidenceOf, Traffic as Whole } from './traffic.ts';

type Traffic = Pick<Whole, 'exchanges' | 'deployment'>;

/** Signs of single replies. All others are differences of a record from what it must carry. */
const isOfReplies = (sign: string) => sign === 'wrong reply' || sign === 'no usable reply';

/** Why a doubt says nothing of its rule, in words; `others` where others were seen to do such things; null where nobody knows. */
function excuseOf(
  { sign, exchanges }: Doubt,
  tried: Counts | undefined,
  all: readonly Exchange[],
  windows: Steps['windows'],
): string | null {
  const [, label = ''] = isOfReplies(sign) ? [] : sign.split(' ');
  const gone = exchanges.map((one) => goneIn(one, all, label));
  if (gone.every((one) => one !== null))
    return (
      gone.map(({ isBack, thing }) => (isBack ? 'others' : `${thing} is gone since then: give another`)).sort()[0] ??
      null
    );
  const isSeen = (is: (other: Sign) => boolean) => isSeenToChange(exchanges[0]?.step?.record, windows, is);
  if (isForeign(sign)) return tried === undefined && isSeen(isForeign) ? 'others' : null;
  const isUsed = isSeen((other) => isOfLabel(other, sign));
  if (label === '' || (!isUsed && tried?.shown !== 0)) return null;
  const [isPutOn, isTakenOff] = ['extra', 'missing'].map((what) => isSeen((other) => other.startsWith(what)));
  // A deployment that loses labels puts none on.
  if (isUsed && isPutOn && isTakenOff) return 'others';
  // One cause for all labels: who changes one often changes others.
  return isUsed
    ? 'a spare label changes without a write that does it: give spare labels that nobody else uses'
    : 'a spare label was not as written, once: give spare labels that nobody else uses, and let nothing in front refuse writes';
}

/** Who changes the labels of a tenant while nothing is written does so at other times as well. */
function isSeenToChange(record: string | undefined, windows: Steps['windows'], is: (sign: Sign) => boolean): boolean {
  const tenantOf = (name = '') => name.split(' ')[0];
  const seen = [...windows].filter(([other]) => tenantOf(other) === tenantOf(record));
  return seen.some(([, quiet]) => [...quiet.seen].some(([sign, times]) => is(sign) && times > 0));
}

/** A control beside a request without a record: another that must be served. What must not exist may be refused. */
const isNotServed = (one: Exchange) => isUnavailable(one) || (!succeeded(one) && one.facts?.label !== 'unknown');

const nameOf = ({ rule, sign }: Pick<Doubt, 'rule' | 'sign'>) => `${rule} ${sign}`;

/** Adds the failures that trials show to the evidence, and as unclear what no trial explains. */
export function judgeTrials(
  traffic: Traffic,
  found: { readonly replies: Replies; readonly steps: Steps },
  evidenceOf: EvidenceOf,
): void {
  const tried = new Map<string, Counts>();
  const explained = new Set<string>();
  const named = labelWordsIn(traffic);
  const all = [...found.replies.doubts, ...found.steps.doubts];
  for (const exchanges of Map.groupBy(traffic.exchanges, ({ trial }) => trial?.id).values()) {
    const trial = triedIn(exchanges, traffic, found);
    if (trial === null) continue;
    const { rule, sign, rounds, isShown, counts, total, doubts, isUsed } = trial;
    tried.set(nameOf(trial), counts);
    const wrong = rounds.flatMap((one) => one.exchanges.filter(isShown));
    // A 429 is what the rules of the limiter are about.
    const mayBeAFront = isOfReplies(sign) && !rule.startsWith('limiter/');
    if (mayBeAFront && isByAFront(wrong, traffic.exchanges, found.replies.inFront)) continue;
    // What did not come again, or comes without the request, was done by others.
    const isByOthers = isOfOthers(sign, total.beside) || (isForeign(sign) && counts.shown === 0);
    const isNowAndThen = sign === 'no usable reply' && counts.shown === 0 && isRare(total.shown, total.of);
    if (isByOthers || isNowAndThen) explained.add(nameOf(trial));
    // Others may change labels at any time, so only the control beside it tells who did. But nobody else shows one of ours twice.
    const isShownHere =
      sign === 'twice' || (isForeign(sign) ? answerOf(counts) === 'shown' : !isUsed && isProved(counts, total));
    const round = rounds.find(({ shows }) => shows)?.exchanges ?? [];
    const [exchange] = wrong;
    if (isByOthers || !isShownHere || !comesAgain(trial) || exchange === undefined) continue;
    explained.add(nameOf(trial));
    evidenceOf(replyRuleOf(exchange, rule, round, isShown)).failures.push({
      exchange,
      ...doubtWords(exchange, { ...doubts[0], sign }, named),
      counts,
      same: all.flatMap((one) => (nameOf(one) === nameOf(trial) ? one.exchanges : [])),
      with: round.filter((one) => one !== exchange && one.step?.part !== 'look').slice(-3),
    });
  }
  // One cause makes one rule unclear.
  const said = new Set<unknown>(evidenceOf('labels/listing-gives-public-labels').unclear);
  for (const doubt of all) {
    const { rule, words, exchanges } = doubt;
    const name = nameOf(doubt);
    const { failures, unclear, doubts } = evidenceOf(rule);
    if (explained.has(name) || failures.length > 0 || exchanges.every((one) => said.has(one))) continue;
    const again = tried.get(name);
    const cause = excuseOf(doubt, again, traffic.exchanges, found.steps.windows);
    if (cause === 'others' || said.has(cause)) continue;
    const why = again === undefined ? 'this run did not try it again' : 'tried again, it was not clearly so';
    unclear.push(cause ?? `${words}; ${why}: it may be a passing fault, so run again`);
    const [exchange, ...same] = exchanges;
    const alike = all.filter((one) => nameOf(one) === name);
    const [shown, of] = [alike.flatMap((one) => one.exchanges).length, alike.reduce((sum, one) => sum + one.of, 0)];
    const seen = `seen in ${shown} of ${counted(of, 'reply', 'replies')}`;
    const note = again ? `${seen}; ${countWords(again)}` : seen;
    if (cause === null && exchange) doubts.push({ exchange, same, note, ...doubtWords(exchange, doubt, named) });
    const { provenance, level } = ruleById(rule);
    if (provenance === 'documented' && level === 'must')
      for (const one of [cause ?? exchanges, exchanges].flat()) said.add(one);
  }
}

/** A refusal that comes once, or only at first, may be a block or a roll-out. */
function comesAgain({ sign, rounds, counts }: NonNullable<ReturnType<typeof triedIn>>): boolean {
  if (!isOfReplies(sign) || counts.shown === counts.of) return true;
  const comings = rounds.filter(({ shows }, i) => shows && !rounds[i - 1]?.shows);
  return comings.length > 1 && rounds.slice(rounds.length / 2).some(({ shows }) => shows);
}

/** Counts one trial. @param exchanges all of it; null where they are of none */
function triedIn(
  exchanges: readonly Exchange[],
  { deployment }: Traffic,
  { replies, steps }: Parameters<typeof judgeTrials>[1],
) {
  const { rule, sign } = exchanges[0]?.trial ?? {};
  if (rule === undefined || sign === undefined) return null;
  const atOnce = exchanges.some(({ step }) => step?.part === 'at-once');
  const isShown = (one: Exchange) =>
    (steps.signs.get(one) ?? replySigns(one, deployment, rule, sign)).some((other) =>
      atOnce ? isAlike(other, sign) : other === sign,
    );
  const roundsOf = (arm: 'script' | 'control', shows: (one: Exchange) => boolean) => {
    const own = exchanges.filter(({ trial }) => trial?.arm === arm);
    const rounds = [...Map.groupBy(own, ({ trial }) => trial?.round).values()];
    return rounds.map((round) => ({ exchanges: round, shows: round.some(shows) }));
  };
  // A look beside a refused write shows no such sign itself, but can be refused as well.
  const record = isOfReplies(sign) ? undefined : exchanges.find(({ step }) => step !== undefined)?.step?.record;
  const rounds = roundsOf('script', isShown);
  // Beside a request that is refused, the control is another that must be served.
  const isOdd = (one: Exchange) =>
    one.operation === context && (steps.signs.get(one) ?? []).some((other) => isOfLabel(other, sign));
  const controls = roundsOf('control', (one) => isShown(one) || (record === undefined ? isNotServed : isOdd)(one));
  const counts: Counts = {
    shown: rounds.filter(({ shows }) => shows).length,
    of: rounds.length,
    beside: controls.filter(({ shows }) => shows).length,
    controls: controls.length,
  };
  const doubts = replies.doubts.filter((one) => one.rule === rule && one.sign === sign);
  const sum = (of: (one: Doubt) => number) => doubts.reduce((all, one) => all + of(one), 0);
  // What the network loses, or a front refuses, everywhere, it may lose or refuse here.
  const own = new Set(doubts.flatMap((one) => one.exchanges));
  const elsewhere = replies.doubts.flatMap((one) => (one.sign === sign ? one.exchanges : []));
  const lost = sign === 'no usable reply' ? replies.lost : new Set(elsewhere.filter((one) => !own.has(one))).size;
  // Where others use our label, too, only what is always so is our doing.
  const isUsed = !isForeign(sign) && isSeenToChange(record, steps.windows, (other) => isOfLabel(other, sign));
  const quiet = record === undefined ? undefined : steps.windows.get(record);
  const clean = record === undefined ? lost + replies.clean : (quiet?.all ?? 0);
  const total = {
    shown: counts.shown + (record === undefined ? sum((one) => one.exchanges.length) : 0),
    of: counts.of + (record === undefined ? sum((one) => one.of) : 0),
    beside: counts.beside + (record === undefined ? lost : (quiet?.seen.get(sign) ?? 0)),
    controls: counts.controls + clean,
  };
  return {
    ...{ rule, sign, isShown, counts },
    isUsed: isUsed && counts.shown < counts.of,
    doubts,
    rounds,
    /** The counts together with what the rest of the run saw. */
    total,
  };
}

/** Twice at least, and never beside the request, and too often for chance. */
export const isProved = (counts: Counts, all: Counts) =>
  answerOf(counts) === 'shown' ||
  (counts.shown > 1 && counts.beside === 0 && likelihood(all.shown, all.of, all.beside, all.controls) < rare);

/** A wrong reply after which the look is right breaks the rule about the reply, else the effect is wrong. */
function replyRuleOf(
  shown: Exchange,
  rule: RuleId,
  round: readonly Exchange[],
  isShown: (one: Exchange) => boolean,
): RuleId {
  const isOfSet = rule === 'labels/membership-is-a-set';
  if (isOfSet || shown.step?.part !== 'write' || round.some((one) => one.step?.part === 'look' && isShown(one)))
    return rule;
  return replyRules[shown.operation as OperationId] ?? rule;
}

/** A label as people know it: its id, and its name where the target file has it. */
function labelWordsIn({ deployment }: Traffic) {
  const names = new Map(
    tenantsOf(deployment)
      .flatMap(sparesOf)
      .map(({ id, name }) => [id.toLowerCase(), name]),
  );
  return (id: string) => {
    const name = names.get(id.toLowerCase());
    return name === undefined ? id : `${id} ("${name}")`;
  };
}

/** What was expected of a reply and what came, in the words of a doubt where it has some. */
const doubtWords = (
  exchange: Exchange,
  { sign, expected, observed }: Pick<Doubt, 'sign' | 'expected' | 'observed'>,
  named: (id: string) => string,
) => ({
  expected:
    expected ?? `${isOfReplies(sign) && exchange.step ? 'success, with ' : ''}${expectedWords(exchange, sign, named)}`,
  observed: observed ?? (isOfReplies(sign) ? `${exchange.status ?? 'no reply'}` : signWords(sign, named)),
});

/** What a sign means, for people. */
function signWords(sign: string, named: (id: string) => string): string {
  const [what, label = ''] = sign.split(' ');
  if (what === 'twice') return 'a label twice';
  if (label === 'foreign') return what === 'missing' ? 'a label of others is gone' : 'a label that nobody put on';
  if (what === 'missing') return `label ${named(label)} missing`;
  return what === 'extra' ? `label ${named(label)} is there` : sign === 'unreadable' ? 'no list of labels' : sign;
}

function expectedWords({ step }: Exchange, sign: string, named: (id: string) => string): string {
  if (sign === 'twice') return 'no label twice';
  if (sign === 'no usable reply') return 'a success';
  if (step === undefined) return 'another reply';
  const { carries } = step;
  return carries.length === 0
    ? 'no spare label'
    : `spare label${carries.length > 1 ? 's' : ''} ${carries.map(named).join(' and ')}`;
}
