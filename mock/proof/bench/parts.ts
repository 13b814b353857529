import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../../spec/proof/processes.ts';
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

/** Measures both in turn; who comes first takes turns, too: the load of a machine rises and falls. */
async function inTurn<Figure>(rounds: number, own: () => Promise<Figure>, other: () => Promise<Figure>) {
  const pairs: { readonly own: Figure; readonly other: Figure }[] = [];
  for (let i = 0; i < rounds; i++) {
    const first = i % 2 === 0 ? await own() : undefined;
    const its = await other();
    pairs.push({ own: first ?? (await own()), other: its });
  }
  return pairs;
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
 * What a request costs the mock with everything on, against what the same reply costs bare node:http. Judged is processor time per request,
 * all threads, because it stays the same when others use the machine.
 * @param seconds of a round, at least
 */
async function throughput(name: keyof typeof scenes, rounds: number, seconds: number): Promise<Measurement[]> {
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
    do fired.push(await fire(server.url + path, method, seconds));
    while (sum('requests') < fewest);
    const wrong = name === 'throttled' ? sum('requests') - sum('refused') : sum('refused');
    if (wrong > sum('requests') / 1000) throw new Error(`${name}: ${wrong} replies were not what was to be measured`);
    return ((server.used().seconds - before) / sum('requests')) * 1e6;
  };
  try {
    for (const server of [mock, bare]) await turn(server, warmUp)();
    const pairs = await inTurn(rounds, turn(mock, 5_000), turn(bare, 5_000));
    const micros = (of: 'own' | 'other') => median(pairs.map((pair) => pair[of])).toFixed(1);
    return [
      {
        ...goal,
        what: `${goal.what}, against bare node:http`,
        values: pairs.map(({ own, other }) => other / own),
        unit: '×',
        detail: `${micros('other')} / ${micros('own')} µs of processor time per request`,
      },
    ];
  } finally {
    await Promise.all([mock.stop(), bare.stop()]);
  }
}

/** Pinned, and no dependency of this package. */
const prismVersion = '5.16.0';

/** The mock against Prism, which most would take for an OpenAPI document: the same reply, and the start. */
async function prism(rounds: number): Promise<Measurement[]> {
  const folder = join(cache, 'prism/');
  const script = join(folder, 'node_modules/@stoplight/prism-cli/dist/index.js');
  await mkdir(folder, { recursive: true });
  if (!existsSync(script)) {
    await writeFile(join(folder, 'package.json'), '{"private":true}\n');
    const flags = ['install', '--no-audit', '--no-fund', '--no-save', `@stoplight/prism-cli@${prismVersion}`];
    await promisify(execFile)('npm', flags, { cwd: folder });
  }
  const startMock = () => mockServer('--no-rate-limit');
  const mock = await startMock();
  const example = await (await fetch(mock.url + context.path, { headers: { 'x-api-key': acme.full } })).json();
  const responses = { 200: { description: 'ok', content: { 'application/json': { example } } } };
  const paths = { [context.path]: { get: { responses } } };
  const file = join(folder, 'context.json');
  await writeFile(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'context', version: '1' }, paths }));
  const startPrism = async () => {
    const port = await freePort();
    const args = [script, 'mock', '--port', String(port), '--verboseLevel', 'silent', file];
    return startServer(args, { path: context.path, at: `http://127.0.0.1:${port}` });
  };
  const other = await startPrism();
  const counted = (server: Server) => async () => {
    const { perSecond, refused } = await fire(server.url + context.path, 'GET', 2);
    if (!(perSecond > 0) || refused > 0) throw new Error(`${server.url}: ${refused} requests were refused`);
    return perSecond;
  };
  try {
    await inTurn(1, counted(mock), counted(other));
    const counts = await inTurn(rounds, counted(mock), counted(other));
    const starts = await inTurn(rounds, untilServed(startMock), untilServed(startPrism));
    const line = (what: string, pairs: typeof counts, detail: string): Measurement => ({
      what: `${what}, against Prism ${prismVersion}`,
      values: pairs.map(({ own, other }) => own / other),
      unit: '×',
      detail,
    });
    return [line('GET context', counts, 'requests counted'), line('start to the first reply', starts, 'by the clock')];
  } finally {
    await Promise.all([mock.stop(), other.stop()]);
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
  const line = async (what: string, atMost: number, own: () => Promise<number>, least: () => Promise<number>) => {
    await inTurn(1, own, least);
    const pairs = await inTurn(rounds, own, least);
    const middle = (of: 'own' | 'other') => Math.round(median(pairs.map((pair) => pair[of])));
    const values = pairs.map(({ own, other }) => own / other);
    return { what, atMost, values, unit: '×', detail: `${middle('own')} ms against ${middle('other')} ms` };
  };
  const bare = untilServed(() => startServer(bareServer(`response.end('{}')`)));
  return [
    await line('`partnerkit mock` to the first reply, against bare node:http', 1.6, untilServed(mockServer), bare),
    await line("`import 'partnerkit/msw'` to the first reply, against msw alone", 1.2, withMock, mswAlone),
    await line('`partnerkit --help`, against an empty Node', 1.4, ended(program, '--help'), ended('-e', '0')),
  ];
}

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

