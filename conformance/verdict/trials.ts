/** Counts the trials of a history: what the script shows and the control does not was done by the request. */
import type { OperationId } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import { isUnavailable } from '../contract/judge.ts';
import { replySigns } from '../contract/reply.ts';
import { likelihood } from '../experiments/chance.ts';
import { answerOf, type Counts, countWords, isOfOthers } from '../experiments/trial.ts';
import { type Exchange, jsonOf, succeeded } from '../history/exchange.ts';
import { rare, rollOut } from '../numbers.ts';
import type { Deployment } from '../target/deployment.ts';
import type { Evidence } from './law.ts';
import { replyRules, type Steps } from './steps.ts';
import type { Replies } from './suspicions.ts';

/** A control beside a request without a record: another that must be served. What must not exist may be refused. */
const isNotServed = (one: Exchange) => isUnavailable(one) || (!succeeded(one) && one.facts?.label !== 'unknown');

const tenantOf = (record: string) => record.split(' ')[0];

interface Round {
  readonly exchanges: readonly Exchange[];
  readonly shows: boolean;
}

/** Adds the failures that trials show to the evidence, and as unclear what no trial explains. */
export function judgeTrials(
  exchanges: readonly Exchange[],
  deployment: Deployment,
  { replies, steps }: { readonly replies: Replies; readonly steps: Steps },
  evidenceOf: (rule: RuleId) => Evidence,
): void {
  const shown = new Set<string>();
  const tried = new Map<string, string>();
  const byOthers = new Set<string>();
  const trials = Map.groupBy(
    exchanges.filter(({ trial }) => trial !== undefined),
    ({ trial }) => trial?.id,
  );
  for (const own of trials.values()) {
    const { rule, sign } = own[0]?.trial ?? {};
    if (rule === undefined || sign === undefined) continue;
    const isShown = (exchange: Exchange) =>
      (steps.signs.get(exchange) ?? replySigns(exchange, deployment, rule, sign)).includes(sign);
    const roundsOf = (arm: 'script' | 'control', shows: (one: Exchange) => boolean): Round[] =>
      [
        ...Map.groupBy(
          own.filter(({ trial }) => trial?.arm === arm),
          ({ trial }) => trial?.round,
        ).values(),
      ].map((round) => ({ exchanges: round, shows: round.some(shows) }));
    // A look beside a refused write shows no such sign itself, but can be refused as well.
    const isOfReplies = sign === 'wrong reply' || sign === 'no usable reply';
    const record = isOfReplies ? undefined : own.find(({ step }) => step !== undefined)?.step?.record;
    const scripts = roundsOf('script', isShown);
    // Beside a request that is refused, the control is another that must be served.
    const controls = roundsOf('control', record === undefined ? (one) => isNotServed(one) || isShown(one) : isShown);
    const counts: Counts = {
      shown: scripts.filter(({ shows }) => shows).length,
      of: scripts.length,
      beside: controls.filter(({ shows }) => shows).length,
      controls: controls.length,
    };
    tried.set(`${rule} ${sign}`, countWords(counts));
    // A refusal that comes once, or only at first, was a block or a roll-out. So may be one of a key for some seconds.
    const comings = scripts.filter(({ shows }, i) => shows && !scripts[i - 1]?.shows).length;
    const isLate = scripts.slice(scripts.length / 2).some(({ shows }) => shows);
    const comesAgain = !isOfReplies || (comings > 1 && isLate) || counts.shown === counts.of;
    const suspected = replies.suspicions.filter((one) => one.rule === rule && one.sign === sign);
    const times = [...own.filter(isShown), ...suspected.flatMap((one) => one.exchanges)].map(({ sentAt }) => sentAt);
    const served = new Set(own.filter((one) => one.trial?.arm === 'control' && succeeded(one)).map((one) => one.key));
    const isOfKey = own.some((one) => one.key !== null && !served.has(one.key) && isShown(one));
    if (isOfReplies && isOfKey && Math.max(...times) - Math.min(...times) <= rollOut) continue;
    const wrong = own.filter((one) => one.trial?.arm === 'script' && isShown(one));
    // A 429 is what the rules of the limiter are about.
    const isOfLimiter = rule.startsWith('limiter/');
    if (isOfReplies && !isOfLimiter && wrong.length > 0 && wrong.every((one) => isBlocked(one, exchanges))) continue;
    const all = pooled(counts, { rule, sign, record, replies, steps });
    // What did not come again, or comes without the request, was done by others.
    if (isOfOthers(sign, all.beside) || (sign.endsWith(' foreign') && counts.shown === 0))
      byOthers.add(`${rule} ${sign}`);
    // Others may change labels at any time, so only the control beside it tells who did.
    const isProvedHere = sign.endsWith(' foreign') ? answerOf(counts) === 'shown' : isProved(counts, all);
    if (isOfOthers(sign, all.beside) || !comesAgain || !isProvedHere) continue;
    const round = scripts.find(({ shows }) => shows)?.exchanges ?? [];
    const exchange = round.find(isShown);
    if (exchange === undefined) continue;
    shown.add(`${rule} ${sign}`);
    const suspicion = replies.suspicions.find((one) => one.rule === rule && one.sign === sign);
    evidenceOf(replyRuleOf(exchange, rule, round, isShown)).failures.push({
      exchange,
      expected: suspicion?.expected ?? expectedWords(exchange, sign),
      observed: suspicion?.observed ?? (isOfReplies ? `${exchange.status ?? 'no reply'}` : signWords(sign)),
      counts,
      with: round.filter((one) => one !== exchange && one.step?.part !== 'look').slice(-3),
    });
  }
  const names = [
    ...replies.suspicions.map(({ rule, sign, observed, exchanges: own, of }) => ({
      rule,
      sign,
      words: `${observed} in ${own.length} of ${of} replies`,
      record: '',
    })),
    ...steps.surprises.map(({ rule, sign, exchange }) => ({
      rule,
      sign,
      words: `${sign} on ${exchange.step?.record}`,
      record: exchange.step?.record ?? '',
    })),
  ];
  const changedByOthers = new Set(
    [...steps.windows].flatMap(([record, { seen }]) =>
      [...seen].some(([sign, times]) => sign.endsWith(' foreign') && times > 0) ? [tenantOf(record)] : [],
    ),
  );
  for (const { rule, sign, words, record } of names) {
    if (shown.has(`${rule} ${sign}`) || evidenceOf(rule).failures.length > 0) continue;
    const counts = tried.get(`${rule} ${sign}`);
    // Who changes the labels of a tenant while nothing is written does so at other times as well.
    if (counts === undefined && sign.endsWith(' foreign') && changedByOthers.has(tenantOf(record))) continue;
    if (byOthers.has(`${rule} ${sign}`)) continue;
    evidenceOf(rule).unclear.push(`${words}; tried again: ${counts ?? 'not at all'}`);
  }
}

