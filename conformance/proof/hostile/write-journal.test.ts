import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tally } from '../../../spec/proof/tally/tally.ts';
import type { Environment } from '../../client/environment.ts';
import { runConformance } from '../../index.ts';
import { cleanup } from '../../journal/cleanup.ts';
import { fileJournal } from '../../journal/file-journal.ts';
import type { WriteJournal } from '../../journal/write-journal.ts';
import { virtualMock } from '../trials/virtual-mock.ts';

/** Checks that write on every kind of holder, several at a time. */
const only = ['labels/apply-adds'];

/** A run has more than a thousand such events: every so many of them is enough. */
const stride = 9;

/** What stands still when a process dies: nothing of it goes on, not even what it would do to tidy up. */
class Dead extends Error {}

/** Kills the run at the n-th of its events; an event is a write request or a line of the journal. */
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
    /** Lines that were begun before the death stand in the journal before anybody else reads it. */
    atRest: () => Promise.allSettled(writing),
    /** Each request may be the last: never sent, or done without anybody hearing of it. */
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
    /** Each line may be the last: not begun, written by half, or whole and followed by nothing. */
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

/** Runs, dies at that event, cleans up. @returns whether it came to its end before */
async function runUntil(dieAt: number) {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-crash-'));
  try {
    const { mock, environment, target } = await virtualMock({ seed: dieAt });
    // An upload that was started is on no site.
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
    const done = await cleanup(target, { environment, journal: next, wait: true });
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
  tally({ inputs: tried, faults: tried - 1, lost: lost.length });
  expect(lost).toEqual([]);
  // Points in which a label was on when the process died: what the test is about.
  expect(needed).toBeGreaterThan(10);
  expect(tried).toBeGreaterThan(80);
});
