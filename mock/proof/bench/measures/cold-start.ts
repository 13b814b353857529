import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { acme } from '../../acme.ts';
import type { GoalId } from '../report/goals.ts';
import type { Measurement } from '../report/measurement.ts';
import { summaryOf } from '../report/summary.ts';
import { installed, preparePackage, program, startProgram } from '../server/program.ts';

const bareServer = `const { createServer } = process.getBuiltinModule('node:http');
createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1', function () {
  console.log('http://127.0.0.1:' + this.address().port);
});`;

/** From the first import to the first reply that msw gives, and then the milliseconds it took. */
const intercepted = (imports: string, handlers: string) => `const startedAt = performance.now();
${imports}
const { setupServer } = await import('msw/node');
const server = setupServer(${handlers});
server.listen();
await (await fetch('https://api.example/v1/health', { headers: { 'x-api-key': '${acme.full}' } })).text();
console.log(performance.now() - startedAt);
process.exit();`;

const withMock = intercepted(
  `const { partnerHandlers } = await import('partnerkit/msw');
const { createMock } = await import('partnerkit');`,
  `...partnerHandlers(await createMock(), { baseUrl: 'https://api.example' })`,
);

/** The least that msw itself can do: one handler with a fixed reply. */
const mswAlone = intercepted(
  `const { http } = await import('msw/http');`,
  `http.all('https://api.example/*', () => new Response('{}'))`,
);

async function untilServed(args: readonly string[]): Promise<number> {
  const running = await startProgram(args);
  await running.stop();
  return running.took;
}

/** Runs a process to its end: milliseconds it took, and what it printed. */
async function untilEnded(args: readonly string[]): Promise<{ took: number; printed: string }> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { cwd: installed, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (data) => {
    printed += data;
  });
  await once(child, 'close');
  return { took: performance.now() - startedAt, printed };
}

const evaluated = (code: string) => ['--input-type=module', '-e', code];

/** How long the built package (`npm run build`) takes to start, beside the least that anything of its kind can take. */
export async function coldStart(rounds: number): Promise<Measurement[]> {
  preparePackage();
  const runs = {
    startMock: () => untilServed([program, 'mock', '--port', '0', '--quiet']),
    server: () => untilServed(evaluated(bareServer)),
    startMsw: async () => Number((await untilEnded(evaluated(withMock))).printed),
    msw: async () => Number((await untilEnded(evaluated(mswAlone))).printed),
    startHelp: async () => (await untilEnded([program, '--help'])).took,
    node: async () => (await untilEnded(['-e', '0'])).took,
  };
  type Run = keyof typeof runs;
  const took: Record<Run, number[]> = { startMock: [], server: [], startMsw: [], msw: [], startHelp: [], node: [] };
  const names = Object.keys(runs) as Run[];
  for (const run of Object.values(runs)) await run();
  for (let i = 0; i < rounds; i++) for (const name of names) took[name].push(await runs[name]());

  const median = (name: Run) => `${Math.round(summaryOf(took[name]).median)} ms`;
  const line = (goal: GoalId & Run, least: string, reason: string): Measurement => ({
    goal,
    figure: summaryOf(took[goal]),
    unit: 'ms',
    detail: `least of the rounds ${Math.round(summaryOf(took[goal]).min)} ms; ${least}`,
    reason,
  });
  return [
    line('startMock', `bare node:http ${median('server')}`, `bare node:http takes ${median('server')} of it`),
    line(
      'startMsw',
      `msw alone ${median('msw')}`,
      `msw with one fixed reply and nothing of ours takes ${median('msw')}`,
    ),
    line('startHelp', `an empty Node ${median('node')}`, `an empty Node takes ${median('node')} of it`),
  ];
}
