/**
 * `partnerkit/rate-limit`: a judge of rate limiters for people with a load tool of their own. Imports nothing, so that it runs in
 * Node, in browsers and in k6.
 *
 * Why its verdicts can be trusted. The client knows of each request that the gateway decided it between `sentAt` and `doneAt`, and
 * nothing more. Take any bucket that keeps the limit: at most B tokens, R a second, and any decision times inside those intervals.
 *
 * - In a window [x, y] it admits at most B + R (y - x). Requests with x <= sentAt and doneAt <= y were decided inside, whatever the
 *   network did. So more of them admitted than the largest honest B allows is no bucket: **too lax**.
 * - It throttles only when fewer than 1 token is left, so more than B - 1 more were taken than came back since it was full for the
 *   last time, at the moment t at which some admitted request was decided. Until a 429 k at least R max(0, k.sentAt - t) came back; what
 *   was taken lies among the requests with doneAt >= t and sentAt <= k.doneAt. Where these are too few for every t, even the smallest
 *   honest B: **too strict**. Requests without an answer, and refusals that may have come before the limiter or behind it, count as taken.
 *
 * Both are proofs by what must have been, so no delay, jitter, reordering or loss makes a right limiter fail. The price is that a run
 * over a bad network may end **inconclusive**. The proof is tried by machine: see `spec/limiter/proof`.
 *
 * @module
 */
export { brokenRules, describeJudgement } from './describe-judgement.ts';
export type { EnvelopeOptions } from './envelope.ts';
export { type Deviations, type Judgement, judge, type Options } from './judge.ts';
export type { Kind } from './kind.ts';
export type { Limit } from './limit.ts';
export type { Interval, Measured, Proofs } from './measure.ts';
export { measurement, type Phase, sendTimes, type Volley } from './measurement.ts';
export { type Admission, admissionOf, type Observation } from './observation.ts';
export { judgeRetryAfter, type RetryAfterJudgement, type RetryAfterRun } from './throttled-reply.ts';
