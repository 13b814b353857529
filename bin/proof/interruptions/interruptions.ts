import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { aDayAndAnHour, stateOf } from '../../../conformance/proof/jobs/killed-run.ts';
import type { Target } from '../../../spec/files/target.ts';
import { readYamlFile } from '../../../spec/files/yaml-file.ts';
import { type Step, slowFront } from './slow-front.ts';

// Ends real runs by a signal while one of their writes is under way, cleans up, and compares the whole state of the deployment:
// npm run interruptions -- [--points 512] [--jobs 8] [--first 1], the write at which the first run is ended

const { values } = parseArgs({
  options: { points: { type: 'string' }, jobs: { type: 'string' }, first: { type: 'string' } },
});
const wanted = Number(values.points ?? 512);
const jobs = Number(values.jobs ?? 8);

const root = join(import.meta.dirname, '../../..');
const described = readYamlFile(join(root, 'fixtures/mock.target.yaml')) as Target;

const signals = ['SIGINT', 'SIGTERM', 'SIGKILL'] as const;
const commands = {
  conformance: ['conformance', 'run', '--only', 'labels', '--timeout', '2s', '--journal', 'journal'],
  load: ['load', 'run', 'labels', '--duration', '3s', '--quiet'],
} as const;
/** Milliseconds for which a write is held back; the issue that this was built for saw restoring writes overtake such ones. */
const deployments = { ordinary: 0, slow: 1_200 } as const;

interface Point {
  readonly command: keyof typeof commands;
  readonly deployment: keyof typeof deployments;
  readonly signal: (typeof signals)[number];
  readonly write: number;
  readonly step: Step;
}

/** Every combination in turn, each time one write later; what runs of load write is over sooner. */
function* points(): Generator<Point> {
  for (let write = 1; ; write++)
    for (const command of ['conformance', 'conformance', 'conformance', 'load'] as const)
      for (const deployment of ['ordinary', 'slow'] as const)
        for (const signal of signals)
          for (const step of ['arrived', 'done'] as const) {
            if (command === 'load' && write > 12) continue;
            yield { command, deployment, signal, write: command === 'load' ? write : nextWrite(), step };
          }
}

let last = Number(values.first ?? 1) - 1;
/** Spread over the first hundreds of writes of a run. */
const nextWrite = () => (last = (last % 180) + 1);

function run(cwd: string, args: readonly string[], onStart: (kill: (signal: NodeJS.Signals) => void) => void) {
  return new Promise<{ readonly code: number | null; readonly output: string }>((resolve) => {
    const child = spawn(process.execPath, [join(root, 'bin/partnerkit.ts'), ...args], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    onStart((signal) => child.kill(signal));
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** @returns what differs afterwards, in words; null where nothing does; undefined where the run never came so far */
async function tryPoint({ command, deployment, signal, write, step }: Point): Promise<string | null | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-interrupted-'));
  let kill: ((signal: NodeJS.Signals) => void) | undefined;
  let struck = false;
  await using front = await slowFront(deployments[deployment], (at, now) => {
    if (struck || at !== write || now !== step) return;
    struck = true;
    kill?.(signal);
  });
  try {
    const rateLimit = { perSecond: 1000, burst: 1000 };
    const tenants = described.tenants.map((tenant) => ({
      ...tenant,
      keys: tenant.keys.map((key) => ({ ...key, rateLimit })),
    }));
    writeFileSync(join(folder, 'target.json'), JSON.stringify({ ...described, baseUrl: front.url, tenants }));
    const before = await stateOf(front.mock);
    await run(folder, [...commands[command], '--target', 'target.json'], (end) => {
      kill = end;
    });
    if (!struck) return undefined;
    const journal = command === 'load' ? '.partnerkit' : 'journal';
    const cleanup = ['conformance', 'cleanup', '--wait', '--target', 'target.json', '--journal', journal];
    const cleaned = await run(folder, cleanup, () => undefined);
    // Uploads that were started are forgotten by then; nothing of them is on a site.
    front.mock.clock.advance(aDayAndAnHour);
    const after = await stateOf(front.mock);
    const changed = Object.keys(before).filter(
      (name) => name !== 'clock' && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    );
    const rest = existsSync(join(folder, journal)) ? readdirSync(join(folder, journal)) : [];
    if (changed.length === 0 && cleaned.code === 0 && rest.length === 0) return null;
    return `changed: ${changed.join(', ') || 'nothing'}; cleanup ended with ${cleaned.code}; journal: ${rest.join(', ') || 'empty'}; ${cleaned.output.trim().slice(-300)}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const counts = new Map<string, { tried: number; differ: number }>();
const all = points();
let tried = 0;
let differ = 0;
async function work(): Promise<void> {
  while (tried < wanted) {
    const { value: point } = all.next();
    if (point === undefined) return;
    const found = await tryPoint(point);
    if (found === undefined) continue;
    tried++;
    const name = `${point.command} ${point.deployment} ${point.signal}`;
    const count = counts.get(name) ?? { tried: 0, differ: 0 };
    counts.set(name, count);
    count.tried++;
    if (found !== null) {
      differ++;
      count.differ++;
      console.log(`differs: ${name}, write ${point.write} ${point.step}: ${found}`);
    }
    if (tried % 20 === 0) console.log(`${tried} of ${wanted} interrupted and cleaned up, ${differ} differ`);
  }
}
await Promise.all(Array.from({ length: jobs }, work));
console.table(Object.fromEntries([...counts].sort()));
console.log(`${tried} runs interrupted and cleaned up: ${differ} deployments differ from before`);
process.exitCode = differ > 0 ? 1 : 0;
