import { expect, it } from 'vitest';
import { labelsIn } from '../../mock/wrong/tampering/label-write.ts';
import { memoryJournal } from '../journal/write-journal.ts';
import { virtualMock } from '../proof/trials/virtual-mock.ts';
import { gather } from './run.ts';

const minutes = 60_000;

it('ends a run in time with everything undone, and what hangs stays in the journal', async () => {
  for (const hangsAfter of [Number.POSITIVE_INFINITY, 20_000]) {
    const { environment, target, mock } = await virtualMock({ latency: () => 40 });
    const before = environment.now();
    const labels = labelsIn(mock);
    const send: typeof environment.send = async (request, sending) => {
      if (environment.now() - before < hangsAfter) return environment.send(request, sending);
      await environment.sleep(10 * minutes, sending.signal);
      throw new Error('unreachable: no request is waited for that long');
    };
    const journal = memoryJournal();
    const run = gather(target, {
      environment: { ...environment, send },
      journal,
      kit: 'test',
      maxDuration: 30_000,
      timeout: 20 * minutes,
      slow: true,
    });
    const history = await run.catch(() => null);
    expect(environment.now() - before).toBeLessThanOrEqual(31_000);
    expect(history?.interrupted ?? true).toBe(true);
    const pending = await journal.pending();
    if (hangsAfter > minutes) expect(labelsIn(mock)).toEqual(labels);
    else expect(pending.length).toBeGreaterThan(0);
  }
});
