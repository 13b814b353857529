import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import { readYamlFile } from '../../../spec/files/read-file.ts';
import { type Attack, hostileServer, reply } from '../../../spec/proof/hostile/hostile-server.ts';
import { payloads } from '../../../spec/proof/hostile/payloads.ts';
import { peakMemory } from '../../../spec/proof/hostile/under-attack.ts';
import { saidBy } from '../../../spec/proof/processes.ts';
import { judgeFiles } from '../../judge-files.ts';
import { htmlReport } from '../../report/html-report.ts';
import type { LoadReport } from '../../report/report-schema.ts';
import { terminalReport } from '../../report/terminal-report.ts';
import { findK6 } from '../../run/find-k6.ts';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'partnerkit-raw-'));
afterAll(() => rmSync(folder, { recursive: true }));
const written = (name: string, text: string | Buffer): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

const point = (metric: string, value: unknown, tags: object, time: unknown = '2026-01-01T00:00:00.5Z') =>
  JSON.stringify({ metric, type: 'Point', data: { time, value, tags } });
const begun = (tags: object = {}) =>
  point('load_key', 1, {
    scenario_name: 'burst',
    key: 'acme/full',
    per_second: '10',
    burst: '20',
    position: '0',
    ...tags,
  });
const request = (tags: object = {}, time?: unknown, value: unknown = 12.5) =>
  point('http_req_duration', value, { status: '200', key: 'acme/full', phase: 'volley', ...tags }, time);
const ended = point('load_end', 1, { key: 'acme/full' });

/** Raw output that k6 would not write. Each is refused with the place of the mistake, or judged by its usable part. */
const raws: Readonly<Record<string, readonly string[]>> = {
  'no data': [begun(), '{"metric":"load_x","type":"Point"}'],
  'data that is null': [begun(), '{"metric":"load_end","type":"Point","data":null}'],
  'tags that are null': [begun(), '{"metric":"load_end","type":"Point","data":{"time":"x","value":1,"tags":null}}'],
  'tags that are not strings': [begun({ key: { a: 1 } }), request({ key: ['x'] })],
  'a time that is not a date': [begun(), request({}, 'yesterday')],
  'a time that is a number': [begun(), request({}, 5)],
  'a date in month 99': [begun(), request({}, '2026-99-99T99:99:99Z')],
  'times millennia apart': [begun(), request({}, '0001-01-01T00:00:00Z'), request({}, '9999-12-31T23:59:59Z'), ended],
  'a limit that is not a number': [begun({ per_second: 'NaN', burst: 'x' }), request()],
  'an infinite limit': [begun({ per_second: '1e400', burst: '1e400' }), request()],
  'a limit of zero': [begun({ per_second: '0', burst: '0' }), request()],
  'a negative limit': [begun({ per_second: '-10', burst: '-20' }), request({ status: '429' })],
  'measured values that are strings': [
    begun(),
    request({}, undefined, 'abc'),
    point('load_checked', 'x', { rule: 'labels/remove-removes' }),
  ],
  'enormous durations': [begun(), request({}, undefined, 1e308)],
  'negative durations': [begun(), request({}, undefined, -5)],
  'statuses that HTTP does not have': [begun(), request({ status: 'NaN' }), request({ status: '999999' }), ended],
  'keys with the names of object members': [
    begun({ key: '__proto__' }),
    request({ key: 'constructor' }),
    request({ key: '__proto__' }),
  ],
  'ten thousand keys': Array.from({ length: 10_000 }, (_, i) => begun({ key: `k${i}` })),
  'a scenario that does not exist': [begun({ scenario_name: '\u001b[2J' })],
  'a line of 8 MB that is cut off': [begun(), `{"metric":"load_x","type":"Point","data":"${'x'.repeat(8 << 20)}`],
  'null bytes only': ['\u0000'.repeat(1000)],
};

