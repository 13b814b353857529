import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createServedMock } from '../../mock/adapters/create-served-mock.ts';
import { acme } from '../../mock/proof/acme.ts';
import { program } from '../release/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'partnerkit-init-'));
const mock = await createServedMock();
let url = '';
beforeAll(async () => {
  url = (await mock.listen({ port: 0 })).url;
  writeFileSync(join(folder, 'target.yaml'), '# somebody wrote this\n');
});
afterAll(async () => {
  await mock.close();
  rmSync(folder, { recursive: true });
});

async function answered(...answers: readonly string[]) {
  const child = spawn(process.execPath, [program, 'init'], {
    cwd: folder,
    env: { ...process.env, ACME_KEY: acme.full },
  });
  child.stdin.end(answers.map((line) => `${line}\n`).join(''));
  const [out, asked, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { out, asked, code };
}

it('asks until an answer is valid, and writes what the deployment says, without a secret', async () => {
  const answers = ['localhost', url, acme.full, 'NO_SUCH_KEY', 'ACME_KEY', acme.open, '', '', '', 'asked.yaml'];
  const { out, asked, code } = await answered(...answers);
  expect(code).toBe(0);
  expect(asked).toMatch(/Give an address that starts with https/);
  expect(asked).toMatch(/Give the name of an environment variable, such as ACME_KEY, not the secret\./);
  expect(asked).toMatch(/NO_SUCH_KEY is not set;/);
  // Enter would have written over a file.
  expect(asked).toMatch(/target\.yaml exists already/);
  expect(out).toMatch(/^asked\.yaml was written\./);
  const written = readFileSync(join(folder, 'asked.yaml'), 'utf8');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the target file's own notation
  expect(written).toContain('secret: ${ACME_KEY}');
  expect(written).toContain(acme.open);
  expect(asked + written).not.toContain(acme.full);
  expect(readFileSync(join(folder, 'target.yaml'), 'utf8')).toBe('# somebody wrote this\n');
});

it('writes nothing and says so when the input ends before the last question', async () => {
  const { asked, code } = await answered(url);
  expect(code).toBe(2);
  expect(asked).toMatch(
    /the input ended before all questions were answered; scripts can use its options, see init --help\n$/,
  );
});
