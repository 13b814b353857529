import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rules } from '../../spec/rules.ts';
import { run } from '../main.ts';

let printed = '';

beforeEach(() => {
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

test('lists every rule, readable at 80 columns', async () => {
  expect(await run(['rules'])).toBe(0);
  for (const { id } of rules) expect(printed).toContain(`  ${id}\n`);
  expect(Math.max(...printed.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(printed).toContain(`${rules.length} rules; `);
});

test('counts only rules that are judged from outside as able to fail a deployment', async () => {
  const judged = rules.filter(({ verification }) => verification.includes('untestable'));
  await run(['rules', ...judged.map(({ id }) => id)]);
  expect(printed).toContain(`${judged.length} rules; 0 of them can fail a deployment`);
  printed = '';
  await run(['rules', 'versioning']);
  expect(printed).toContain('2 rules; 1 of them can fail a deployment');
});

test('prints whole sentences, in lines', async () => {
  await run(['rules']);
  const text = printed.replaceAll(/\s+/g, ' ');
  for (const { rule, reason = '', behaviour = '' } of rules) {
    for (const part of [rule, reason, behaviour]) expect(text).toContain(part);
  }
});

test('--json prints the rules as they are', async () => {
  await run(['rules', '--json']);
  expect(JSON.parse(printed)).toEqual(rules);
});

test('an area leaves out the rest', async () => {
  await run(['rules', 'limiter', '--json']);
  expect(JSON.parse(printed)).toEqual(rules.filter(({ id }) => id.startsWith('limiter/')));
});

test('of one rule, also the scripts that try it', async () => {
  expect(await run(['rules', 'auth/no-key-is-403'])).toBe(0);
  expect(printed).toMatch(/ {2}A request without a key is answered with 403\./);
  expect(printed).toContain('    reads/crowds: lawful reads');
});
