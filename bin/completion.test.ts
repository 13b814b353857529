import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { program } from './release/program.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];
// What a shell can offer here is two files, and our words.
const folder = mkdtempSync(join(tmpdir(), 'partnerkit-completion-'));
for (const file of ['target.yaml', 'run.json']) writeFileSync(join(folder, file), '');
const scripts = mkdtempSync(join(tmpdir(), 'partnerkit-completion-'));
for (const shell of shells)
  writeFileSync(join(scripts, shell), execFileSync(process.execPath, [program, 'completion', shell]));
// The scripts call partnerkit.
writeFileSync(join(scripts, 'partnerkit'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {
  mode: 0o755,
});
const PATH = `${scripts}:${process.env.PATH}`;
afterAll(() => {
  for (const made of [folder, scripts]) rmSync(made, { recursive: true });
});

const run = (program: string, args: readonly string[]) =>
  execFileSync(program, args, {
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, PATH, HOME: folder, TERM: 'dumb' },
  });

/** bash calls the function as readline does. */
const bash = (line: string) =>
  run('bash', [
    '--norc',
    '-c',
    `compopt() { :; }; source '${scripts}/bash'
     IFS=' ' read -ra COMP_WORDS <<<"$1"; [[ $1 == *' ' ]] && COMP_WORDS+=(''); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
     _get_comp_words_by_ref() { cur="\${COMP_WORDS[COMP_CWORD]}"; words=("\${COMP_WORDS[@]}"); cword=$COMP_CWORD; }
     __partnerkit_complete; printf '%s\\n' "\${COMPREPLY[@]}"`,
    'bash',
    line,
  ]);

const fish = (line: string) =>
  run('fish', ['--no-config', '-c', `source '${scripts}/fish'; complete -C '${line}'`]).replaceAll(/\t.*/g, '');

/** An interactive zsh in a terminal of its own, in which Tab is pressed; what it would add goes to a file. */
const zsh = (line: string) =>
  run('zsh', [
    '-f',
    '-c',
    `zmodload zsh/zpty; out='${scripts}/offered'; rm -f $out; touch $out
     zpty shell zsh -f -i
     zpty -w shell "cd '${folder}'; autoload -Uz compinit; compinit -u -d '${scripts}/dump'; source '${scripts}/zsh'
       compadd() { local -a hits; builtin compadd -A hits \\"\\$@\\"; print -rl -- \\$hits >> '${scripts}/offered'; (( \\$#hits )) }
       finished() { print DO''NE }; zle -N finished; bindkey '^X' finished; print RE''ADY"
     zpty -r shell seen '*READY*'
     zpty -w -n shell "$1"$'\\t\\x18'
     zpty -r shell seen '*DONE*'
     zpty -d shell; sort -u $out`,
    'zsh',
    line,
  ]);

const offer: Readonly<Record<Shell, (line: string) => string>> = { bash, zsh, fish };

/** Only where it is installed; in CI it has to be. */
const installed = (shell: Shell) => spawnSync(shell, ['--version']).status === 0;
const tried = shells.filter((shell) => installed(shell) || process.env.CI !== undefined);
if (tried.length < shells.length) {
  console.warn(
    `COMPLETION IS NOT TRIED IN ${shells.filter((shell) => !tried.includes(shell)).join(', ')}: not installed`,
  );
}

describe.each(tried)('%s', (shell) => {
  const offered = (line: string) => offer[shell](line).split('\n').filter(Boolean).sort();

  it.each([
    ['partnerkit co', ['compare', 'completion', 'conformance']],
    ['partnerkit conformance r', ['reproduce', 'run']],
    ['partnerkit mock --rate', ['--rate']],
    ['partnerkit conformance run --read-only --targ', ['--target']],
    ['partnerkit load run burst --rep', ['--report']],
    ['partnerkit completion ', ['bash', 'fish', 'powershell', 'zsh']],
    ['partnerkit conformance run --target ', ['run.json', 'target.yaml']],
    ['partnerkit conformance compare r', ['run.json']],
    ['partnerkit export ', ['bruno', 'http', 'postman']],
  ])('%j', (line, expected) => {
    expect(offered(line).filter((word) => !word.startsWith('--') || line.includes('--'))).toEqual(expected);
  });
});

it('bash is here', () => expect(tried).toContain('bash'));
