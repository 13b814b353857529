import type { Breach, Finding } from '../../../conformance/verdict/law.ts';
import type { RuleId } from '../../../spec/rules.ts';
import type { SentRequest, Traffic } from '../traffic.ts';

/** A law over the requests of a client. Its id, level and provenance are those of its rule. */
export interface Duty {
  readonly rule: RuleId;
  /** What to do when the duty is broken. */
  readonly advice: string;
  /** What it takes to judge the duty. */
  readonly needs?: string;
  /** @param traffic of every run of the client */
  judge(traffic: readonly Traffic[]): Finding;
}

/** The judgement of one request: null when the request is right, a text when that cannot be told. */
type Judgement =
  | null
  | { readonly expected: string; readonly observed: string; readonly with?: readonly SentRequest[] }
  | string;

/** A duty that is judged request by request. */
export function dutyOfRequests({
  applies,
  judge,
  ...duty
}: Omit<Duty, 'judge'> & {
  readonly applies: (request: SentRequest, traffic: Traffic) => boolean;
  readonly judge: (request: SentRequest, traffic: Traffic) => Judgement;
}): Duty {
  return {
    ...duty,
    judge: (all) => {
      const breaches: Breach[] = [];
      const unclear: string[] = [];
      let applied = 0;
      for (const traffic of all) {
        for (const request of traffic.requests) {
          if (!applies(request, traffic)) continue;
          applied++;
          const judgement = judge(request, traffic);
          if (typeof judgement === 'string') unclear.push(judgement);
          else if (judgement !== null) breaches.push({ exchange: request, ...judgement });
        }
      }
      return { applied, breaches, unclear };
    },
  };
}

/** A duty that is judged run by run, in unvaried runs only. */
export function dutyOfHabits({
  judge,
  ...duty
}: Omit<Duty, 'judge'> & { readonly judge: (traffic: Traffic) => Finding }): Duty {
  return {
    ...duty,
    judge: (all) => {
      const findings = all.filter(({ varied }) => !varied).map(judge);
      return {
        applied: findings.reduce((sum, { applied }) => sum + applied, 0),
        breaches: findings.flatMap(({ breaches }) => breaches),
        unclear: findings.flatMap(({ unclear = [] }) => unclear),
      };
    },
  };
}
