/** What a deployment does where the specification leaves it open: a table of questions, each answered by single replies. */
import type { RuleId } from '../../../spec/rules.ts';
import { caseOf } from '../../contract/case.ts';
import { isUnavailable } from '../../contract/judge.ts';
import { answeringIn, isThere } from '../../experiments/there.ts';
import { learnedIn } from '../../experiments/views.ts';
import { succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { withMadeKeys } from '../../hooks/made-keys.ts';
import { perObject } from '../../per-object.ts';
import type { ProfilePatch } from '../../profile.ts';
import { deploymentOf } from '../../target/deployment.ts';
import { tenantsOf } from '../../target/records.ts';
import type { Breach, Finding } from '../law.ts';
import { labelQuestions } from './labels.ts';
import { limiterAnswers } from './limiter.ts';
import type { Around, Question } from './question.ts';
import { refusalQuestions } from './refusals.ts';
import { replyQuestions } from './replies.ts';
import { storeAnswers, uploadQuestions } from './uploads.ts';

const questions: readonly Question[] = [...refusalQuestions, ...replyQuestions, ...labelQuestions, ...uploadQuestions];

/** Answers for which the exchanges of a run are looked at together, by rule. */
export type OfWhole = Readonly<Partial<Record<RuleId, (history: History) => Partial<Finding>>>>;

const ofWhole: OfWhole = { ...storeAnswers, ...limiterAnswers };

const aroundOf = perObject(({ known, hooks, exchanges }: History): Around => {
  const deployment = deploymentOf(withMadeKeys(known.target, hooks));
  const cases = exchanges.flatMap((exchange) => {
    const asked = caseOf(exchange, deployment);
    return asked === null || isUnavailable(exchange) ? [] : [{ asked, exchange }];
  });
  const answering = answeringIn(exchanges);
  return {
    cases,
    deployment,
    lists: cases
      .filter(({ asked, exchange }) => {
        const isLawful = asked.caller === 'valid' && asked.mutation?.means !== 'open' && !asked.isElsewhere;
        return asked.operation === 'listLabels' && isLawful && succeeded(exchange);
      })
      .map(({ exchange }) => exchange),
    learned: learnedIn(exchanges, tenantsOf(deployment)),
    isThere: (id) => isThere(id, deployment, answering),
  };
});

/** What a history answers to the open questions of a rule. Answers other than the assumed ones are its breaches. */
export function answersTo(rule: RuleId, history: History): Finding {
  const whole = ofWhole[rule]?.(history) ?? {};
  if (!questions.some((one) => one.rule === rule)) return { applied: 0, breaches: [], ...whole };
  const around = aroundOf(history);
  const topics = new Map<string, { readonly words: Set<string>; profile: ProfilePatch | undefined }>();
  const breaches: Breach[] = [];
  let applied = 0;
  for (const question of questions.filter((one) => one.rule === rule))
    for (const { asked, exchange } of around.cases) {
      if (!question.applies(asked, exchange, around)) continue;
      applied++;
      for (const { topic, words, differs, profile } of [question.answer(asked, exchange, around)].flat()) {
        const all = topics.get(topic) ?? { words: new Set<string>(), profile: undefined };
        topics.set(topic, all);
        if (words !== undefined) all.words.add(words);
        all.profile ??= profile;
        if (differs) breaches.push({ exchange, ...differs });
      }
    }
  return {
    applied,
    breaches,
    answers: [...topics].flatMap(([topic, { words }]) =>
      words.size > 0 ? [`${topic}: ${[...words].sort().join(' or ')}`] : [],
    ),
    profile: [...topics.values()].flatMap(({ profile }) => profile ?? []),
  };
}
