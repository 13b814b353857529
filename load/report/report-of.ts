import { describeJudgement } from '../../spec/limiter/describe-judgement.ts';
import { admissionOf } from '../../spec/limiter/observation.ts';
import { ruleById } from '../../spec/rules.ts';
import { exitCodes, type RunVerdict } from '../verdict/judge-run.ts';
import { entryOf, noRequests, outagesOf, type RawKey, type RawRun } from '../verdict/recording.ts';
import type { LoadReport } from './report-schema.ts';

/** What a recording does not say. */
type ReportContext = Pick<LoadReport, 'kit' | 'scenario' | 'target'>;

/** As many points of the admitted curve as a picture can show. */
const maxPoints = 1000;

/** The report of a judged run. The terminal, JSON and HTML reports are made from it. */
export function reportOf(run: RawRun, verdict: RunVerdict, context: ReportContext): LoadReport {
  const timeline = timelineOf(run);
  const durations = Float64Array.from(
    run.requests.filter(({ status }) => status !== 0),
    ({ sentAt, doneAt }) => doneAt - sentAt,
  ).sort();
  const quantile = (part: number) => {
    const value = durations[Math.min(durations.length - 1, Math.floor(part * durations.length))];
    return value === undefined ? null : Math.round(value * 100) / 100;
  };
  const [onlyKey] = run.keys.size <= 2 ? verdict.keys : [];
  return {
    format: 'partnerkit-load-report',
    version: 2,
    ...context,
    startedAt: timeline.start === undefined ? null : new Date(timeline.start).toISOString(),
    seconds: (timeline.seconds.at(-1)?.second ?? -1) + 1,
    outcome: verdict.outcome,
    exitCode: exitCodes[verdict.outcome],
    sentence: verdict.sentence,
    reasons: [...verdict.reasons],
    rules: verdict.findings.map(({ rule, outcome, seen }) => {
      const { level, provenance } = ruleById(rule);
      return { rule, level, provenance, outcome, seen };
    }),
    traffic: {
      requests: run.requests.length,
      dropped: run.dropped,
      unanswered: outagesOf(run).length,
      durationMs: { p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99), max: quantile(1) },
    },
    keys: verdict.keys.map(({ key, judgement }) => ({
      key: key.label,
      limit: { perSecond: key.limit.perSecond, burst: key.limit.burst },
      verdict: judgement.verdict,
      sentence: describeJudgement(judgement),
      ...(judgement.deviation !== undefined && { deviation: judgement.deviation }),
      counts: judgement.counts,
      measured: judgement.measured,
      sources: [...key.sources],
    })),
    timeline: timeline.seconds,
    admitted: onlyKey === undefined ? [] : admittedCurve(onlyKey.key, timeline.start ?? 0),
    sources: [...run.files],
  };
}

/** The requests after the preflight, by the second in which they were answered or given up: by the clock of `admitted`, so that both say the same of a second. */
function timelineOf({ requests }: RawRun) {
  const sent = requests.filter(({ phase }) => phase !== 'preflight');
  const begun = sent.map(({ status, sentAt, doneAt }) => (status === 0 ? doneAt : sentAt));
  const start = begun.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  const bins = new Map<number, LoadReport['timeline'][number]>();
  for (const one of sent) {
    const second = Math.floor((one.doneAt - start) / 1000);
    entryOf(bins, second, () => ({ second, ...noRequests }))[admissionOf(one.status)] += 1;
  }
  const seconds = [...bins.values()].sort((a, b) => a.second - b.second);
  return { start: sent.length === 0 ? undefined : start, seconds };
}

function admittedCurve({ samples }: RawKey, start: number): [number, number][] {
  const times = samples
    .filter(({ status, phase }) => admissionOf(status) === 'admitted' && phase !== 'preflight')
    .map(({ doneAt }) => (doneAt - start) / 1000)
    .sort((a, b) => a - b);
  const step = Math.max(1, Math.ceil(times.length / maxPoints));
  return times.flatMap((time, index): [number, number][] =>
    index % step === 0 || index === times.length - 1 ? [[Math.round(time * 1000) / 1000, index + 1]] : [],
  );
}
