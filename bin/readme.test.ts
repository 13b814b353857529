import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const readme = readFileSync(resolve(root, 'README.md'), 'utf8');

let mock: ReturnType<typeof spawn>;
let url = '';
beforeAll(async () => {
  mock = spawn(process.execPath, ['bin/partnerkit.ts', 'mock', '--port', '0', '--json'], { cwd: root });
  const [line] = await once(mock.stdout ?? process.stdin, 'data');
  url = JSON.parse(String(line).split('\n')[0] ?? '').url;
});
afterAll(async () => {
  mock.kill('SIGINT');
  await once(mock, 'exit');
});

/** A console block as commands with what each printed. */
function* consoleSteps(text: string): Generator<{ command: string; output: string }> {
  for (const [, block = ''] of text.matchAll(/```console\n([\s\S]*?)```/g)) {
    for (const [, command = '', output = ''] of block.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm))
      yield { command, output };
  }
}

const steps = [...consoleSteps(readme)];

/** What differs from run to run. */
const settled = (text: string) =>
  text
    .replace(/"fileKey":"[0-9a-f-]{36}"/g, '"fileKey":"<uuid>"')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll('\r', '')
    .replaceAll('http://127.0.0.1:4010', url);

it('prints what the README says, command by command', () => {
  const marker = '--- next ---';
  const script = steps
    .map(({ command }) => `${command.replaceAll('http://127.0.0.1:4010', url)}\necho; echo '${marker}'`)
    .join('\n');
  const printed = execFileSync('bash', ['-c', script], { encoding: 'utf8', cwd: root }).split(`${marker}\n`);
  const actual = steps.map(({ command }, i) => ({ command, output: settled(printed[i] ?? '').trim() }));
  expect(actual).toEqual(steps.map(({ command, output }) => ({ command, output: settled(output).trim() })));
  expect(steps.length).toBeGreaterThan(15);
});

it('shows the first lines that npm start prints', () => {
  const { scripts } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'));
  expect(scripts.start).toBe('node bin/partnerkit.ts mock');
  const shown =
    /```text\n([\s\S]*?)```/
      .exec(readme)?.[1]
      ?.split('\n')
      .filter((line) => /fake-secret/.test(line)) ?? [];
  expect(shown.length).toBeGreaterThan(3);
  const fixture = readFileSync(resolve(root, 'fixtures/acme.yaml'), 'utf8');
  for (const line of shown) expect(fixture).toContain(/acme\w+-fake-secret-\d+/.exec(line)?.[0]);
});
