import { judge } from '../../spec/limiter/judge.ts';
import { admissionOf } from '../../spec/limiter/observation.ts';
import type { KeyVerdict } from './key-verdict.ts';
import { widened } from './raw-run.ts';

/** Several keys whose replies fit one shared bucket, but not a bucket for each key. */
interface SharedBucket {
  readonly keys: readonly KeyVerdict[];
  /** Admitted per second, all together. */
  readonly together: number;
}

/**
 * Whether keys that are throttled too early are so because they share a bucket: together with `others` they are not admitted
 * more than one key alone may be. Without that, their own limits are too strict.
 */
export function sharedBucket(verdicts: readonly KeyVerdict[]): SharedBucket | undefined {
  const strict = verdicts.filter(({ judgement }) => judgement.verdict === 'too-strict');
  if (strict.length === 0 || verdicts.length < 2) return undefined;
  // Of a pair the second stays below its rate: only that it suffers shows that the first one's requests cost it something.
  if (verdicts.length === 2 && !strict.some(({ key }) => key.position === 1)) return undefined;
  // The overloaded key of a pair may stay within its own envelope; of a fleet only those that suffer are suspects.
  const suspects = verdicts.length === 2 ? verdicts : strict;
  const [first] = suspects;
  if (first === undefined || suspects.length < 2) return undefined;
  const samples = suspects.flatMap(({ key }) => widened(key.samples, key.withinMs));
  if (judge(first.key.limit, samples, { mustShow: {} }).verdict === 'too-lax') return undefined;
  const times = samples.map(({ sentAt }) => sentAt);
  const seconds =
    (times.reduce((a, b) => Math.max(a, b), 0) - times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)) /
    1000;
  const admitted = samples.filter(({ status }) => admissionOf(status) === 'admitted').length;
  return { keys: suspects, together: Math.max(0, admitted - first.key.limit.burst) / Math.max(1, seconds) };
}
