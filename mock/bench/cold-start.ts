import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { get } from 'node:http';
import { fileURLToPath } from 'node:url';
import { acme } from '../acme.ts';
import type { GoalId } from './goals.ts';
import type { Measurement } from './measurement.ts';
import { summaryOf } from './summary.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const program = fileURLToPath(new URL('../../dist/bin/partnerkit.js', import.meta.url));

const bareServer = `import { createServer } from 'node:http';
createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1', function () {
  console.log('http://127.0.0.1:' + this.address().port);
});`;

const msw = `const startedAt = performance.now();
const { partnerHandlers } = await import('partnerkit/msw');
const { createMock } = await import('partnerkit');
const { setupServer } = await import('msw/node');
const server = setupServer(...partnerHandlers(await createMock(), { baseUrl: 'https://api.example' }));
server.listen();
await (await fetch('https://api.example/v1/health', { headers: { 'x-api-key': '${acme.full}' } })).text();
console.log(performance.now() - startedAt);
process.exit();`;

/** Milliseconds from the start of a process to its first 200. */
async function untilServed(args: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  const url = /http:\/\/[\d.:]+/.exec(String(line))?.[0];
  const [reply] = await once(
    get(`${url}/v1/health`, { headers: { 'x-api-key': acme.full }, agent: false }),
    'response',
  );
  const took = performance.now() - startedAt;
  reply.resume();
  child.kill();
  await once(child, 'exit');
  if (reply.statusCode !== 200) throw new Error(`the first reply was ${reply.statusCode}`);
  return took;
}

/** Runs a process to its end: milliseconds it took, and what it printed. */
async function untilEnded(args: readonly string[]): Promise<{ took: number; printed: string }> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (data) => {
    printed += data;
  });
  await once(child, 'close');
  return { took: performance.now() - startedAt, printed };
}

/** How long the built package (`npm run build`) takes to start, beside bare node:http and an empty Node. */
export async function coldStart(rounds: number): Promise<Measurement[]> {
  if (!existsSync(program)) throw new Error(`${program} is not there; run npm run build first`);
  const runs = {
    startMock: () => untilServed([program, 'mock', '--port', '0', '--quiet']),
    startMsw: async () => Number((await untilEnded(['--input-type=module', '-e', msw])).printed),
    startHelp: async () => (await untilEnded([program, '--help'])).took,
    server: () => untilServed(['--input-type=module', '-e', bareServer]),
    node: async () => (await untilEnded(['-e', '0'])).took,
  };
  const took: Record<keyof typeof runs, number[]> = {
    startMock: [],
    startMsw: [],
    startHelp: [],
    server: [],
    node: [],
  };
  const names = Object.keys(runs) as (keyof typeof runs)[];
  for (const run of Object.values(runs)) await run();
  for (let i = 0; i < rounds; i++) for (const name of names) took[name].push(await runs[name]());
  const beside = `bare node:http ${Math.round(summaryOf(took.server).median)} ms, an empty Node ${Math.round(summaryOf(took.node).median)} ms`;
  return (['startMock', 'startMsw', 'startHelp'] satisfies GoalId[]).map((goal) => ({
    goal,
    figure: summaryOf(took[goal]),
    unit: 'ms',
    detail: beside,
  }));
}
