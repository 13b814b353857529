import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { loadTarget } from './target.ts';

const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

const said = (key: string): string => {
  const file = join(folder, 'target.yaml');
  writeFileSync(file, `baseUrl: http://127.0.0.1\ntenants:\n  - name: a\n    keys:\n      - { name: k, ${key} }\n`);
  try {
    loadTarget(file, {});
  } catch (error) {
    return String(error instanceof Error && error.message);
  }
  return 'nothing';
};

it('does not repeat a bare secret that begins with an asterisk, although YAML takes it for an alias', () => {
  expect(said('secret: *wH4tN0body0ught2Know')).toMatch(
    /an alias \(\*\) has no anchor .* in quotes, and write other values out$/,
  );
});

it('shortens a secret on the wrong side of the colon to the characters that the portal shows', () => {
  expect(said('wH4tN0body0ught2Know: secret')).toMatch(/keys\[0\]\.wH4tN0bo…: unknown property/);
});

it('names a misspelt property in full', () => {
  expect(said('rateLimitation: 1')).toContain('keys[0].rateLimitation: unknown property');
});
