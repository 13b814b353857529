import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Environment } from '../../client/environment.ts';
import { runConformance } from '../../index.ts';
import { cleanup } from '../../journal/cleanup.ts';
import { fileJournal } from '../../journal/file-journal.ts';
import type { WriteJournal } from '../../journal/write-journal.ts';
import { virtualMock } from '../trials/virtual-mock.ts';

/** Laws whose scripts write to every kind of holder, several at a time. */
const only = ['labels/apply-adds'];

/** A run has more than a thousand events, so only a sample of them is tried. */
const stride = 9;

/** A promise that never settles: a killed process does nothing any more, not even cleanup. */
class Dead extends Error {}

/** Kills the run at its n-th event: a write request or a line of the journal. */
function mortal(dieAt: number) {
  let events = 0;
  let dead = false;
  const writing: Promise<void>[] = [];
  const step = () => {
    if (dead) throw new Dead();
    if (++events < dieAt) return false;
    dead = true;
    return true;
  };
  return {
    get dead() {
      return dead;
    },
    /** Resolves when the lines that were begun before the kill are in the journal. */
    atRest: () => Promise.allSettled(writing),
    /** A request may be the last event: not sent, or executed without a reply. */
    environment: (world: Environment): Environment => ({
      ...world,
      async send(request, sending) {
        if (dead) throw new Dead();
        if (request.method === 'GET') return world.send(request, sending);
        if (step()) throw new Dead();
        const reply = await world.send(request, sending);
        if (step()) throw new Dead();
        return reply;
      },
    }),
    /** A line may be the last event: not begun, half written, or whole. */
    journal(journal: WriteJournal, folder: string): WriteJournal {
      const around = (write: WriteJournal['borrowed']) => async (entry: Parameters<typeof write>[0]) => {
        if (step()) throw new Dead();
        if (step()) {
          const [file = 'writes-none'] = readdirSync(folder);
          const line = JSON.stringify({ state: 'borrowed', ...entry });
          appendFileSync(join(folder, file), line.slice(0, line.length / 2));
          throw new Dead();
        }
        const written = write(entry);
        writing.push(written);
        await written;
        if (step()) throw new Dead();
      };
      return { pending: journal.pending, borrowed: around(journal.borrowed), returned: around(journal.returned) };
    },
  };
}

/** Runs, is killed at this event, and cleans up. @returns whether the run ended before the event */
async function runUntil(dieAt: number) {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-crash-'));
  try {
    const { mock, environment, target } = await virtualMock({ seed: dieAt });
    // Started uploads do not count: they are on no site.
    const memberships = async () => {
      const { tenants } = await mock.snapshot({ content: false });
      return JSON.stringify(tenants, (name, value) => (name === 'lastUsedAt' || name === 'files' ? undefined : value));
    };
    const before = await memberships();
    const life = mortal(dieAt);
    const journal = life.journal(fileJournal(folder, target.baseUrl), folder);
    await runConformance(target, { environment: life.environment(environment), journal, only }).catch((error) => {
      if (!(error instanceof Dead)) throw error;
    });
    await life.atRest();
    const left = (await memberships()) !== before;
    const next = fileJournal(folder, target.baseUrl);
    const done = await cleanup(target, { environment, journal: next });
    return {
      died: life.dead,
      left,
      restored: (await memberships()) === before && done.left.length === 0,
      forgotten: (await next.pending()).length,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

it('after a death at any write request and any line of the journal, cleanup restores every label', async () => {
  const lost: number[] = [];
  let [at, needed, tried] = [1 - stride, 0, 0];
  for (;;) {
    at += stride;
    tried++;
    const { died, left, restored, forgotten } = await runUntil(at);
    if (!restored || forgotten > 0) lost.push(at);
    if (left) needed++;
    if (!died) break;
  }
  expect(lost).toEqual([]);
  // The test proves something only if labels were applied at the time of some of the kills.
  expect(needed).toBeGreaterThan(10);
  expect(tried).toBeGreaterThan(80);
});
