import { scenarioPlans } from '../scenarios.ts';
import { type Delay, delayProxy, jittered } from './proxy.ts';
import { startVariant } from './start-variant.ts';
import { tryScenario } from './try-scenario.ts';

/** `node proof.ts [part...]`: the long proofs, in real time, with a real k6 and real sockets. Each of the `parts` takes minutes. */

interface Row {
  readonly mock: string;
  readonly scenario: string;
  readonly exits: readonly number[];
  /** What the sentence must say. */
  readonly says?: RegExp;
  readonly keys?: number;
  readonly delay?: Delay;
}

const keeps = { exits: [0] };
const breaks = (says: RegExp) => ({ exits: [1], says });
const all = scenarioPlans.map(({ name }) => name);
/** In seconds. A soak takes an hour otherwise; the other scenarios run in full. */
const durations: Readonly<Record<string, number>> = { soak: 45 };

const wrong: readonly Row[] = [
  { mock: '12 rps', scenario: 'overload', ...breaks(/admits 1[12]\.\d rps: too lax by (19|20|21)%/) },
  { mock: '8 rps', scenario: 'overload', ...breaks(/admits 8\.\d rps: too strict by (19|20|21)%/) },
  { mock: '8 rps', scenario: 'paced', ...breaks(/too strict/) },
  { mock: '8 rps', scenario: 'fleet', ...breaks(/keys break the contract.*too strict/) },
  { mock: 'burst 15', scenario: 'burst', ...breaks(/burst (at most )?1[56]: too strict by (at least )?2[05]%/) },
  { mock: 'burst 40', scenario: 'burst', ...breaks(/too lax by/) },
  { mock: 'fixed windows of 1 s', scenario: 'overload', ...breaks(/too lax by/) },
  { mock: 'shared bucket', scenario: 'isolation', ...breaks(/share one bucket.*\d+% of the requests/) },
  { mock: 'lying Retry-After', scenario: 'recover', ...breaks(/Retry-After said 1 s.*throttled again/) },
  { mock: '429 without body', scenario: 'recover', ...breaks(/\d+ replies 429 have no body/) },
  {
    mock: '429 without Retry-After',
    scenario: 'recover',
    ...breaks(/\d+ replies 429 have no Retry-After/),
  },
  { mock: 'burst of 30', scenario: 'overload', ...keeps },
];

async function tryRow({ mock: name, scenario, exits, says, keys, delay }: Row): Promise<boolean> {
  await using mock = await startVariant(name, keys);
  await using proxy = delay && (await delayProxy(mock.target.baseUrl, delay));
  const { exitCode, sentence, traffic } = await tryScenario({
    scenario,
    duration: durations[scenario],
    target: proxy === undefined ? mock.target : { ...mock.target, baseUrl: proxy.url },
  });
  const isRight = exits.includes(exitCode) && (says?.test(sentence) ?? true) && (!keys || traffic.dropped === 0);
  const seen = `${exitCode} ${sentence} (${traffic.requests} requests, p95 ${traffic.durationMs.p95} ms)`;
  process.stdout.write(`${isRight ? 'ok    ' : 'WRONG '} ${scenario} against ${name}: ${seen}\n`);
  return isRight;
}

const limits = all.filter((scenario) => !['labels', 'upload', 'soak'].includes(scenario));
const over = (delay: Delay): Row[] => limits.map((scenario) => ({ scenario, mock: 'right', delay, exits: [0, 3] }));

const parts: Readonly<Record<string, readonly Row[]>> = {
  /** Every scenario keeps the contract, ten times in a row. */
  repeat: Array.from({ length: 10 }, () => all.map((scenario) => ({ scenario, mock: 'right', ...keeps }))).flat(),
  /** Every wrong limiter is found by the right scenario. */
  wrong,
  /** A slow network causes no false alarm, but it may leave a run undecided. */
  networks: [...over(jittered(80, 0)), ...over(jittered(400, 150))],
  /** 150 keys at 9 requests per second each from this machine. */
  fleet: [{ mock: 'right', scenario: 'fleet', keys: 150, exits: [0], says: /^150 keys/ }],
};

/** Few at once, because a busy machine delays requests too. */
const atOnce = Number(process.env.LOAD_PROOF_AT_ONCE ?? 11);
let right = true;
for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts)) {
  const rows = parts[name];
  if (rows === undefined) throw new Error(`there is no part ${name}; use ${Object.keys(parts).join(', ')}`);
  process.stdout.write(`${name}\n`);
  for (let from = 0; from < rows.length; from += atOnce)
    right = (await Promise.all(rows.slice(from, from + atOnce).map(tryRow))).every(Boolean) && right;
}
process.exitCode = right ? 0 : 1;
