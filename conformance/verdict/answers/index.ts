/** What a deployment does where the specification leaves it open: a table of questions, each answered by single replies. */
import type { RuleId } from '../../../spec/rules.ts';
import type { Case } from '../../contract/case.ts';
import { isUnavailable } from '../../contract/judge.ts';
import type { Exchange } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import type { ProfilePatch } from '../../profile.ts';
import type { Finding } from '../law.ts';
import { type Traffic, trafficOf } from '../traffic.ts';
import { labelQuestions } from './labels.ts';
import { limiterAnswers } from './limiter.ts';
import { refusalQuestions } from './refusals.ts';
import { replyQuestions } from './replies.ts';
import { storeAnswers, uploadQuestions } from './uploads.ts';

/** What a reply says about a question. */
export interface Answer {
  /** What is answered: the same topic may be answered in several ways. */
  readonly topic: string;
  readonly words?: string;
  /** What should be, where this answer is no good one. */
  readonly expected?: string | false;
  /** For a mock that does the same. The first of a topic counts. */
  readonly profile?: ProfilePatch | undefined;
}

/** Null where the reply says nothing about the question. */
export type Ask = (asked: Case, exchange: Exchange, traffic: Traffic) => Answer | readonly Answer[] | null;

/** A question that the specification leaves open, as part of a rule. */
export type Question = readonly [rule: RuleId, ask: Ask];

const questions: readonly Question[] = [...refusalQuestions, ...replyQuestions, ...labelQuestions, ...uploadQuestions];

/** What is answered to a rule. */
export type Answered = Partial<Omit<Finding, 'breaches'>>;

/** Answers for which the exchanges of a run are looked at together, by rule. */
export type OfWhole = Readonly<Partial<Record<RuleId, (traffic: Traffic) => Answered>>>;

const ofWhole: OfWhole = { ...storeAnswers, ...limiterAnswers };

/** What a history answers to the open questions of a rule. */
export function answersTo(rule: RuleId, history: History): Finding {
  const own = questions.filter(([of]) => of === rule);
  const traffic = trafficOf(history);
  if (own.length === 0) return { applied: 0, breaches: [], ...ofWhole[rule]?.(traffic) };
  const said = own.flatMap(([, ask]) =>
    [...traffic.cases].flatMap(([exchange, asked]) => {
      const answers = isUnavailable(exchange) ? null : ask(asked, exchange, traffic);
      return answers === null ? [] : [{ exchange, answers: [answers].flat() }];
    }),
  );
  const topics = Map.groupBy(
    said.flatMap(({ answers }) => answers),
    ({ topic }) => topic,
  );
  return {
    applied: said.length,
    breaches: said.flatMap(({ exchange, answers }) =>
      answers.flatMap(({ expected, words = '' }) => (expected ? [{ exchange, expected, observed: words }] : [])),
    ),
    answers: [...topics].flatMap(([topic, all]) => {
      const words = new Set(all.flatMap((one) => one.words ?? []));
      return words.size > 0 ? [`${topic}: ${[...words].sort().join(' or ')}`] : [];
    }),
    profile: [...topics.values()].flatMap((all) => all.find(({ profile }) => profile)?.profile ?? []),
  };
}
