import { scenarioPlans } from '../scenarios.ts';
import { type Delay, delayProxy, jittered } from './delay-proxy.ts';
import { startVariant } from './start-variant.ts';
import { type Trial, tryScenario } from './try-scenario.ts';

/** `node proof.ts [part...]`: the long proofs, in real time, with a real k6 and real sockets. Each of the `parts` takes minutes. */

interface Expectation {
  readonly exitCode: number;
  /** What the sentence must say. */
  readonly says?: RegExp;
}

type Row = Omit<Trial, 'target'> & { readonly mock: string; readonly expected: Expectation };

const keeps: Expectation = { exitCode: 0 };
const breaks = (says: RegExp): Expectation => ({ exitCode: 1, says });
const all = scenarioPlans.map(({ name }) => name);
/** In seconds. A soak takes an hour otherwise; the other scenarios run in full. */
const durations: Readonly<Record<string, number>> = { soak: 45 };

const wrong: readonly Row[] = [
  { mock: '12 rps', scenario: 'overload', expected: breaks(/admits 1[12]\.\d rps: too lax by (19|20|21)%/) },
  { mock: '8 rps', scenario: 'overload', expected: breaks(/admits 8\.\d rps: too strict by (19|20|21)%/) },
  { mock: '8 rps', scenario: 'paced', expected: breaks(/too strict/) },
  { mock: '8 rps', scenario: 'fleet', expected: breaks(/keys break the contract.*too strict/) },
  { mock: 'burst 15', scenario: 'burst', expected: breaks(/burst (at most )?1[56]: too strict by (at least )?2[05]%/) },
  { mock: 'burst 40', scenario: 'burst', expected: breaks(/too lax by/) },
  { mock: 'burst 40', scenario: 'refill', expected: breaks(/too lax by/) },
  { mock: 'fixed windows of 1 s', scenario: 'overload', expected: breaks(/too lax by/) },
  { mock: 'fixed windows of 3 s', scenario: 'overload', expected: breaks(/too (lax|strict)/) },
  { mock: 'shared bucket', scenario: 'isolation', expected: breaks(/share one bucket.*\d+% of the requests/) },
  { mock: 'lying Retry-After', scenario: 'recover', expected: breaks(/Retry-After said 1 s.*throttled again/) },
  { mock: '429 without body', scenario: 'recover', expected: breaks(/\d+ replies 429 have no body/) },
  {
    mock: '429 without Retry-After',
    scenario: 'recover',
    expected: breaks(/\d+ replies 429 have no Retry-After/),
  },
  { mock: 'burst of 30', scenario: 'overload', expected: keeps },
  { mock: 'burst of 30', scenario: 'burst', expected: keeps },
];

async function rowsAt(rows: readonly Row[], delay?: Delay): Promise<boolean> {
  const tried = rows.map(async ({ mock: name, expected, ...trial }) => {
    await using mock = await startVariant(name);
    await using proxy = delay && (await delayProxy(mock.target.baseUrl, delay));
    const report = await tryScenario({
      ...trial,
      duration: trial.duration ?? durations[trial.scenario],
      target: proxy === undefined ? mock.target : { ...mock.target, baseUrl: proxy.url },
    });
    const right = report.exitCode === expected.exitCode && (expected.says?.test(report.sentence) ?? true);
    print(right, `${trial.scenario} against ${name}`, `${report.exitCode} ${report.sentence}`);
    return right;
  });
  return (await Promise.all(tried)).every(Boolean);
}

const print = (right: boolean, what: string, seen: string) =>
  process.stdout.write(`${right ? 'ok    ' : 'WRONG '} ${what}: ${seen}\n`);

/** Runs a few rows at a time, because a busy machine delays requests too. */
async function inTurn(rows: readonly Row[], atOnce: number, delay?: Delay): Promise<boolean> {
  let right = true;
  for (let from = 0; from < rows.length; from += atOnce)
    right = (await rowsAt(rows.slice(from, from + atOnce), delay)) && right;
  return right;
}

const parts: Readonly<Record<string, () => Promise<boolean>>> = {
  /** Every scenario keeps the contract, ten times in a row. */
  async repeat() {
    let right = true;
    for (let round = 1; round <= 10; round += 1) {
      process.stdout.write(`round ${round}\n`);
      right =
        (await inTurn(
          all.map((scenario) => ({ scenario, mock: 'right', expected: keeps })),
          10,
        )) && right;
    }
    return right;
  },
  /** Every wrong limiter is found by the right scenario. */
  wrong: () => inTurn(wrong, 5),
  /** A slow network causes no false alarm, but it may leave a run undecided. */
  async networks() {
    const limits = all.filter((scenario) => !['labels', 'upload', 'soak'].includes(scenario));
    let right = true;
    for (const [name, delay] of [
      ['80 ms', jittered(80, 0)],
      ['400 ms, jittered by 300', jittered(400, 150)],
    ] as const) {
      const tried = limits.map(async (scenario) => {
        await using mock = await startVariant('right');
        await using proxy = await delayProxy(mock.target.baseUrl, delay);
        const report = await tryScenario({ scenario, target: { ...mock.target, baseUrl: proxy.url } });
        print(report.exitCode !== 1, `${scenario} over ${name}`, `${report.exitCode} ${report.sentence}`);
        return report.exitCode !== 1;
      });
      right = (await Promise.all(tried)).every(Boolean) && right;
    }
    return right;
  },
  /** 150 keys at 9 requests per second each from this machine. */
  async fleet() {
    await using mock = await startVariant('right', 150);
    const report = await tryScenario({ scenario: 'fleet', target: mock.target });
    const { requests, dropped, latestMs, durationMs } = report.traffic;
    const right = report.exitCode === 0 && dropped === 0 && requests === 150 * (9 * 60 + 1);
    print(
      right,
      'fleet of 150',
      `${report.exitCode} ${report.sentence}; ${requests} requests, ${dropped} dropped, latest ${latestMs} ms late, p95 ${durationMs.p95} ms`,
    );
    return right;
  },
  /** A server that dies half-way leaves the run undecided. */
  async kill() {
    await using mock = await startVariant('right');
    const timer = setTimeout(mock.kill, 15_000);
    const report = await tryScenario({ scenario: 'overload', target: mock.target, duration: 20 });
    clearTimeout(timer);
    print(report.exitCode === 3, 'overload, server killed half-way', `${report.exitCode} ${report.sentence}`);
    return report.exitCode === 3;
  },
};

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts);
let right = true;
for (const name of chosen) {
  const part = parts[name];
  if (part === undefined) throw new Error(`there is no part ${name}; use ${Object.keys(parts).join(', ')}`);
  process.stdout.write(`${name}\n`);
  right = (await part()) && right;
}
process.exitCode = right ? 0 : 1;
