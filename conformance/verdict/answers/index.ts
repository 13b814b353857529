/** What a deployment does where the specification leaves it open: a table of questions, each answered by single replies. */
import type { OperationId } from '../../../spec/operations.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { type Case, caseOf } from '../../contract/case.ts';
import { isUnavailable } from '../../contract/judge.ts';
import { answeringIn, isThere } from '../../experiments/there.ts';
import { type Learned, learnedIn } from '../../experiments/views.ts';
import { type Exchange, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { withMadeKeys } from '../../hooks/made-keys.ts';
import { perObject } from '../../per-object.ts';
import type { ProfilePatch } from '../../profile.ts';
import { type Deployment, deploymentOf } from '../../target/deployment.ts';
import { tenantsOf } from '../../target/records.ts';
import type { Finding } from '../law.ts';
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
  /** What we assume, where this is another answer. */
  readonly assumed?: string | false | undefined;
  /** The other answer, where `words` do not say it. */
  readonly observed?: string;
  /** For a mock that does the same. The first of a topic counts. */
  readonly profile?: ProfilePatch | undefined;
}

/** What a question may look at beside the one exchange. */
export interface Around {
  readonly cases: readonly { readonly asked: Case; readonly exchange: Exchange }[];
  /** Lists of labels as they were asked for lawfully. */
  readonly lists: readonly Exchange[];
  /** Where the replies about each record show labels. */
  readonly learned: ReadonlyMap<string, Learned>;
  readonly deployment: Deployment;
  /** Whether the operation is at its address: that is documented, or something succeeded there. */
  isThere(operation: OperationId): boolean;
}

/** Null where the reply says nothing about the question. */
export type Ask = (asked: Case, exchange: Exchange, around: Around) => Answer | readonly Answer[] | null;

/** A question that the specification leaves open, as part of a rule. */
export type Question = readonly [rule: RuleId, ask: Ask];

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
  const isList = ({ asked, exchange }: Around['cases'][number]) =>
    asked.operation === 'listLabels' &&
    asked.caller === 'valid' &&
    asked.mutation?.means !== 'open' &&
    !asked.isElsewhere &&
    succeeded(exchange);
  const answering = answeringIn(exchanges);
  return {
    cases,
    deployment,
    lists: cases.filter(isList).map(({ exchange }) => exchange),
    learned: learnedIn(exchanges, tenantsOf(deployment)),
    isThere: (id) => isThere(id, deployment, answering),
  };
});

/** What a history answers to the open questions of a rule. Answers other than the assumed ones are its breaches. */
export function answersTo(rule: RuleId, history: History): Finding {
  const own = questions.filter(([of]) => of === rule);
  const whole = ofWhole[rule]?.(history) ?? {};
  if (own.length === 0) return { applied: 0, breaches: [], ...whole };
  const around = aroundOf(history);
  const said = own.flatMap(([, ask]) =>
    around.cases.flatMap(({ asked, exchange }) => {
      const answers = ask(asked, exchange, around);
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
      answers.flatMap(({ assumed, words = '', observed = words }) =>
        assumed ? [{ exchange, expected: assumed, observed }] : [],
      ),
    ),
    answers: [...topics].flatMap(([topic, all]) => {
      const words = new Set(all.flatMap((one) => one.words ?? []));
      return words.size > 0 ? [`${topic}: ${[...words].sort().join(' or ')}`] : [];
    }),
    profile: [...topics.values()].flatMap((all) => all.find(({ profile }) => profile)?.profile ?? []),
  };
}
