import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { acme } from '../acme.ts';
import { type Measurement, median } from './measurement.ts';
import { checkout, installed, preparePackage, program, startCommand } from './servers.ts';

const bareServer = `const { createServer } = process.getBuiltinModule('node:http');
createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1', function () {
  console.log('http://127.0.0.1:' + this.address().port);
});`;

/** Prints the milliseconds from the first import to the first reply of msw. */
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

/** A lower bound: msw with one handler and a fixed reply. */
const mswAlone = intercepted(
  `const { http } = await import('msw/http');`,
  `http.all('https://api.example/*', () => new Response('{}'))`,
);

async function untilServed(args: readonly string[]): Promise<number> {
  const running = await startCommand(args);
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

/** Processor time from the import to the first reply without a server, and for each tenant of a test suite after that. */
const inProcess = `const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
const startedAt = used();
const { createMock } = await import('partnerkit');
const mock = await createMock();
await mock.handle({ method: 'GET', url: '/v1/health', headers: { 'x-api-key': '${acme.full}' }, origin: 'http://localhost', body: null });
const first = used();
for (let i = 0; i < 200; i++) mock.tenants.create({ from: 'acme' });
console.log(JSON.stringify([first - startedAt, (used() - first) / 200]));
await mock.close();`;

/** How long the built package (`npm run build`) takes to start, compared with a lower bound for such a program. */
export async function start(rounds: number): Promise<Measurement[]> {
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
  const names = Object.keys(runs) as Run[];
  const took = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Run, number[]>;
  const alone: { first: number; tenant: number }[] = [];
  for (const run of Object.values(runs)) await run();
  for (let i = 0; i < rounds; i++) {
    for (const name of names) took[name].push(await runs[name]());
    const [first, tenant] = JSON.parse((await untilEnded(evaluated(inProcess))).printed);
    alone.push({ first, tenant });
  }

  const line = (run: Run, least: Run, what: string, atMost: number, shortBound: number): Measurement => ({
    what,
    atMost,
    shortBound,
    values: took[run].map((each, i) => each / (took[least][i] ?? 1)),
    unit: '×',
    detail: `${Math.round(median(took[run]))} ms against ${Math.round(median(took[least]))} ms`,
  });
  return [
    line('startMock', 'server', '`partnerkit mock` to the first 200, against bare node:http', 1.6, 6),
    line('startMsw', 'msw', "`import 'partnerkit/msw'` to the first reply, against msw alone", 1.2, 4),
    line('startHelp', 'node', '`partnerkit --help`, against an empty Node', 1.4, 6),
    {
      what: '`createMock()` in a process that is up, with the import, to the first reply',
      values: alone.map(({ first }) => first),
      unit: 'ms',
      detail: 'of processor time; nothing but Node was loaded before',
    },
    {
      what: 'a tenant of its own for a test',
      atMost: 2,
      shortBound: 20,
      values: alone.map(({ tenant }) => tenant),
      unit: 'ms',
      detail: 'of processor time; a copy of acme',
    },
  ];
}

/** Seconds until the built command has answered its first request with 100,000 conversations. */
export async function manyRecords(rounds: number): Promise<Measurement[]> {
  preparePackage();
  const file = join(checkout, '.cache/bench/100000.tenant.jsonl');
  const options = ['--conversations', '100000', '--force'];
  await untilEnded([program, 'fixtures', file, ...options]);
  const values: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const args = [program, 'mock', '--port', '0', '--quiet', '--fixtures', file];
    const running = await startCommand(args, { key: '00000001-large-fake-secret' });
    await running.stop();
    values.push(running.took / 1000);
  }
  return [{ what: 'start with 100,000 conversations', atMost: 2, values, unit: 's', detail: '130 MB of JSON lines' }];
}
