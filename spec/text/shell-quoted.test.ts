import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { commandLine, shellExpanded } from './shell-quoted.ts';

const echoed = (words: string, env: Record<string, string> = {}) =>
  execFileSync('bash', ['-c', `printf '%s|' ${words}`], {
    env: { PATH: process.env.PATH ?? '', ...env },
    encoding: 'utf8',
  });

it('is read by a shell as the words that it was made of', () => {
  const words = [
    'npm',
    'test',
    '',
    'a b',
    "it's",
    '$HOME',
    '`id`',
    '"',
    '\\',
    '!!',
    '*',
    '~',
    'a\nb',
    '--env=X',
    'é;&|<>()',
  ];
  expect(echoed(commandLine(words))).toBe(words.map((word) => `${word}|`).join(''));
  expect(commandLine(['npx', 'partnerkit', '--only', 'absent-fields/x.y'])).toBe(
    'npx partnerkit --only absent-fields/x.y',
  );
});

it('expands what stands for a variable, and nothing else', () => {
  const variables = new Map([
    ['$KEY', 'KEY'],
    ['42', 'SITE'],
  ]);
  const text = '/site/42?key=$KEY&also=$KEYS&no=$HOME`id`"\\!142';
  expect(echoed(shellExpanded(text, variables), { KEY: 'secret', SITE: 'ovaid-1', HOME: '/root' })).toBe(
    '/site/ovaid-1?key=secret&also=secretS&no=$HOME`id`"\\!142|',
  );
  expect(shellExpanded("it's $HOME", variables)).toBe(`'it'\\''s $HOME'`);
});
