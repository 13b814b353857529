import type { RuleId } from '../../../spec/rules.ts';
import type { Breach, Finding } from '../../laws/judging/law.ts';
import type { SentRequest, Traffic } from '../traffic.ts';

/** What a client owes the service: a law over what it sent. Level and provenance live with the rule, which gives it its id. */
export interface Duty {
  readonly rule: RuleId;
  /** One sentence: what is looked at. */
  readonly title: string;
  /** What to do where it is broken. */
  readonly advice: string;
  /** @param traffic of every time the client ran */
  judge(traffic: readonly Traffic[]): Finding;
}

/** What a duty says of one request: null when it is as it should be, words where nobody can tell. */
type Said =
  | null
  | { readonly expected: string; readonly observed: string; readonly with?: readonly SentRequest[] }
  | string;

/** A duty of one request at a time. */
export function dutyOfRequests({
  applies,
  judge,
  ...duty
}: Omit<Duty, 'judge'> & {
  readonly applies: (request: SentRequest, traffic: Traffic) => boolean;
  readonly judge: (request: SentRequest, traffic: Traffic) => Said;
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
          const said = judge(request, traffic);
          if (typeof said === 'string') unclear.push(said);
          else if (said !== null) breaches.push({ exchange: request, ...said });
        }
      }
      return { applied, breaches, unclear };
    },
  };
}

/** A duty of a run: judged where nothing was made difficult. */
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
