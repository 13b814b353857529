import { lookup } from 'node:dns/promises';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';
import { isNearby } from '../../spec/may-reach.ts';
import { proxyFor } from '../../spec/proxy-for.ts';
import type { ReportContext } from '../report/report-of.ts';
import { reportOf } from '../report/report-of.ts';
import type { LoadReport } from '../report/report-schema.ts';
import { judgeRun } from '../verdict/judge-run.ts';
import { createRawRun, type RawRun } from '../verdict/raw-run.ts';
import { createRawReader } from '../verdict/read-raw.ts';
import { doubtsOf } from './doubts-of.ts';
import { keepRaw } from './keep-raw.ts';
import { environmentArguments, mainScript, type PreparedRun, runFolder } from './prepare-run.ts';
import { runK6 } from './run-k6.ts';

interface RunScenarioOptions {
  readonly k6: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where k6's raw output is kept, if it is. */
  readonly rawFile?: string | undefined;
  /** Where k6 writes its own dashboard as a page. */
  readonly dashboard?: string | undefined;
  readonly kit: string;
  readonly onProgress?: (run: RawRun) => void;
}

/** Seconds beyond the planned end that k6 gets for its preflight, its teardown and replies that are late. */
const lateSeconds = 300;

/** Runs a prepared scenario with k6 and judges what it recorded. */
export async function runScenario(prepared: PreparedRun, options: RunScenarioOptions): Promise<LoadReport> {
  using folder = runFolder(prepared.portable);
  const keep = options.rawFile === undefined ? undefined : keepRaw(options.rawFile);
  const run = createRawRun();
  const { baseUrl, tls } = prepared.target;
  const proxies = ['http://any.invalid', 'https://any.invalid'].flatMap(
    (url) => proxyFor(url, options.env)?.hostname ?? [],
  );
  const proxyAddresses = (await Promise.all(proxies.map(addressesOf))).flat();
  const reader = createRawReader(run, options.rawFile ?? 'k6');
  const ended = await runK6({
    k6: options.k6,
    args: [
      'run',
      '--quiet',
      '--no-color',
      '--summary-mode=disabled',
      '--no-usage-report',
      // The API of k6 would take a port that another run may hold.
      '--address=',
      // The thresholds of k6 and the judging VUs serve a plain `k6 run`; here the raw output is judged, and both would cost time.
      '--no-thresholds',
      ...environmentArguments({
        ...prepared.settings,
        ...((await addressesOf(new URL(baseUrl).hostname)).some(isNearby) && { NEAR: '1' }),
        ...(proxyAddresses.length > 0 && { PROXIES: proxyAddresses.join() }),
        TARGET: folder.target,
        JUDGED_OUTSIDE: '1',
      }),
      '--out=json=-',
      mainScript,
    ],
    // Go collects its garbage less often, which takes a tenth of k6's time off, for some more memory.
    env: {
      GOGC: '200',
      ...options.env,
      ...prepared.portable.secrets,
      ...dashboardEnvironment(options.dashboard),
      ...trustEnvironment(folder.path, tls?.ca, options.env),
    },
    maxDuration: (prepared.traffic.seconds + lateSeconds) * 1000,
    onRaw: reader.push,
    keep,
    onTick: () => options.onProgress?.(run),
  });
  reader.end();
  const verdict = judgeRun(run, prepared.plan, { doubts: doubtsOf(ended) });
  const context: ReportContext = { kit: options.kit, scenario: prepared.plan.name, target: baseUrl };
  return reportOf(run, verdict, context);
}

async function addressesOf(host: string): Promise<string[]> {
  const found = await lookup(host.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

/** Go reads authorities from SSL_CERT_FILE, and not from NODE_EXTRA_CA_CERTS; on macOS and Windows it asks the system alone. */
function trustEnvironment(folder: string, ca: string | undefined, env: RunScenarioOptions['env']) {
  const { SSL_CERT_FILE: own = '', NODE_EXTRA_CA_CERTS: extra } = env;
  if (ca === undefined && !extra) return {};
  const file = join(folder, 'authorities.pem');
  const given = existsSync(own) ? [readFileSync(own, 'utf8')] : [];
  writeFileSync(file, [...given, ...getCACertificates('default'), ca ?? ''].join('\n'));
  return { SSL_CERT_FILE: file };
}

/** k6's dashboard without its web server; a short period, because many runs are short. */
function dashboardEnvironment(file: string | undefined): Record<string, string> {
  if (file === undefined) return {};
  return {
    K6_WEB_DASHBOARD: 'true',
    K6_WEB_DASHBOARD_EXPORT: file,
    K6_WEB_DASHBOARD_PORT: '-1',
    K6_WEB_DASHBOARD_PERIOD: '1s',
  };
}
