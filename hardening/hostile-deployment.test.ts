import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { examineTarget } from '../bin/doctor/examine-target.ts';
import { memoryJournal, nodeEnvironment, PreflightError, runConformance } from '../conformance/index.ts';
import { parseTarget, type Target } from '../spec/target.ts';
import type { Attackers } from './attackers.ts';
import { peakMemory } from './peak-memory.ts';
import { tally } from './tally.ts';

const described = parse(readFileSync(new URL('../fixtures/mock.target.yaml', import.meta.url), 'utf8'));
const targetAt = (baseUrl: string): Target => parseTarget({ ...described, baseUrl }, {}, 'target');
const requestTimeout = 80;
const atOnce = 8;
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

let attackers: ChildProcess;
let all: Attackers['attackers'];
beforeAll(async () => {
  attackers = fork(new URL('attackers.ts', import.meta.url));
  const [first] = (await once(attackers, 'message')) as [Attackers];
  all = first.attackers;
});
afterAll(() => attackers.disconnect());

async function followedElsewhere(): Promise<readonly string[]> {
  const answer = once(attackers, 'message');
  attackers.send('what came to the host elsewhere?');
  const [now] = (await answer) as [Attackers];
  return now.followedElsewhere;
}

/** What went wrong with one attack; empty is what is wanted. */
type Harm = string[];

async function within(seconds: number, what: string, work: Promise<Harm>): Promise<Harm> {
  const late = delay(seconds * 1000, [`${what} does not end within ${seconds} s`], { ref: false });
  return Promise.race([work, late]).catch((error) => [`${what}: ${error instanceof Error ? error.stack : error}`]);
}

async function graded(url: string): Promise<Harm> {
  const environment = impatient();
  try {
    const options = { environment, journal: memoryJournal(), timeout: requestTimeout, only };
    const { rows, exitCode } = await runConformance(targetAt(url), options);
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

async function examined(url: string): Promise<Harm> {
  const findings = await examineTarget(targetAt(url), Date.now, requestTimeout);
  return findings.some(({ text }) => /[^\P{Cc}]/u.test(text)) ? ['prints control characters'] : [];
}

async function harmOf(where: 'fromTheStart' | 'turning', work: (url: string) => Promise<Harm>): Promise<Harm> {
  const memory = peakMemory();
  const harm: Harm = [];
  // Some at a time: most of it is waiting for time-outs.
  for (let i = 0; i < all.length; i += atOnce) {
    const some = all.slice(i, i + atOnce).map((attacker) => within(20, attacker.name, work(attacker[where])));
    harm.push(...(await Promise.all(some)).flat());
  }
  const grown = memory.end();
  if (grown > atOnce * 64) harm.push(`memory grew by ${grown} MB`);
  for (const head of await followedElsewhere()) harm.push(`followed elsewhere: ${head}`);
  if ('polluted' in {}) harm.push('a prototype is polluted');
  tally({ inputs: all.length, faults: all.length, lost: harm.length });
  return harm;
}

it('conformance run ends in time and memory at a deployment that is hostile from the start', async () => {
  expect(await harmOf('fromTheStart', graded)).toEqual([]);
});

it('conformance run ends in time and memory, without an error of its own, at one that turns hostile', async () => {
  expect(await harmOf('turning', graded)).toEqual([]);
});

it('doctor ends in time and memory, and takes no key elsewhere', async () => {
  expect(await harmOf('fromTheStart', examined)).toEqual([]);
});
