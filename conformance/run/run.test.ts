import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rules as allRules } from '../../spec/rules.ts';
import type { Environment } from '../client/environment.ts';
import { TransportError } from '../client/http.ts';
import { memoryJournal, parseHistory, type Report, runConformance } from '../index.ts';
import { stateOf } from '../proof/jobs/killed-run.ts';
import { virtualMock } from '../proof/trials/virtual-mock.ts';
import { gather } from './run.ts';

const never = () => {
  throw new Error('nothing fits');
};

/** A run in which requests that fit are sent by `instead`. */
async function run(fits: (url: string, method: string) => boolean, instead: () => never, only: string[], more = {}) {
  const { environment, target, mock } = await virtualMock();
  const before = await stateOf(mock);
  let sent = 0;
  const around: Environment = {
    ...environment,
    send: async (request, sending) => {
      if (!fits(request.url, request.method)) return environment.send(request, sending);
      sent++;
      return instead();
    },
  };
  const startedAt = environment.now();
  const reports: Report[] = [];
  const onError = (report: Report) => reports.push(report);
  const options = { environment: around, journal: memoryJournal(), only, onError, ...more };
  const ended = await runConformance(target, options).catch((error: Error) => error);
  const seconds = (environment.now() - startedAt) / 1000;
  const left = JSON.stringify(await stateOf(mock)) !== JSON.stringify(before);
  return { ended, reports, left, sent, seconds };
}

it.each(['connect', 'refused'] as const)(
  'cannot tell about a storage that this machine does not reach (%s), and tries it a few times only',
  async (problem) => {
    const unreached = () => {
      throw new TransportError(problem, 'not reached: storage.example: check NODE_EXTRA_CA_CERTS');
    };
    const { ended, sent } = await run((_, method) => method === 'PUT', unreached, ['upload'], { allowLeftovers: true });
    const { rows, verdict } = ended as Report;
    expect(verdict).toBe('incomplete');
    expect(rows.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
    const row = rows.find(({ id }) => id === 'upload/put-accepts-bytes');
    expect(row).toMatchObject({
      outcome: 'inconclusive',
      message: expect.stringContaining('check NODE_EXTRA_CA_CERTS'),
    });
    expect(sent).toBeLessThan(60);
  },
);

it('says in seconds why an API is not reached, though requests would be given 30 s each', async () => {
  const unreached = () => {
    throw new TransportError('connect', 'not reached: partner.example: no connection; check the firewall');
  };
  const { ended, sent, seconds } = await run(() => true, unreached, ['labels']);
  expect(ended).toMatchObject({
    message: expect.stringMatching(/^http:.*: not reached: partner\.example: .*firewall$/),
  });
  expect([sent, seconds < 10]).toEqual([3, true]);
});

it('reports what was judged although the journal can no longer be written when labels are undone', async () => {
  const returned = () => Promise.reject(new Error('ENOSPC: no space left on device'));
  const journal = { ...memoryJournal(), returned };
  const { ended, reports, left } = await run(() => false, never, ['labels/apply-adds'], { journal });
  expect([ended, left]).toEqual([expect.objectContaining({ message: expect.stringContaining('ENOSPC') }), false]);
  expect(reports).toMatchObject([{ exitCode: 3, interrupted: true }]);
});

it('reports what was judged before something unforeseen was thrown, undoes its changes, and then throws it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-run-'));
  const historyFile = join(folder, 'history.jsonl');
  const broken = () => {
    throw new RangeError('what nobody foresaw');
  };
  let times = 0;
  const once = (url: string) => url.includes('/label/') && times++ === 40;
  const { ended, reports, left } = await run(once, broken, ['labels', 'auth'], { historyFile });
  expect(ended).toMatchObject({ name: 'RangeError', message: 'what nobody foresaw' });
  expect(reports).toMatchObject([{ exitCode: 3, interrupted: true }]);
  expect(reports[0]?.outcomes.pass).toBeGreaterThan(5);
  expect(left).toBe(false);
  expect(parseHistory(readFileSync(historyFile, 'utf8'), historyFile).exchanges.length).toBeGreaterThan(100);
  rmSync(folder, { recursive: true });
});

