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
import { peakMemory } from '../../../spec/proof/hostile/under-attack.ts';
import { readReport } from '../../reports/report-schema.ts';
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
  'one long text, repeated by 99 aliases': `a: &a ${'x'.repeat(100_000)}\nb: [${Array(99).fill('*a').join(', ')}]`,
  'an anchor merged a thousand times': `a: &a {x: 1}\n${Array.from({ length: 1000 }, (_, i) => `k${i}: {<<: *a}`).join('\n')}`,
  'an alias inside its own anchor': 'a: &a [*a]',
  '100,000 opening brackets that are never closed': '['.repeat(100_000),
  'brackets nested 10,000 deep': `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  'JSON nested 10,000 deep': `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  'keys nested 2,000 deep by indentation': Array.from({ length: 2_000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
  '20,000 stray closing braces': '}\n'.repeat(20_000),
  '__proto__ and constructor as keys': '__proto__: {polluted: 1}\nconstructor: {prototype: {polluted: 1}}',
  'YAML tags for custom types': 'a: !!js/function "process.exit()"\nb: !!binary aGVsbG8=\n? !!set {c}\n: 1',
  'NaN, Infinity and numbers out of range': `a: .nan\nb: .inf\nc: 1e400\nd: 0x${'f'.repeat(10_000)}`,
  'escaped control characters': 'a: "\\x00\\x1b[2J\\u009b"\n"\\x1b[31mkey": 1',
  '20,000 keys': Array.from({ length: 20_000 }, (_, i) => `k${i}: 1`).join('\n'),
  'two documents': 'a: 1\n---\nb: 2',
  'control bytes instead of text': '\u0000\u0001\u0002',
  'what is left of invalid UTF-8': '\ufffd'.repeat(1000),
  '33 MB of spaces': ' '.repeat(33 << 20),
};

describe.each(Object.entries({ loadTarget, loadWaivers, loadProfile, readReport }))('%s', (_, load) => {
  it.each(Object.entries(bombs))('refuses %s: in words, in time, in memory', (name, text) => {
    const file = written('bomb.yaml', text);
    const memory = peakMemory();
    const before = process.cpuUsage();
    let problems: readonly string[] = [];
    try {
      load(file);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      problems = error.problems;
    }
    expect(problems.length, name).toBeGreaterThan(0);
    expect(problems.length).toBeLessThan(250);
    expect(process.cpuUsage(before).user).toBeLessThan(15e6);
    expect(memory.end()).toBeLessThan(400);
    expect('polluted' in {}).toBe(false);
  });
});

describe('conformance compare', async () => {
  const sample = await sampleReport();
  const before = written('before.json', JSON.stringify(sample));
  const compare = (after: string) => {
    const words = ['bin/partnerkit.ts', 'conformance', 'compare', before, after];
    return spawnSync(process.execPath, words, {
      cwd: join(import.meta.dirname, '../../..'),
      encoding: 'utf8',
      timeout: 300_000,
      maxBuffer: 64 << 20,
    });
  };

  it('prints nothing of a report that a terminal or a CI runner would obey', () => {
    const rows = payloads.flatMap((text) =>
      sample.rows.map((row) => ({ ...row, id: `${row.id} ${text}`, outcome: 'fail' as const, message: text })),
    );
    const { stdout, stderr, status } = compare(written('after.json', JSON.stringify({ ...sample, rows })));
    expect([status, stderr]).toEqual([1, '']);
    expect(stdout).toContain('payload');
    expect(stdout).not.toMatch(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]|^\s*::|##\[|^conformant/mu);
  });

  it.each([
    ['rows that are an object, not a list', JSON.stringify({ ...sample, rows: {} })],
    [
      'an unknown outcome with a terminal command in it',
      JSON.stringify({ ...sample, rows: [{ ...sample.rows[0], outcome: '\u001b[2J' }] }),
    ],
    [
      'a number that JSON.parse reads as Infinity',
      JSON.stringify(sample).replace(/"durationMilliseconds":[\d.]+/, '"durationMilliseconds":1e400'),
    ],
    ['a property __proto__', JSON.stringify(sample).replace('{', '{"__proto__":{"polluted":1},')],
    [
      'a profile with arrays nested 10,000 deep',
      JSON.stringify({ ...sample, profile: {} }).replace(
        '"profile":{}',
        `"profile":{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
      ),
    ],
  ])('refuses or reads, and never breaks: %s', (_, text) => {
    const { stderr, status } = compare(written('odd.json', text));
    expect([0, 1, 2, 3]).toContain(status);
    expect(stderr).not.toMatch(/[^\P{Cc}\n\t]|\n\s+at /u);
  });
});
