import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { examineTarget } from '../bin/doctor/examine-target.ts';
import { memoryJournal, nodeEnvironment, PreflightError, runConformance } from '../conformance/index.ts';
import { parseTarget, type Target } from '../spec/target.ts';
import { attacks } from './attacks.ts';
import { type Attack, type HostileServer, hostileServer, reply } from './hostile-server.ts';
import { peakMemory } from './peak-memory.ts';
import { tally } from './tally.ts';

const described = parse(readFileSync(new URL('../fixtures/mock.target.yaml', import.meta.url), 'utf8'));
const targetAt = (baseUrl: string): Target => parseTarget({ ...described, baseUrl }, {}, 'target');
const requestTimeout = 80;
/** A read, a write that must be restored, an upload, and what judges every reply of the run. */
const only = [
  'context/get/open',
  'labels/is-a-set/open-conversation',
  'upload/put/text-plain',
  'transport/json/every-reply',
];
/** Real connections, and no waiting in between: back-off is not what is tried here. */
function impatient() {
  const real = nodeEnvironment();
  return { ...real, sleep: (ms: number, signal?: AbortSignal) => real.sleep(ms / 100, signal) };
}

let elsewhere: HostileServer;
beforeAll(async () => {
  elsewhere = await hostileServer((socket) => void socket.write(reply(200, '{}')));
});
afterAll(() => elsewhere[Symbol.asyncDispose]());

/** What went wrong with one attack; empty is what is wanted. */
type Harm = string[];

async function within(seconds: number, what: string, work: Promise<Harm>): Promise<Harm> {
  const late = delay(seconds * 1000, [`${what} does not end within ${seconds} s`], { ref: false });
  return Promise.race([work, late]).catch((error) => [`${what}: ${error instanceof Error ? error.stack : error}`]);
}

/** @param hostile whether a request is answered with the attack; the others are answered well enough to go on. */
async function graded(attack: Attack, hostile: (count: number) => boolean): Promise<Harm> {
  let count = 0;
  await using server = await hostileServer((socket, request, own) => {
    if (hostile(++count)) attack(socket, request, own);
    else socket.write(reply(200, '{"labels":[]}'));
  });
  const environment = impatient();
  try {
    const options = { environment, journal: memoryJournal(), timeout: requestTimeout, only };
    const { rows, exitCode } = await runConformance(targetAt(server.url), options);
    return [
      ...rows.filter(({ outcome }) => outcome === 'error').map(({ id, message }) => `${id}: ${message}`),
      ...(exitCode === 0 ? ['passes for conformant'] : []),
    ];
  } catch (error) {
    if (error instanceof PreflightError && !/[^\P{Cc}]/u.test(error.message)) return [];
    throw error;
  } finally {
    environment.close();
  }
}

async function examined(attack: Attack): Promise<Harm> {
  await using server = await hostileServer(attack);
  const findings = await examineTarget(targetAt(server.url), Date.now, requestTimeout);
  return findings.some(({ text }) => /[^\P{Cc}]/u.test(text)) ? ['prints control characters'] : [];
}

async function harmOf(work: (attack: Attack) => Promise<Harm>, seconds: number): Promise<Harm> {
  const all = Object.entries(attacks(elsewhere.url));
  const memory = peakMemory();
  const harm: Harm = [];
  // Some at a time: most of it is waiting for time-outs.
  for (let i = 0; i < all.length; i += 8) {
    const some = all.slice(i, i + 8).map(([name, attack]) => within(seconds, name, work(attack)));
    harm.push(...(await Promise.all(some)).flat());
  }
  const grown = memory.end();
  // Eight at a time, and their servers are in this process too.
  if (grown > 8 * 64) harm.push(`memory grew by ${grown} MB`);
  if (elsewhere.received.length > 0) harm.push(`followed elsewhere: ${elsewhere.received[0]?.head}`);
  if ('polluted' in {}) harm.push('a prototype is polluted');
  tally({ inputs: all.length, faults: all.length, lost: harm.length });
  return harm;
}

it('conformance run ends in time and memory at a deployment that is hostile from the start', async () => {
  expect(await harmOf((attack) => graded(attack, () => true), 10)).toEqual([]);
});

it('conformance run ends in time and memory, without an error of its own, at one that turns hostile', async () => {
  expect(await harmOf((attack) => graded(attack, (count) => count > 1), 20)).toEqual([]);
});

it('doctor ends in time and memory, and takes no key elsewhere', async () => {
  expect(await harmOf(examined, 10)).toEqual([]);
});
