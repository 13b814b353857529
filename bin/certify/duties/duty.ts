import type { Finding } from '../../../conformance/verdict/law.ts';
import type { RuleId } from '../../../spec/rules.ts';
import type { SentRequest, Traffic } from '../traffic.ts';

/** What a client does that shows most of what is asked of uploads. */
export const anUpload = 'upload a file and register it';

export const anError = 'get a 4xx other than 429';

/** What is wrong, with further requests that are needed to understand it. */
export type Wrong = readonly [expected: string, observed: string, ...others: SentRequest[]];

/** Something that a duty applies to: right, undecided (a text says why), or wrong. */
export type Case = null | string | readonly [request: SentRequest, ...Wrong];

/** A law over the requests of a client. Its id, level and provenance are those of its rule. */
export interface Duty {
  readonly rule: RuleId;
  /** What to do when the duty is broken. */
  readonly advice: string;
  /** What a client does with which it can be judged: `upload a file`. By default, it sends any request to the API. */
  readonly needs?: string;
  /** What the client printed that breaks it. Then no request shows it. */
  readonly printed?: (runs: readonly Traffic[]) => string | undefined;
  /** Variations that show whether it is kept. They run even if only the duty is selected. */
  readonly under?: readonly string[];
  /** Whether it measures time. Then those variations run again, with no other run beside them, until it can be judged. */
  readonly alone?: true;
  /** @param runs of the client, all of them */
  cases(runs: readonly Traffic[]): Iterable<Case>;
}

/** The cases of a duty, counted. */
export function findingOf({ cases }: Duty, runs: readonly Traffic[]): Finding {
  const all = [...cases(runs)];
  return {
    applied: all.length,
    unclear: all.filter((one) => typeof one === 'string'),
    breaches: all.flatMap((one) => {
      if (one === null || typeof one === 'string') return [];
      const [exchange, expected, observed, ...others] = one;
      return { exchange, expected, observed, with: others };
    }),
  };
}

/** The cases of each run. */
export const perRun =
  (casesOf: (run: Traffic) => Iterable<Case>): Duty['cases'] =>
  (runs) =>
    runs.flatMap((run) => [...casesOf(run)]);

/** Each of these requests is a case. */
export const each = (
  requests: readonly SentRequest[],
  judge: (request: SentRequest) => null | string | Wrong,
): Case[] =>
  requests.map((request) => {
    const said = judge(request);
    return said === null || typeof said === 'string' ? said : [request, ...said];
  });

/** Each request to which a duty applies is a case. */
export const perRequest = (
  applies: (request: SentRequest) => unknown,
  judge: (request: SentRequest, run: Traffic) => null | string | Wrong,
): Duty['cases'] => perRun((run) => each(run.requests.filter(applies), (request) => judge(request, run)));
