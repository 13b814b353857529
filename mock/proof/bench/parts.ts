import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { acme } from '../acme.ts';
import { type Measurement, median } from './measurement.ts';
import { cache, fire, program, type Server, startServer, untilEnded } from './servers.ts';

const evaluated = (code: string) => ['--input-type=module', '-e', code];

/** A bare server on a free port. @param answer code that answers `request` by `response` */
const bareServer = (answer: string) => [
  '-e',
  // As CommonJS, because Node takes twice as long to its first reply for a module in an argument.
  `require('node:http').createServer({ keepAliveTimeout: 65_000 }, (request, response) => { ${answer} }).listen(0, '127.0.0.1', function () {
  console.log('http://127.0.0.1:' + this.address().port);
});`,
];

/** Two figures that are measured in turn. */
interface Race extends Pick<Measurement, 'what' | 'atLeast' | 'atMost'> {
  readonly own: () => Promise<number>;
  readonly other: () => Promise<number>;
  /** What the figures are, with their unit. */
  readonly figures: string;
}

/** Measures both in turn; who comes first takes turns, too: the load of a machine rises and falls. A round before the others warms up. */
async function race(rounds: number, { own, other, figures, ...goal }: Race): Promise<Measurement> {
  const pairs: { readonly own: number; readonly other: number }[] = [];
  for (let i = 0; i <= rounds; i++) {
    const first = i % 2 === 0 ? await own() : undefined;
    const its = await other();
    pairs.push({ own: first ?? (await own()), other: its });
  }
  const [, ...counted] = pairs;
  const middle = (of: 'own' | 'other') => Number(median(counted.map((pair) => pair[of])).toPrecision(3));
  return {
    ...goal,
    values: counted.map(({ own, other }) => own / other),
    unit: '×',
    detail: `${middle('own')} against ${middle('other')} ${figures}`,
  };
}

const mockServer = (...flags: string[]) => startServer([program, 'mock', '--port', '0', '--quiet', ...flags]);

const context = { method: 'GET', path: `/v1/conversation/${acme.open}/context` } as const;
const label = { method: 'PUT', path: `/v1/site/${acme.site}/label/${acme.gateCode}` } as const;
/** So high that the bucket is used but never empty. */
const high = ['--rate', '1000000000', '--burst', '1000000000'];

const scenes = {
  context: { ...context, flags: high, what: 'GET context', atLeast: 0.75 },
  labelPut: { ...label, flags: high, what: 'PUT label', atLeast: 0.7 },
  // One request an hour: all replies but the first are 429.
  throttled: { ...context, flags: ['--rate', '0.0003', '--burst', '1'], what: '429', atLeast: 0.8 },
} as const;

/** The first requests are the compiler's. After 15,000 the mock still takes half as long again. */
const warmUp = 50_000;

/**
 * How many requests the mock answers with everything on, against bare node:http with the same reply. Judged are requests per second of processor
 * time, all threads, because they stay the same when others use the machine.
 */
async function throughput(name: keyof typeof scenes, short: boolean): Promise<Measurement[]> {
  const { method, path, flags, ...goal } = scenes[name];
  const mock = await mockServer(...flags);
  const reply = await fetch(mock.url + path, { method, headers: { 'x-api-key': acme.full } });
  const headers = [...reply.headers].filter(([field]) => ['content-type', 'retry-after'].includes(field));
  const body = JSON.stringify(await reply.text());
  const bare = await startServer(
    bareServer(`const body = Buffer.from(${body});
      response.writeHead(${reply.status}, { ...${JSON.stringify(Object.fromEntries(headers))}, 'content-length': body.length }).end(body);`),
  );
  const turn = (server: Server, fewest: number) => async () => {
    const before = server.used().seconds;
    const fired: Awaited<ReturnType<typeof fire>>[] = [];
    const sum = (of: 'requests' | 'refused') => fired.reduce((all, each) => all + each[of], 0);
    do fired.push(await fire(server.url + path, method, short ? 1 : 2));
    while (sum('requests') < fewest);
    const wrong = name === 'throttled' ? sum('requests') - sum('refused') : sum('refused');
    if (wrong > sum('requests') / 1000) throw new Error(`${name}: ${wrong} replies were not what was to be measured`);
    return sum('requests') / (server.used().seconds - before);
  };
  try {
    for (const server of [mock, bare]) await turn(server, warmUp)();
    const what = `${goal.what}, against bare node:http`;
    const figures = 'requests per second of processor time';
    const turns = { own: turn(mock, 5_000), other: turn(bare, 5_000) };
    return [await race(short ? 7 : 9, { ...goal, ...turns, what, figures })];
  } finally {
    await Promise.all([mock.stop(), bare.stop()]);
  }
}

const untilServed = (start: () => Promise<Server>) => async () => {
  const server = await start();
  await server.stop();
  return server.took;
};