async function judged(file: string): Promise<LoadReport | readonly string[]> {
  try {
    return await judgeFiles([file], { kit: '1.0.0' });
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}

const isReport = (found: LoadReport | readonly string[]): found is LoadReport => 'outcome' in found;

it.each(Object.entries(raws))('load judge of raw output with %s', async (_, lines) => {
  const memory = peakMemory();
  const found = await judged(written('raw.json', lines.join('\n')));
  if (isReport(found)) {
    expect(found.outcome).not.toBe('keeps');
    expect(terminalReport(found) + htmlReport(found)).not.toMatch(/\bNaN\b|\bInfinity\b|\bundefined\b/);
  } else expect(found.join('\n')).toContain('raw.json');
  expect(memory.end()).toBeLessThan(300);
  expect('polluted' in {}).toBe(false);
});

it('load judge of a gzip bomb holds only one line in memory', async () => {
  const memory = peakMemory();
  const bomb = Buffer.concat(Array(100).fill(gzipSync(Buffer.alloc(1 << 20, 0x78))));
  expect(await judged(written('raw.json.gz', bomb))).toEqual([expect.stringContaining('is no log of requests')]);
  expect(memory.end()).toBeLessThan(128);
});

it('shows text of raw output neither as markup nor as a terminal command', async () => {
  for (const text of payloads) {
    const lines = [
      begun({ key: text }),
      request({ key: text, status: '429' }),
      point('load_malformed_429', 1, { key: text, rule: 'limiter/429-has-retry-after', seen: text }),
      point('load_undecided', 1, { seen: text }),
      point('load_stopped', 1, { code: text, text }),
    ];
    const found = await judged(written('raw.json', lines.join('\n')));
    if (!isReport(found)) throw new Error(found.join('\n'));
    expect(terminalReport(found)).not.toMatch(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]|^\s*::|##\[/mu);
    const page = htmlReport(found);
    // Its own one, which copies.
    expect(page.match(/<script/gi)).toHaveLength(1);
    expect(page).not.toMatch(/<(img|iframe|meta http-equiv="?refresh|base|link|svg onload|failure|textarea)\b/i);
  }
});

const k6 = await findK6().catch(() => undefined);
describe.skipIf(k6 === undefined && !process.env.PARTNERKIT_REQUIRE_K6)('load run', () => {
  async function run(scenario: string, attack: Attack) {
    await using elsewhere = await hostileServer((socket) => void socket.write(reply(200, '{}')));
    await using server = await hostileServer((socket, received) => attack(socket, received, { url: elsewhere.url }));
    const described = readYamlFile(join(root, 'fixtures/mock.target.yaml')) as object;
    const target = written('target.json', JSON.stringify({ ...described, baseUrl: server.url }));
    const words = ['load', 'run', scenario, '--target', target, '--duration', '1s', '--allow-leftovers'];
    const child = spawn(process.execPath, ['bin/partnerkit.ts', ...words], { cwd: root });
    const { code, said } = await saidBy(child);
    return { code, said, elsewhere: elsewhere.received.map(({ head }) => head), sent: server.received.length };
  }

  it('does not follow a redirect with the key', async () => {
    const attack: Attack = (socket, { path }, { url }) =>
      void socket.write(reply(307, '{}', `location: ${url}${path}`));
    const { code, said, elsewhere } = await run('burst', attack);
    expect(elsewhere).toEqual([]);
    expect(code).toBe(3);
    expect(said).toContain('answered 307');
  });

  it('sends bytes to an upload URL without the key, and none to a metadata service', async () => {
    let starts = 0;
    const attack: Attack = (socket, _, { url }) => {
      const uploadUrl = starts++ % 2 === 0 ? 'http://169.254.169.254/latest' : `${url}/put`;
      socket.write(reply(201, JSON.stringify({ fileKey: `key-${starts}`, uploadUrl })));
    };
    const { code, elsewhere } = await run('upload', attack);
    expect(elsewhere.length).toBeGreaterThan(0);
    expect(elsewhere.join('\n')).not.toMatch(/x-api-key|fake-secret/i);
    expect(code).toBeGreaterThan(0);
  });
});