it('sends the headers that the storage needs, keeps their secrets to itself, and says in the words of the storage what is missing', async () => {
  const secret = 'a-token-of-the-storage';
  const judged = async (headers: Record<string, string>) => {
    const { environment, target } = await virtualMock();
    const missing =
      '<Error><Code>MissingRequiredHeader</Code><Message>An HTTP header is missing.\nRequestId:1</Message></Error>';
    const around: Environment = {
      ...environment,
      send: async (request, sending) =>
        request.method === 'PUT' && request.url.includes('Signature') && request.headers['x-token'] !== secret
          ? { status: 400, headers: {}, body: new TextEncoder().encode(missing) }
          : environment.send(request, sending),
    };
    const options = { environment: around, journal: memoryJournal(), only: ['upload/put-accepts-bytes'] };
    return runConformance({ ...target, upload: { ...target.upload, headers } }, { ...options, allowLeftovers: true });
  };
  const without = await judged({});
  expect(without.rows.find(({ id }) => id === 'upload/put-accepts-bytes')).toMatchObject({
    outcome: 'inconclusive',
    message: expect.stringContaining('400 MissingRequiredHeader: An HTTP header is missing.'),
  });
  const history = JSON.stringify(await judged({ 'x-token': secret }));
  expect(history).toContain('"conformant"');
  expect(history).not.toContain(secret);
});

it('counts as done no script that an interruption stopped', async () => {
  const { environment, target } = await virtualMock();
  const stop = new AbortController();
  const counts: number[][] = [];
  const { skipped } = await gather(target, {
    environment,
    journal: memoryJournal(),
    kit: 'test',
    signal: stop.signal,
    onExchange: ({ n }) => n === 700 && stop.abort(),
    onDone: (_, ...count) => counts.push(count),
  });
  const [done = 0, all = 0] = counts.at(-1) ?? [];
  expect(done).toBeGreaterThan(0);
  expect(counts).toHaveLength(all);
  expect(all - done).toBe(skipped.filter(({ reason }) => reason === 'stopped').length);
});

it('asks for the option of hooks only where the target file has them', async () => {
  const { environment, target } = await virtualMock();
  const needs = async (hooks: Partial<typeof target.hooks>) => {
    const rules = new Set(allRules.map(({ id }) => id).filter((id) => id.startsWith('keys/')));
    const options = { environment, journal: memoryJournal(), kit: 'test', rules };
    const { skipped } = await gather({ ...target, hooks: hooks as typeof target.hooks }, options);
    return skipped.flatMap(({ why }) => why);
  };
  const named = { createKey: 'true', regenerateKey: 'true', revokeKey: 'true', listKeys: 'true', raiseLimit: 'true' };
  expect(await needs({})).not.toContain('--allow-hooks');
  expect(await needs(named)).toContain('--allow-hooks');
});

it('says about how long what is decided takes, and counts it from then on', async () => {
  const { environment, target } = await virtualMock({ rateLimit: { perSecond: 8, burst: 15 }, latency: () => 100 });
  const raised = { perSecond: 10, burst: 20 };
  const tenants = target.tenants.map((one) => ({
    ...one,
    keys: one.keys.map((key) => ({ ...key, rateLimit: raised })),
  }));
  const begun = environment.now();
  const expected: number[] = [];
  const totals = new Set<number>();
  await runConformance(
    { ...target, tenants },
    {
      environment,
      journal: memoryJournal(),
      only: ['limiter/steady-rate'],
      onStart: (_, __, all) => totals.add(all),
      onExpected: (more) => expected.push(Math.round((environment.now() - begun + more) / 1000)),
    },
  );
  // A key is too strict, and measured again.
  expect([...totals]).toEqual([1, 2]);
  expect(expected).toEqual([44, 2, 86, 105, 105]);
});
