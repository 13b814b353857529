import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runCommand } from './command.ts';
import { judgeElsewhere } from './judge-elsewhere.ts';
import { k6Mirror } from './k6-mirror.ts';

export interface Journey {
  readonly name: string;
  /** From the first command to the result, in seconds. */
  readonly seconds: number;
  /** The result in a few words. */
  readonly result: string;
}

export interface JourneyOptions {
  /** A project in which the package is installed. */
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
  /** Whether to run all conformance checks, instead of only those of keys. */
  readonly everyCheck: boolean;
  /** Where a k6 is, to be installed as from its release; without one there is no load. */
  readonly k6: string | undefined;
}

/** The first steps of new users, on the command line of an empty project. They use only files that partnerkit writes or contains. */
export async function playNewcomer({ project, env, everyCheck, k6 }: JourneyOptions): Promise<Journey[]> {
  const npx = (variables: NodeJS.ProcessEnv, ...args: string[]) =>
    runCommand('npx', ['partnerkit', ...args], { cwd: project, env: { ...env, ...variables }, timeout: 540_000 });
  const journeys: Journey[] = [];
  const timed = async (name: string, journey: () => Promise<string>) => {
    const start = performance.now();
    const result = await journey();
    journeys.push({ name, result, seconds: (performance.now() - start) / 1000 });
  };

  const mocks: ReturnType<typeof spawn>[] = [];
  /** Starts a mock that runs until the end. @returns its first output */
  const startMock = async (...args: readonly string[]) => {
    const mock = spawn('npx', ['partnerkit', 'mock', '--port', '0', '--json', ...args], {
      cwd: project,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
      // npx starts another process, so the whole group is ended.
      detached: true,
    });
    mocks.push(mock);
    if (mock.stdout === null) throw new Error('the mock has no output');
    const [line] = await once(createInterface(mock.stdout), 'line');
    return JSON.parse(line);
  };
  try {
    let url = '';
    let spare: string[] = [];
    await timed('mock', async () => {
      const listening = await startMock();
      url = listening.url;
      spare = listening.tenants[1].keys.map(({ secret }: { secret: string }) => secret);
      const headers = { 'x-api-key': listening.tenants[0].keys[0].secret };
      const reply = await fetch(`${url}/v1/labels`, { headers });
      if (reply.status !== 200) throw new Error(`GET /v1/labels is answered with ${reply.status}`);
      return `${(await reply.json()).labels.length} labels from the first request`;
    });
    await timed('fixtures', async () => {
      const { tenants } = await startMock('--fixtures', 'node_modules/partnerkit/dist/fixtures');
      return `${tenants.length} tenants from files`;
    });

    const packaged = readFileSync(join(project, 'node_modules/partnerkit/dist/fixtures/mock.target.yaml'), 'utf8');
    writeFileSync(join(project, 'target.yaml'), packaged.replace('http://127.0.0.1:4010', url));
    await timed('conformance', async () => {
      const reports = 'html=out/report.html,junit=out/junit.xml,json=out/report.json';
      const few = everyCheck ? [] : ['--only', 'auth'];
      await npx({}, 'conformance', 'run', '--target', 'target.yaml', '--report', reports, ...few);
      return JSON.parse(readFileSync(join(project, 'out/report.json'), 'utf8')).sentence;
    });

    // The conformance run has used these keys, too: five seconds later they are full again.
    await fetch(`${url}/_mock/clock/advance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ by: '5s' }),
    });
    await timed('judge', () => judgeElsewhere({ project, env, k6, url, keys: [spare[0] ?? '', spare[1] ?? ''] }));

    if (k6 === undefined) return journeys;
    using mirror = await k6Mirror(k6);
    await timed('k6', async () => {
      const output = await npx({ K6_RELEASES: mirror.url }, 'load', 'install-k6');
      return output.trim();
    });
    await timed('load', async () => {
      const scenario = everyCheck ? 'overload' : 'burst';
      const out = await npx({}, 'load', 'run', scenario, '--target', 'target.yaml', '--quiet');
      return `${scenario}: ${out.trim().split('\n').at(-1)}`;
    });
  } finally {
    for (const { pid } of mocks) if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  }
  return journeys;
}
