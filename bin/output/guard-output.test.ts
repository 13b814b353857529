import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { program } from '../release/program.ts';
import { guardOutput } from './guard-output.ts';

const root = resolve(import.meta.dirname, '../..');

/** A stream under guard, and what comes out of it. */
function guarded() {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  guardOutput(stream as unknown as NodeJS.WriteStream, (error) => {
    throw error;
  });
  return { stream, text: () => text };
}

/** What each runner looks for; GitHub's at the beginning of a line only. */
const commands = [
  '##vso[task.setvariable variable=x]y',
  '##[error]x',
  '##[set-output name=a;]b',
  "##teamcity[testFailed name='x']",
];
const ofLines = ['::add-mask::x', '::stop-commands::x', '  ::error file=a::x', '\t::set-output name=a::b'];
const isCommand = (text: string) => /##[\w-]*\[/.test(text) || /^[^\S\n]*::/m.test(text);

it.each([
  ...commands.flatMap((command) => [[command], [`a reply said ${command}\n`], [`{"message":"${command}"}`]]),
  ...ofLines.flatMap((command) => [[command], [`first\n${command}\n`], ['first\n', command], ['  ', command.trim()]]),
  ...commands.flatMap((command) => Array.from({ length: 12 }, (_, at) => [command.slice(0, at), command.slice(at)])),
  ...ofLines.flatMap((command) => Array.from({ length: 6 }, (_, at) => [command.slice(0, at), command.slice(at)])),
])('%j, %j is no command any more, in text or in bytes', (...pieces) => {
  for (const as of [(piece: string) => piece, (piece: string) => Buffer.from(piece)]) {
    const { stream, text } = guarded();
    for (const piece of pieces) stream.write(as(piece));
    expect(isCommand(text())).toBe(false);
    expect(text().replaceAll(' ', '')).toBe(pieces.join('').replaceAll(' ', ''));
  }
});

it.each(['a\r::add-mask::x', '\x85::add-mask::x', 'a\n\x85 ::add-mask::x', '\ufeff::add-mask::x', '\v\f::add-mask::x'])(
  '%j is no command of a runner that ends lines and knows blanks as .NET does',
  (command) => {
    for (const pieces of [[command], [...command]]) {
      const { stream, text } = guarded();
      for (const piece of pieces) stream.write(piece);
      expect(text()).not.toMatch(/(?:^|[\n\r])[\s\x85]*::/);
    }
  },
);

it.each([
  'a title \x1b]0;owned\x07, an erased line \x1b[2K\x1b[1A, a question \x1b[6n, \x9b31m and \x90q\x9c',
  'over\rwritten \r\x1b[K, a bell \x07, backspaces \b\b\b, another alphabet \x0e, concealed \x1b[8m',
])('no terminal does as %j says', (hostile) => {
  const { stream, text } = guarded();
  stream.write(hostile);
  expect(text()).not.toMatch(/[^\P{Cc}\n\t]/u);
  expect(text()).toHaveLength(hostile.length);
});

it('keeps our own colours, lines that are written over, and line ends of Windows', () => {
  const { stream, text } = guarded();
  const own = ['\r\x1b[2K3/4 \x1b[2mlabels\x1b[22m', '\r\x1b[K', '\x1b[31m\x1b[1mfail\x1b[22m\x1b[39m\r\n'];
  for (const piece of own) stream.write(piece);
  expect(text()).toBe(own.join(''));
});

it('leaves everything else as it is', () => {
  const text = '# Title\n## Part [link]\nhost: [::1]:4010, a::b, C:: d\n{"a":"::x"}\nhé ✓\n';
  const { stream, text: got } = guarded();
  for (const byte of Buffer.from(text)) stream.write(Uint8Array.of(byte));
  expect(got()).toBe(text);
});

it.each(['rules', 'conformance run --help', 'load run --list', 'completion bash'])(
  '%s | head ends without a word',
  (command) => {
    const line = `"${process.execPath}" "${program}" ${command} | head -n 1`;
    const { status, stderr, stdout } = spawnSync('bash', ['-o', 'pipefail', '-c', line], {
      cwd: root,
      encoding: 'utf8',
    });
    expect([stderr, status]).toEqual(['', 0]);
    expect(stdout.trim().split('\n')).toHaveLength(1);
  },
);

it.runIf(existsSync('/dev/full')).each(['rules', '--help'])('%s to a full disk ends with 3 and one line', (command) => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [program, command], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  expect([status, stderr]).toEqual([3, 'partnerkit: output was lost: ENOSPC: no space left on device, write\n']);
});

it.each([
  ['node', '20.20.2', /^partnerkit: needs Node (?<least>.*) or newer; this is Node 20\.20\.2\n$/],
  ['bun', '1.4.5', /^partnerkit: needs Node; this is Bun 1\.4\.5\. Run it with `npx partnerkit`.*\n$/],
])('says in one line that %s %s cannot run it, before anything is parsed', (runtime, version, words) => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entry = join(root, 'bin/partnerkit.ts');
  expect(readFileSync(entry, 'utf8')).not.toMatch(/^import /m);
  // Any Node can play an old one or Bun: what is older only knows less syntax.
  const play = `Object.defineProperty(process.versions, '${runtime}', { value: '${version}' }); await import(${JSON.stringify(entry)});`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', play], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, expect.stringMatching(words)]);
  const { least = engines.node.slice(2) } = words.exec(stderr)?.groups ?? {};
  expect(engines.node).toBe(`>=${least}`);
});
