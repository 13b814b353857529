import { scenarioPlans } from '../scenarios.ts';
import { startVariant, tryScenario } from './try-variant.ts';
import { variants } from './variants.ts';

/** `node proof.ts [part...]`: the long proofs, in real time, with a real k6 and real sockets. Each of the `parts` takes minutes. */

interface Row {
  readonly mock: string;
  readonly scenario: string;
  readonly exits: readonly number[];
  /** What the sentence must say. */
  readonly says?: RegExp;
  readonly keys?: number;
}

const all = scenarioPlans.map(({ name }) => name);

const wrong = Object.entries(variants).flatMap(([mock, { found = [] }]) =>
  found.map(({ by, says }): Row => ({ mock, scenario: by, exits: [1], says })),
);

async function tryRow({ mock: name, scenario, exits, says, keys }: Row): Promise<boolean> {
  await using mock = await startVariant(name, keys);
  const { exitCode, sentence, traffic } = await tryScenario({
    scenario,
    // It takes an hour otherwise; the other scenarios run in full.
    duration: scenario === 'soak' ? 45 : undefined,
    target: mock.target,
  });
  const isRight = exits.includes(exitCode) && (says?.test(sentence) ?? true) && (!keys || traffic.dropped === 0);
  const seen = `${exitCode} ${sentence} (${traffic.requests} requests, p95 ${traffic.durationMs.p95} ms)`;
  process.stdout.write(`${isRight ? 'ok    ' : 'WRONG '} ${scenario} against ${name}: ${seen}\n`);
  return isRight;
}

const parts: Readonly<Record<string, readonly Row[]>> = {
  /** Every scenario keeps the contract, ten times in a row. */
  repeat: Array.from({ length: 10 }, () => all.map((scenario) => ({ scenario, mock: 'right', exits: [0] }))).flat(),
  /** Every wrong limiter is found by the right scenario. */
  wrong: [...wrong, { mock: 'burst of 30', scenario: 'overload', exits: [0] }],
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
