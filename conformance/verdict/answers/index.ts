/** What a deployment does where the specification leaves it open: a table of questions, each answered by single replies. */
import type { RuleId } from '../../../spec/rules.ts';
import type { Case } from '../../contract/case.ts';
import { isUnavailable } from '../../contract/judge.ts';
import type { Exchange } from '../../history/exchange.ts';
import type { ProfilePatch } from '../../profile.ts';
import type { Judge, Traffic } from '../traffic.ts';
import { uploadQuestions } from '../uploads.ts';
import { labelQuestions } from './labels.ts';
import { refusalQuestions } from './refusals.ts';
import { replyQuestions } from './replies.ts';

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

/** What a history answers to the open questions. */
export const judgeAnswers: Judge = (traffic, evidenceOf) => {
  for (const [rule, own] of Map.groupBy(questions, ([of]) => of)) {
    const evidence = evidenceOf(rule);
    const answers: Answer[] = [];
    for (const [, ask] of own)
      for (const [exchange, asked] of traffic.cases) {
        const said = isUnavailable(exchange) ? null : ask(asked, exchange, traffic);
        if (said === null) continue;
        evidence.asked++;
        answers.push(...[said].flat());
        for (const { expected, words = '' } of [said].flat()) if (expected) evidence.broken(exchange, expected, words);
      }
    for (const [topic, all] of Map.groupBy(answers, (one) => one.topic)) {
      const words = new Set(all.flatMap((one) => one.words ?? []));
      if (words.size > 0) evidence.answers.push(`${topic}: ${[...words].sort().join(' or ')}`);
      evidence.profile.push(...all.flatMap(({ profile }) => profile ?? []).slice(0, 1));
    }
  }
};
