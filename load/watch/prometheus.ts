import type { Tally } from './tally.ts';
import type { TimelineRow } from './timeline.ts';

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number | null];

/** The figures of a watch in Prometheus' text format, which OpenTelemetry's collector reads as well. */
export function prometheusText(tally: Tally, row: TimelineRow | null): string {
  const withRun = (labels: Labels): Labels => ({
    ...(row && { scenario: row.scenario, target: row.target }),
    ...labels,
  });
  const lines: string[] = [];
  const add = (name: string, type: 'gauge' | 'counter', help: string, samples: readonly Sample[]) => {
    const sampleLines = samples.flatMap(([labels, value]) =>
      value === null ? [] : [`partnerkit_load_${name}${labelText(withRun(labels))} ${value}`],
    );
    if (sampleLines.length > 0)
      lines.push(`# HELP partnerkit_load_${name} ${help}`, `# TYPE partnerkit_load_${name} ${type}`, ...sampleLines);
  };
  const keys = row?.keys ?? [];
  const seconds = (at: string | null) => (at === null ? null : Date.parse(at) / 1000);
  add(
    'runs_total',
    'counter',
    'Runs by what they said of the limiter.',
    Object.entries(tally.runs).map(([outcome, runs]) => [{ outcome }, runs]),
  );
  add('requests_total', 'counter', 'Requests that were sent.', [[{}, tally.requests]]);
  add('last_run_timestamp_seconds', 'gauge', 'When the last run began.', [[{}, seconds(tally.last)]]);
  add('last_broken_timestamp_seconds', 'gauge', 'When the last run began that broke the contract.', [
    [{}, seconds(tally.broken?.startedAt ?? null)],
  ]);
  add(
    'limiter_broken',
    'gauge',
    '1 where the last run showed that the limiter breaks the contract, 0 where it kept it.',
    [[{}, row === null || row.outcome === 'cannot-tell' ? null : Number(row.outcome === 'breaks')]],
  );
  add(
    'declared_requests_per_second',
    'gauge',
    'The rate that the target file says.',
    keys.map(({ key, limit }) => [{ key }, limit.perSecond]),
  );
  add(
    'declared_burst',
    'gauge',
    'The burst that the target file says.',
    keys.map(({ key, limit }) => [{ key }, limit.burst]),
  );
  for (const [name, what] of [
    ['rate', 'requests_per_second'],
    ['burst', 'burst'],
  ] as const) {
    add(
      `measured_${what}`,
      'gauge',
      'What was measured in the last run lies between these bounds.',
      keys.flatMap(({ key, measured }): Sample[] => [
        [{ key, bound: 'low' }, measured[name].low],
        [{ key, bound: 'high' }, measured[name].high],
      ]),
    );
  }
  add(
    'duration_seconds',
    'gauge',
    'How long requests of the last run took.',
    Object.entries(row?.durationMs ?? {}).map(([quantile, ms]) => [{ quantile }, ms === null ? null : ms / 1000]),
  );
  return `${lines.join('\n')}\n`;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
