import { execFile } from 'node:child_process';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Measurement } from '../report/measurement.ts';
import { summaryOf } from '../report/summary.ts';
import { checkout, preparePackage, program, startProgram } from '../server/program.ts';
import { type ServerProcess, startServer } from '../server/server-process.ts';
import type { Fire } from '../traffic/fire.ts';
import type { Rounds } from './throughput.ts';

const folder = join(checkout, '.cache/bench/');
/** The secret of the first key of every tenant that is generated here. */
const firstKey = '00000001-large-fake-secret';
/** As many records as the mock caches replies for, so that only the size of the tenant differs. */
const workingSet = 500;

/** Makes the tenant unless an earlier run did. @returns its file */
async function tenantOf(conversations: number, keys: number): Promise<string> {
  const out = `${folder}${conversations}-${keys}.tenant.jsonl`;
  await mkdir(folder, { recursive: true });
  if (await stat(out).catch(() => null)) return out;
  const flags = ['--conversations', conversations, '--keys', keys, '--seed', 1, '--out', out].map(String);
  await promisify(execFile)(process.execPath, [program, 'fixtures', 'generate', ...flags]);
  return out;
}

interface Size {
  readonly conversations: number;
  readonly keys: number;
  readonly server: ServerProcess;
  readonly heap: number;
  /** Bytes of the file. */
  readonly bytes: number;
}

async function load(conversations: number, keys = 1): Promise<Size> {
  const fixtures = await tenantOf(conversations, keys);
  const settings = { kind: 'mock', rateLimit: { perSecond: 1e9, burst: 1e9 }, fixtures };
  const server = await startServer(settings, ['--max-old-space-size=12000']);
  const { heap } = await server.usage({ collect: true });
  return { conversations, keys, server, heap, bytes: (await stat(fixtures)).size };
}

/** Seconds until the built command has answered its first request from so many conversations. */
async function start(conversations: number): Promise<number> {
  const fixtures = await tenantOf(conversations, 1);
  const flags = ['mock', '--port', '0', '--quiet', '--fixtures', fixtures];
  const running = await startProgram(['--max-old-space-size=12000', program, ...flags], firstKey);
  await running.stop();
  return running.took / 1000;
}

/** What a clone takes, whose ids are all its own and whose texts are those of its original. */
async function cloning({ server, conversations, bytes }: Size): Promise<Measurement> {
  const clones = 50;
  const before = (await server.usage({ collect: true })).heap;
  const took = await server.clone(clones);
  const each = ((await server.usage({ collect: true })).heap - before) / clones / conversations / 1024;
  return {
    goal: null,
    what: `a clone of a tenant with ${conversations.toLocaleString('en')} conversations, each of them`,
    figure: summaryOf([each]),
    unit: 'KB',
    detail: `with its share of sites, clients and indexes, of which the ids are new; their JSON is ${(bytes / conversations / 1024).toFixed(2)} KB; ${took.toFixed(1)} ms a clone`,
  };
}

/** What the number of conversations and of keys does to start, memory and time per request. */
export async function scale(fire: Fire, { rounds, duration }: Rounds): Promise<Measurement[]> {
  preparePackage();
  const starts: number[] = [];
  for (let i = 0; i < rounds; i++) starts.push(await start(100_000));
  const million = await start(1_000_000);
  const sizes: Size[] = [];
  try {
    for (const conversations of [1_000, 100_000, 1_000_000]) sizes.push(await load(conversations));
    sizes.push(await load(1_000, 10_000));
    const [small, middle, large, keyed] = sizes as [Size, Size, Size, Size];
    const micros = {
      small: [] as number[],
      middle: [] as number[],
      large: [] as number[],
      keyed: [] as number[],
      all: [] as number[],
    };
    const ask = async ({ server }: Size, conversations = workingSet, keys = 1): Promise<number> => {
      const targets = await server.draw({ conversations, keys });
      const before = await server.usage();
      const { requests, refused } = await fire({ url: server.url, method: 'GET', headers: {}, duration, targets });
      if (requests === 0 || refused > 0) throw new Error(`${refused} of ${requests} requests were refused`);
      return (((await server.usage()).seconds - before.seconds) / requests) * 1e6;
    };
    // The first round is the compiler's.
    for (let i = -1; i < rounds; i++) {
      const round = {
        small: await ask(small),
        middle: await ask(middle),
        large: await ask(large),
        keyed: await ask(keyed, workingSet, 10_000),
        all: await ask(large, 20_000),
      };
      if (i >= 0) for (const name of Object.keys(micros) as (keyof typeof micros)[]) micros[name].push(round[name]);
    }
    const against = (figures: readonly number[]) =>
      summaryOf(figures.map((figure, i) => (micros.small[i] ?? 0) / figure));
    const median = (figures: readonly number[]) => `${summaryOf(figures).median.toFixed(2)} µs`;
    const beyond = ({ heap, bytes, conversations }: Size) =>
      (heap - small.heap - (bytes - small.bytes)) / 1024 / (conversations - small.conversations);
    const perConversation = ({ heap, conversations }: Size) =>
      (heap - small.heap) / 1024 / (conversations - small.conversations);
    return [
      {
        goal: 'startLarge',
        figure: summaryOf([million]),
        unit: 's',
        detail: `${Math.round(large.bytes / 1e6)} MB of JSON lines; 100,000 conversations: ${summaryOf(starts).median.toFixed(1)} s`,
      },
      {
        goal: 'conversationMemory',
        figure: summaryOf([beyond(large)]),
        unit: 'KB',
        detail: `${perConversation(large).toFixed(2)} KB each with its share of sites and clients, of which ${(large.bytes / large.conversations / 1024).toFixed(2)} KB are the JSON; at 100,000: ${beyond(middle).toFixed(2)} KB beyond`,
      },
      {
        goal: 'flat',
        figure: against(micros.large),
        unit: '×',
        detail: `${median(micros.small)}, ${median(micros.middle)} and ${median(micros.large)} of processor time, ${workingSet} conversations in turn; 20,000 of 1,000,000 in turn: ${median(micros.all)}`,
      },
      {
        goal: 'keys',
        figure: against(micros.keyed),
        unit: '×',
        detail: `${median(micros.keyed)} of processor time`,
      },
      await cloning(small),
    ];
  } finally {
    await Promise.all(sizes.map(({ server }) => server.stop()));
  }
}
