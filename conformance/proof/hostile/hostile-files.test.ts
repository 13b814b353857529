import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import { loadProfile } from '../../../spec/files/profile.ts';
import { loadTarget } from '../../../spec/files/target.ts';
import { loadWaivers } from '../../../spec/files/waivers.ts';
import { payloads } from '../../../spec/proof/hostile/payloads.ts';
import { peakMemory } from '../../../spec/proof/hostile/peak-memory.ts';
import { tally } from '../../../spec/proof/tally/tally.ts';
import { readReport } from '../../reports/earlier/read-report.ts';
import { sampleReport } from '../sample-report.ts';

const folder = mkdtempSync(join(tmpdir(), 'partnerkit-files-'));
afterAll(() => rmSync(folder, { recursive: true }));
const written = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

const list = (names: string, item: (before: string) => string) =>
  [...names].map((name, position) => `${name}: &${name} [${item([...names][position - 1] ?? '')}]`).join('\n');

/** Small YAML with a huge meaning, or malformed YAML. `loads`: whether the YAML library accepts it. */
const bombs: Readonly<Record<string, string>> = {
  'billion laughs': list('abcdefghi', (before) =>
    Array(9)
      .fill(before === '' ? 'lol' : `*${before}`)
      .join(', '),
  ),
  'one long text a hundred times': `a: &a ${'x'.repeat(100_000)}\nb: [${Array(99).fill('*a').join(', ')}]`,
  'merged a thousand times': `a: &a {x: 1}\n${Array.from({ length: 1000 }, (_, i) => `k${i}: {<<: *a}`).join('\n')}`,
  'an alias within itself': 'a: &a [*a]',
  'brackets without an end': '['.repeat(100_000),
  'brackets closed': `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  'JSON of 10,000 levels': `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  'indented without an end': Array.from({ length: 2_000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
  'nothing but mistakes': '}\n'.repeat(20_000),
  'keys of prototypes': '__proto__: {polluted: 1}\nconstructor: {prototype: {polluted: 1}}',
  'types of its own': 'a: !!js/function "process.exit()"\nb: !!binary aGVsbG8=\n? !!set {c}\n: 1',
  'numbers that are none': `a: .nan\nb: .inf\nc: 1e400\nd: 0x${'f'.repeat(10_000)}`,
  'control characters': 'a: "\\x00\\x1b[2J\\u009b"\n"\\x1b[31mkey": 1',
  'keys beyond number': Array.from({ length: 20_000 }, (_, i) => `k${i}: 1`).join('\n'),
  'two documents': 'a: 1\n---\nb: 2',
  'no text': '\u0000\u0001\u0002',
  'half of UTF-8': '\ufffd'.repeat(1000),
  'larger than any': ' '.repeat(33 << 20),
};

describe.each(Object.entries({ loadTarget, loadWaivers, loadProfile, readReport }))('%s', (_, load) => {
  it.each(Object.entries(bombs))('refuses %s: in words, in time, in memory', (name, text) => {
    const file = written('bomb.yaml', text);
    const memory = peakMemory();
    const before = performance.now();
    let problems: readonly string[] = [];
    try {
      load(file);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      problems = error.problems;
    }
    tally({ inputs: 1 });
    expect(problems.length, name).toBeGreaterThan(0);
    expect(problems.length).toBeLessThan(250);
    expect(performance.now() - before).toBeLessThan(15_000);
    expect(memory.end()).toBeLessThan(400);
    expect('polluted' in {}).toBe(false);
  });
});

describe('conformance diff', async () => {
  const sample = await sampleReport();
  const before = written('before.json', JSON.stringify(sample));
  const diff = (after: string) => {
    const words = ['bin/partnerkit.ts', 'conformance', 'diff', before, after];
    return spawnSync(process.execPath, words, {
      cwd: join(import.meta.dirname, '../../..'),
      encoding: 'utf8',
      timeout: 30_000,
      maxBuffer: 64 << 20,
    });
  };

  it('prints nothing of a report that a terminal or a CI runner would obey', () => {
    const rows = payloads.flatMap((text) =>
      sample.rows.map((row) => ({ ...row, id: `${row.id} ${text}`, outcome: 'fail' as const, message: text })),
    );
    const { stdout, stderr, status } = diff(written('after.json', JSON.stringify({ ...sample, rows })));
    expect([status, stderr]).toEqual([1, '']);
    expect(stdout).toContain('payload');
    expect(stdout).not.toMatch(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]|^\s*::|##\[|^conformant/mu);
    tally({ inputs: rows.length });
  });

  it.each([
    ['its rows are none', JSON.stringify({ ...sample, rows: {} })],
    ['an outcome of its own', JSON.stringify({ ...sample, rows: [{ ...sample.rows[0], outcome: '\u001b[2J' }] })],
    [
      'a number beyond all bounds',
      JSON.stringify(sample).replace(/"durationMilliseconds":[\d.]+/, '"durationMilliseconds":1e400'),
    ],
    ['a key of prototypes', JSON.stringify(sample).replace('{', '{"__proto__":{"polluted":1},')],
    [
      'a profile of 10,000 levels',
      JSON.stringify({ ...sample, profile: {} }).replace(
        '"profile":{}',
        `"profile":{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
      ),
    ],
  ])('refuses or reads, and never breaks: %s', (_, text) => {
    const { stderr, status } = diff(written('odd.json', text));
    tally({ inputs: 1 });
    expect([0, 1, 2]).toContain(status);
    expect(stderr).not.toMatch(/[^\P{Cc}\n\t]|\n\s+at /u);
  });
});