/** Prints the milliseconds from the first import to the first reply of msw. */
const intercepted = (imports: string, handlers: string) => async () => {
  const code = `const startedAt = performance.now();
${imports}
const { setupServer } = await import('msw/node');
const server = setupServer(${handlers});
server.listen();
await (await fetch('https://api.example/v1/health', { headers: { 'x-api-key': '${acme.full}' } })).text();
console.log(performance.now() - startedAt);
process.exit();`;
  return Number((await untilEnded(evaluated(code))).printed);
};

const withMock = intercepted(
  `const { partnerHandlers } = await import('partnerkit/msw');
const { createMock } = await import('partnerkit');`,
  `...partnerHandlers(await createMock(), { baseUrl: 'https://api.example' })`,
);
const mswAlone = intercepted(
  `const { http } = await import('msw/http');`,
  `http.all('https://api.example/*', () => new Response('{}'))`,
);

/** How long the package takes to start, against a lower bound for such a program. */
async function start(rounds: number): Promise<Measurement[]> {
  const ended =
    (...args: string[]) =>
    async () =>
      (await untilEnded(args)).took;
  const bare = untilServed(() => startServer(bareServer(`response.end('{}')`)));
  const line = (what: string, atMost: number, own: Race['own'], other: Race['other']) =>
    race(rounds, { what, atMost, own, other, figures: 'ms' });
  return [
    await line('`partnerkit mock` to the first reply, against bare node:http', 1.6, untilServed(mockServer), bare),
    await line("`import 'partnerkit/msw'` to the first reply, against msw alone", 1.2, withMock, mswAlone),
    await line('`partnerkit --help`, against an empty Node', 1.4, ended(program, '--help'), ended('-e', '0')),
  ];
}

/** Prints the milliseconds of processor time for each tenant of a test suite. */
const copies = `const { createMock } = await import('partnerkit');
await using mock = await createMock();
const before = process.cpuUsage();
for (let i = 0; i < 200; i++) mock.tenants.create({ from: 'acme' });
const { user, system } = process.cpuUsage(before);
console.log((user + system) / 1000 / 200);`;

async function copy(rounds: number): Promise<Measurement[]> {
  const values: number[] = [];
  for (let i = 0; i < rounds; i++) values.push(Number((await untilEnded(evaluated(copies))).printed));
  return [{ what: 'a copy of acme for a test', values, unit: 'ms', detail: 'of processor time', atMost: 2 }];
}

/** Seconds until the command has answered its first request with 100,000 conversations. */
async function manyRecords(rounds: number): Promise<Measurement[]> {
  const file = join(cache, '100000.tenant.jsonl');
  await untilEnded([program, 'fixtures', file, '--conversations', '100000', '--force']);
  const args = [program, 'mock', '--port', '0', '--quiet', '--fixtures', file];
  const served = untilServed(() => startServer(args, '00000001-large-fake-secret'));
  const values: number[] = [];
  for (let i = 0; i < rounds; i++) values.push((await served()) / 1000);
  return [{ what: 'start with 100,000 conversations', atMost: 2, values, unit: 's', detail: '130 MB of JSON lines' }];
}

const megabyte = 1024 * 1024;

/** By how much the memory of the mock grows over one large upload by curl. */
async function upload(bytes: number): Promise<Measurement[]> {
  const zeros = join(cache, 'zeros');
  const file = await open(zeros, 'w');
  await file.truncate(bytes);
  await file.close();
  const mock = await mockServer(...high, '--storage-limit', '100GB');
  const put = async () => {
    const reply = await fetch(`${mock.url}/v1/site/${acme.site}/file/upload-url`, {
      method: 'POST',
      headers: { 'x-api-key': acme.full, 'content-type': 'application/json' },
      body: JSON.stringify({ contentType: 'application/octet-stream' }),
    });
    const { uploadUrl } = (await reply.json()) as { uploadUrl: string };
    const flags = ['-sf', '-T', zeros, '-H', 'content-type: application/octet-stream', uploadUrl];
    const uploading = promisify(execFile)('curl', flags).then(() => true);
    const resident: number[] = [];
    do resident.push(mock.used().resident / megabyte);
    while (!(await Promise.race([uploading, sleep(100, false)])));
    return resident;
  };
  try {
    await put();
    const rests = mock.used().resident / megabyte;
    const values: number[] = [];
    for (let i = 0; i < 3; i++) values.push(Math.max(...(await put())) - rests);
    const detail = `${Math.round(rests)} MB before`;
    return [{ what: 'memory growth over an upload of 1 GiB', unit: 'MB', atMost: 32, values, detail }];
  } finally {
    await mock.stop();
  }
}

/** What is measured, by name. @param short fewer and shorter rounds */
export const parts = {
  context: (short) => throughput('context', short),
  labelPut: (short) => throughput('labelPut', short),
  throttled: (short) => throughput('throttled', short),
  start: (short) => start(short ? 3 : 15),
  copy: (short) => copy(short ? 3 : 15),
  records: () => manyRecords(5),
  upload: () => upload(1024 * megabyte),
} satisfies Readonly<Record<string, (short: boolean) => Promise<readonly Measurement[]>>>;
