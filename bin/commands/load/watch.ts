import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { TimelineRow } from '../../../load/watch/timeline.ts';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import { interruption } from '../../../spec/interruption.ts';
import { cannotListen } from '../../cannot-listen.ts';
import { duration, portNumber } from '../../option-values.ts';
import { addPrepareOptions, allowanceOf, type PrepareFlags } from './flags.ts';

interface WatchFlags extends PrepareFlags {
  readonly every: number;
  readonly for?: number;
  readonly timeline?: string;
  readonly port?: number;
  readonly host: string;
  readonly quiet?: boolean;
}

/** `partnerkit load watch`: repeats a scenario, to notice a changed limit, or one that fails only after hours. */
export function addLoadWatchCommand(load: Command): void {
  addPrepareOptions(
    load
      .command('watch')
      .description('repeat a scenario, to monitor the limit or for a soak test of days')
      .argument('[scenario]', 'name of the scenario; see load list', 'overload'),
  )
    .addOption(
      new Option('--every <duration>', 'time from the start of one run to the start of the next')
        .default(600_000, '10m')
        .argParser(duration),
    )
    .option('--for <duration>', 'start no run after this time; default: until Ctrl-C', duration)
    .option('--timeline <file>', 'append a line of JSON for each run; an existing file is continued')
    .option('--port <port>', 'serve metrics for Prometheus at /metrics', portNumber)
    .option('--host <host>', 'interface for --port', '127.0.0.1')
    .option('--quiet', 'print only the last line')
    .addHelpText(
      'after',
      '\nExit codes: 1 a run broke the contract, 3 no run could tell, else 0.\n\nExamples:\n  partnerkit load watch overload --target target.yaml --every 10m --port 9464\n  partnerkit load watch soak --target target.yaml --duration 5m --every 5m --for 24h --timeline soak.ndjson',
    )
    .action(watchLimit);
}

async function watchLimit(scenario: string, flags: WatchFlags): Promise<void> {
  const [
    { findK6 },
    { prepareRun },
    { runScenario },
    { packageRoot, packageVersion },
    watching,
    tallying,
    keeping,
    { prometheusText },
    { restSeconds },
    { terminalLine },
    { verdictLine },
    { journaled },
  ] = await Promise.all([
    import('../../../load/run/find-k6.ts'),
    import('../../../load/run/prepare-run.ts'),
    import('../../../load/run/run-scenario.ts'),
    import('../../../spec/package-facts.ts'),
    import('../../../load/watch/watch.ts'),
    import('../../../load/watch/tally.ts'),
    import('../../../load/watch/timeline.ts'),
    import('../../../load/watch/prometheus.ts'),
    import('../../../spec/limiter/limit.ts'),
    import('../../../spec/text/terminal-text.ts'),
    import('../../../load/report/terminal-report.ts'),
    import('./journaled.ts'),
  ]);
  const { target: file, key: keys = [], duration, every } = flags;
  const prepared = prepareRun({ scenario, file, keys, duration, allowance: allowanceOf(flags) }, process.env);
  const k6 = await findK6({ env: process.env, root: packageRoot() });
  const run = { scenario, target: prepared.target.baseUrl };
  const timeline = flags.timeline === undefined ? null : keeping.openTimeline(flags.timeline, run);
  const tally = tallying.newTally();
  for (const row of timeline?.rows ?? []) tallying.count(tally, row);
  let latest: TimelineRow | null = timeline?.rows.at(-1) ?? null;
  const served = await serve(flags, () => prometheusText(tally, latest));
  const say = (text: string) => {
    if (!flags.quiet) process.stderr.write(`${terminalLine(text)}\n`);
  };
  if (served !== null) say(`metrics: ${served.url}`);
  if (latest !== null) say(`continuing: ${tallying.describeTally(tally)}`);
  const { signal, stopListening } = interruption(() => say('Interrupted: the current run is not counted.'));
  try {
    await watching.watch({
      run: () =>
        journaled(
          prepared,
          keys,
          () => runScenario(prepared, { k6: k6.path, env: process.env, kit: packageVersion() }),
          file,
        ),
      every,
      rest: 1000 * Math.max(...prepared.limits.map(restSeconds)),
      for: flags.for ?? Number.POSITIVE_INFINITY,
      now: Date.now,
      sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }).catch(() => undefined),
      signal,
      onReport: (report) => {
        latest = keeping.rowOf(report);
        tallying.count(tally, latest);
        timeline?.append(latest);
        say(`${latest.startedAt ?? 'nothing sent'} ${verdictLine(latest)}`);
      },
    });
  } finally {
    stopListening();
    served?.close();
  }
  process.stdout.write(`${terminalLine(tallying.describeTally(tally))}\n`);
  process.exitCode = tallying.exitCodeOf(tally);
}

async function serve({ host, port }: WatchFlags, text: () => string) {
  if (port === undefined) return null;
  const { serveMetrics } = await import('../../../load/watch/serve-metrics.ts');
  return serveMetrics(text, { host, port }).catch((error) => {
    throw new ConfigurationError([cannotListen(error, { host, port })]);
  });
}