/** The counts of a trial together with what the rest of the run saw: quiet windows of the record, or the other requests that were served. */
function pooled(
  counts: Counts,
  {
    rule,
    sign,
    record,
    replies,
    steps,
  }: { rule: RuleId; sign: string; record: string | undefined; replies: Replies; steps: Steps },
): Counts {
  if (record !== undefined) {
    const quiet = steps.windows.get(record);
    return {
      ...counts,
      beside: counts.beside + (quiet?.seen.get(sign) ?? 0),
      controls: counts.controls + (quiet?.all ?? 0),
    };
  }
  const own = replies.suspicions.filter((one) => one.rule === rule && one.sign === sign);
  // What the network loses everywhere, it may lose here.
  const lost = sign === 'no usable reply' ? replies.lost : 0;
  return {
    shown: counts.shown + own.reduce((sum, { exchanges }) => sum + exchanges.length, 0),
    of: counts.of + own.reduce((sum, { of }) => sum + of, 0),
    beside: counts.beside + lost,
    controls: counts.controls + lost + replies.clean,
  };
}

/** Refused by something in front, in words that are no JSON or with a 429, while the same request is answered by the service at other times. */
const isBlocked = (one: Exchange, exchanges: readonly Exchange[]) =>
  (one.status === 429 || ((one.status === 403 || one.status === 404) && jsonOf(one) === undefined)) &&
  exchanges.some(
    (other) =>
      other.status !== one.status &&
      !isUnavailable(other) &&
      other.url === one.url &&
      other.method === one.method &&
      other.key === one.key &&
      other.credential === one.credential &&
      other.facts?.mutation?.id === one.facts?.mutation?.id,
  );

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

/** What a sign means, for people. */
function signWords(sign: string): string {
  const [what, label] = sign.split(' ');
  if (what === 'twice') return 'a label twice';
  if (label === 'foreign') return what === 'missing' ? 'a label of others is gone' : 'a label that nobody put on';
  if (what === 'missing') return `label ${label} is not there`;
  return what === 'extra' ? `label ${label} is there` : sign === 'unreadable' ? 'no list of labels' : sign;
}

function expectedWords({ step }: Exchange, sign: string): string {
  if (sign === 'twice') return 'no label twice';
  if (sign === 'no usable reply') return 'a success';
  if (step === undefined) return 'another reply';
  const { carries } = step;
  return carries.length === 0
    ? 'no spare label'
    : `spare label${carries.length > 1 ? 's' : ''} ${carries.join(' and ')}`;
}
