import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { expect, it } from 'vitest';
import { carriesProgram, platformOf } from './platform-of.ts';

/** The beginning of a file. */
function head(file: string): Buffer {
  const [bytes, open] = [Buffer.alloc(4096), openSync(file, 'r')];
  readSync(open, bytes);
  closeSync(open);
  return bytes;
}

it('knows the Node that runs this', () => {
  expect(platformOf(head(process.execPath))).toBe(`${process.platform}-${process.arch}`);
  expect(carriesProgram(readFileSync(process.execPath))).toBe(false);
});

it.each([
  ['linux-arm64', '7f454c46020101000000000000000000 0200b700'],
  ['darwin-arm64', 'cffaedfe0c000001'],
  ['win32-x64', `4d5a${'00'.repeat(58)}40000000 504500006486`],
  ['a script (of none)', '23212f62696e2f73680a'],
  ['an executable for DOS (of none)', `4d5a${'00'.repeat(58)}40000000 4e450000`],
])('tells the platform of %s by its first bytes', (name, hex) => {
  const file = Buffer.concat([Buffer.from(hex.replaceAll(' ', ''), 'hex'), Buffer.alloc(64)]);
  expect(platformOf(file)).toBe(name.includes('(of none)') ? undefined : name);
});
