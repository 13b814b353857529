import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { judgeFiles } from '../judge-files.ts';
import { findK6 } from '../run/find-k6.ts';
import { archiveWithK6 } from '../run/k6-process.ts';
import { runK6 } from '../run/run-k6.ts';
import { prepareTrial, startVariant, type Trial, tryScenario, variants } from './try-variant.ts';

const k6 = await findK6().catch((error: Error) => {
  if (process.env.PARTNERKIT_REQUIRE_K6 === '1') throw error;
  console.warn(`\nTHE TESTS OF THE LOAD SCENARIOS WERE LEFT OUT: ${error.message}\n`);
  return undefined;
});

/** A line of k6's raw output as a machine would have written it whose clock is ahead. */
const movedBy = (ms: number) => (line: string) =>
  line.replace(/"time":"([^"]+)"/, (_, time) => `"time":"${new Date(Date.parse(time) + ms).toISOString()}"`);

const folder = mkdtempSync(join(tmpdir(), 'partnerkit-k6-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** `npm run load:proof`: every scenario in full, ten times, and a fleet of 150 keys. Else each once, shortened. */
const repeats = Number(process.env.LOAD_PROOF ?? 1);
const inFull = process.env.LOAD_PROOF !== undefined;

async function against(name: string, { scenario, duration }: Omit<Trial, 'target'>, keys = 0) {
  await using mock = await startVariant(name, keys);
  // In full a soak takes an hour.
  const seconds = inFull && scenario !== 'soak' ? undefined : duration;
  const report = await tryScenario({ scenario, duration: seconds, target: mock.target });
  const { outcome, exitCode, sentence, traffic } = report;
  return { outcome, exitCode, sentence, dropped: traffic.dropped };
}

// Real time over loopback.
describe.runIf(k6 !== undefined).concurrent('with a real k6', () => {
  const scenarios: readonly (readonly [string, number | undefined])[] = [
    ['burst', undefined],
    ['recover', undefined],
    ['refill', undefined],
    ['measure', undefined],
    ['paced', 20],
    ['overload', 25],
    ['isolation', 15],
    ['fleet', 40],
    ['labels', 5],
    ['upload', 4],
    ['soak', 40],
  ];
  test.each(Array.from({ length: repeats }, () => scenarios).flat())(
    '%s passes against the mock',
    async (scenario, duration) => {
      expect(await against('right', { scenario, duration })).toMatchObject({ outcome: 'keeps' });
    },
  );

  test.runIf(inFull)('150 keys at nine tenths of their rates from one machine', async () => {
    const report = await against('right', { scenario: 'fleet' }, 150);
    expect(report).toMatchObject({ outcome: 'keeps', dropped: 0, sentence: expect.stringMatching(/^150 keys/) });
  });

  test('a burst that the contract can be read to allow is no fault', async () => {
    expect(await against('burst of 30', { scenario: 'overload', duration: 25 })).toMatchObject({ outcome: 'keeps' });
  });

  test.each(
    Object.entries(variants).flatMap(([name, { found = [] }]) => found.map(([by, ...how]) => [name, by, how] as const)),
  )('%s is found by %s', async (name, scenario, [says, seconds]) => {
    const { exitCode, sentence } = await against(name, { scenario, duration: seconds });
    expect(sentence).toMatch(says);
    expect(exitCode).toBe(1);
  });

  test('gives no verdict on a server that dies half-way', async () => {
    await using mock = await startVariant('right');
    const timer = setTimeout(mock.kill, 9000);
    const { exitCode, sentence } = await tryScenario({ scenario: 'overload', target: mock.target, duration: 12 });
    clearTimeout(timer);
    expect(sentence).toMatch(/no answer/);
    expect(exitCode).toBe(3);
  });

  test('counts a reset connection as one request of unknown outcome, not as a hidden retry', async () => {
    await using mock = await startVariant('right');
    const faults = `${mock.target.baseUrl}/_mock/faults`;
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ drop: 'after', probability: 0.02, seed: 1 });
    expect((await fetch(faults, { method: 'POST', headers, body })).status).toBe(201);
    const report = await tryScenario({ scenario: 'overload', target: mock.target, duration: 15 });
    expect(report.exitCode).not.toBe(1);
    const [lost] = (await (await fetch(faults)).json()).faults;
    expect(lost.hits).toBeGreaterThan(0);
    expect(report.keys[0]?.counts.unknown).toBe(lost.hits);
  });

  test('sends one request to a server that does not answer, and says so', async () => {
    const target = {
      baseUrl: 'http://127.0.0.1:9',
      tenants: [{ name: 'acme', keys: [{ name: 'limits', secret: 'fake', use: 'limits' as const }] }],
    };
    const report = await tryScenario({ scenario: 'burst', target });
    expect(report.sentence).toMatch(
      /^preflight: GET http:\/\/127\.0\.0\.1:9\/v1\/labels .*: no answer \(.*\); check its address/,
    );
    expect(report).toMatchObject({ exitCode: 3, traffic: { requests: 1 } });
  });

  test('plain k6 records an archive, and the judge says the verdict and why a run stopped', async () => {
    await using mock = await startVariant('burst 15');
    const limits = { name: 'limits', secret: 'no-such-key', use: 'limits' as const };
    const refused = { ...mock.target, tenants: [{ name: 'acme', keys: [limits] }] };
    const said = await Promise.all(
      [mock.target, refused].map(async (target, index) => {
        const prepared = prepareTrial({ scenario: 'burst', target });
        const [file, raw] = [join(folder, `plain-${index}.tar`), join(folder, `plain-${index}.json`)];
        await archiveWithK6(prepared, { k6: k6?.path ?? '', env: process.env, file });
        const env = { ...process.env, ...prepared.secrets };
        const args = ['run', '-q', '--address=', `--out=json=${raw}`, file];
        expect(await runK6({ k6: k6?.path ?? '', args, env })).toEqual([]);
        return judgeFiles([raw], { kit: 'test' });
      }),
    );
    expect(said.map(({ outcome, reasons }) => [outcome, reasons[0]?.code])).toEqual([
      ['breaks', 'too-strict'],
      ['cannot-tell', 'key-refused'],
    ]);
  });

  test('an archive run by three processes gives each key to one process, and the sum keeps the limit', async () => {
    await using mock = await startVariant('right', 5);
    const prepared = prepareTrial({ scenario: 'fleet', target: mock.target, duration: 36 });
    const archive = join(folder, 'fleet.tar');
    await archiveWithK6(prepared, { k6: k6?.path ?? '', env: process.env, file: archive });
    for (const { secret } of prepared.target.tenants[0]?.keys ?? [])
      expect(readFileSync(archive, 'latin1')).not.toContain(secret);

    const files = ['0:1/3', '1/3:2/3', '2/3:1'].map((segment, index) => ({
      segment,
      file: join(folder, `part-${index}.json`),
    }));
    const ended = await Promise.all(
      files.map(({ segment, file }) =>
        runK6({
          k6: k6?.path ?? '',
          args: [
            'run',
            '-q',
            '--address=',
            '--execution-segment',
            segment,
            '--execution-segment-sequence',
            '0,1/3,2/3,1',
            `--out=json=${file}`,
            archive,
          ],
          env: { ...process.env, ...prepared.secrets },
        }),
      ),
    );
    expect(ended).toEqual([[], [], []]);
    const report = await judgeFiles(
      files.map(({ file }) => file),
      { kit: 'test' },
    );
    // A request that a busy machine got no answer to is no request that went to no key or to two.
    expect(report.traffic).toMatchObject({ requests: 1625, dropped: 0 });
    expect(report.sentence).toMatch(/^5 keys at once, .* and 0 throttled.*: every key keeps the contract$/);
    expect(report.keys.map(({ sources }) => sources.length)).toEqual([1, 1, 1, 1, 1]);

    // The same on three machines whose clocks differ.
    const elsewhere = files.map(({ file }, index) => {
      const moved = `${file}.moved`;
      writeFileSync(
        moved,
        readFileSync(file, 'utf8')
          .split('\n')
          .map(movedBy((index - 1) * 2000))
          .join('\n'),
      );
      return moved;
    });
    const again = await judgeFiles(elsewhere, { kit: 'test' });
    expect([again.outcome, again.sentence]).toEqual([report.outcome, report.sentence]);
  });
});
