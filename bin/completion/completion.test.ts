import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { createProgram } from '../create-program.ts';
import { completionScript } from './completion-script.ts';
import { wordsOf } from './words-of.ts';

const words = wordsOf(createProgram());

/** What bash offers for a line whose last word is being typed. */
function offered(...line: readonly string[]): string[] {
  const script = `${completionScript('bash', words)}
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _partnerkit; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script, 'bash', ...line], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
}

it('offers commands, then subcommands, then options, also after options', () => {
  expect(offered('partnerkit', 'co')).toEqual(['conformance', 'completion']);
  expect(offered('partnerkit', 'conformance', 'r')).toEqual(['run', 'replay']);
  expect(offered('partnerkit', 'mock', '--rate')).toEqual(['--rate']);
  expect(offered('partnerkit', 'conformance', 'run', '--read-only', '--targ')).toEqual(['--target']);
  expect(offered('partnerkit', 'load', 'run', 'burst', '--rep')).toEqual(['--report']);
});

it('has every command in every shell', () => {
  for (const shell of ['zsh', 'fish'] as const) {
    const script = completionScript(shell, words);
    for (const path of words.keys()) for (const word of path.split(' ')) expect(script).toContain(word);
    expect(script).toContain('--write-profile');
  }
});