async function alone(rounds: number): Promise<Measurement[]> {
  const runs: [first: number, tenant: number][] = [];
  for (let i = 0; i < rounds; i++) runs.push(JSON.parse((await untilEnded(evaluated(inProcess))).printed));
  const unit = 'ms';
  return [
    {
      what: '`createMock()` with its import, to the first reply',
      values: runs.map(([first]) => first),
      unit,
      detail: 'of processor time; nothing but Node was loaded before',
    },
    {
      what: 'a tenant of its own for a test',
      atMost: 2,
      values: runs.map(([, tenant]) => tenant),
      unit,
      detail: 'of processor time; a copy of acme',
    },
  ];
}

/** Seconds until the command has answered its first request with 100,000 conversations. */
async function manyRecords(rounds: number): Promise<Measurement[]> {
  const file = join(cache, '100000.tenant.jsonl');
  await untilEnded([program, 'fixtures', file, '--conversations', '100000', '--force']);
  const args = [program, 'mock', '--port', '0', '--quiet', '--fixtures', file];
  const served = untilServed(() => startServer(args, { key: '00000001-large-fake-secret' }));
  const values: number[] = [];
  for (let i = 0; i < rounds; i++) values.push((await served()) / 1000);
  return [{ what: 'start with 100,000 conversations', atMost: 2, values, unit: 's', detail: '130 MB of JSON lines' }];
}

const megabyte = 1024 * 1024;

/** One large upload by curl against a sink that hashes and writes the same bytes; the memory over it. */
async function upload(bytes: number, rounds: number): Promise<Measurement[]> {
  const zeros = join(cache, 'zeros');
  const file = await open(zeros, 'w');
  await file.truncate(bytes);
  await file.close();
  const mock = await mockServer(...high, '--storage-limit', '100GB');
  const sink = await startServer(
    bareServer(`if (request.method !== 'PUT') return response.end();
      const hash = require('node:crypto').createHash('md5');
      request.on('data', (chunk) => hash.update(chunk));
      request.pipe(require('node:fs').createWriteStream(${JSON.stringify(join(cache, 'sink'))}))
        .on('finish', () => response.end(hash.digest('hex')));`),
  );
  const uploadUrl = async () => {
    const reply = await fetch(`${mock.url}/v1/site/${acme.site}/file/upload-url`, {
      method: 'POST',
      headers: { 'x-api-key': acme.full, 'content-type': 'application/json' },
      body: JSON.stringify({ contentType: 'application/octet-stream' }),
    });
    return ((await reply.json()) as { uploadUrl: string }).uploadUrl;
  };
  let most = 0;
  const timed = (server: Server, address: () => Promise<string>) => async () => {
    const before = server.used().seconds;
    const flags = ['-sf', '-T', zeros, '-H', 'content-type: application/octet-stream', await address()];
    const uploading = promisify(execFile)('curl', flags).then(() => true);
    while (!(await Promise.race([uploading, sleep(100, false)])))
      if (server === mock) most = Math.max(most, mock.used().resident);
    return server.used().seconds - before;
  };
  const turns = [timed(mock, uploadUrl), timed(sink, async () => sink.url)] as const;
  try {
    await inTurn(1, ...turns);
    const rests = mock.used().resident;
    most = 0;
    const pairs = await inTurn(rounds, ...turns);
    return [
      {
        what: 'upload of 1 GiB, against a bare hashing sink',
        atLeast: 0.8,
        values: pairs.map(({ own, other }) => other / own),
        unit: '×',
        detail: 'processor time',
      },
      {
        what: 'memory growth over that upload',
        atMost: 32,
        values: [(most - rests) / megabyte],
        unit: 'MB',
        detail: `resident ${Math.round(rests / megabyte)} MB before`,
      },
    ];
  } finally {
    await Promise.all([mock.stop(), sink.stop()]);
  }
}

/** What is measured, by name. @param short fewer and shorter rounds */
export const parts: Readonly<Record<string, (short: boolean) => Promise<readonly Measurement[]>>> = {
  context: (short) => throughput('context', short ? 7 : 9, short ? 1 : 2),
  labelPut: (short) => throughput('labelPut', short ? 7 : 9, short ? 1 : 2),
  throttled: (short) => throughput('throttled', short ? 7 : 9, short ? 1 : 2),
  start: (short) => start(short ? 3 : 15),
  alone: (short) => alone(short ? 3 : 15),
  records: () => manyRecords(5),
  upload: () => upload(1024 * megabyte, 3),
  prism: () => prism(5),
};
