import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { pack } from './package-check/pack.ts';
import { runAction } from './play-action/run-action.ts';

/**
 * Plays GitHub's runner: the steps of action.yml, with the packed package, against a deployment that keeps the contract, one
 * that does not, and none. Exits with 1 where the action does not tell its job so.
 */

const root = resolve(import.meta.dirname, '..');
const tarball = await pack(root);
const workspace = mkdtempSync(join(tmpdir(), 'partnerkit-workspace-'));
// The steps are waited for, so that the mock needs a thread of its own.
const mock = new Worker(
  `import('${join(root, 'mock/index.ts')}').then(async ({ createMock }) => {
    const { url } = await (await createMock()).listen({ port: 0 });
    require('node:worker_threads').parentPort.postMessage(url);
  });`,
  { eval: true },
);
const [url] = await once(mock, 'message');
const packaged = readFileSync(join(root, 'fixtures/mock.target.yaml'), 'utf8').replace('http://127.0.0.1:4010', url);
mkdirSync(join(workspace, 'targets'));
const play = (target: string, text: string) => {
  writeFileSync(join(workspace, 'targets', target), text);
  return runAction(root, workspace, {
    target: `targets/${target}`,
    report: 'out',
    version: tarball,
    args: '--only auth/revoked-key,auth/valid-key --allow-not-run',
  });
};

try {
  const good = play('good.yaml', packaged);
  assert.deepEqual(good.outputs, { verdict: 'conformant', 'exit-code': '0' }, good.log);
  assert.ok(good.succeeded);
  assert.match(good.summary, /conformant/);
  assert.doesNotMatch(good.log, /::error/);
  for (const name of ['conformance.html', 'junit.xml', 'conformance.json', 'summary.md']) {
    assert.ok(existsSync(join(workspace, 'out', name)), `${name} is missing`);
  }

  // A key that is said to be revoked, and works.
  const bad = play(
    'bad.yaml',
    packaged.replace('acmerevk-fake-secret-0000000000000003', 'acmefull-fake-secret-0000000000000001'),
  );
  assert.deepEqual(bad.outputs, { verdict: 'non-conformant', 'exit-code': '1' }, bad.log);
  assert.equal(bad.succeeded, false);
  assert.match(bad.log, /^::error title=auth\/revoked-key\/.*::auth\/revoked-key-is-403: /m);

  rmSync(join(workspace, 'out'), { recursive: true });
  const none = play('none.yaml', 'baseUrl: ftp://example.com\n');
  assert.deepEqual(none.outputs, { verdict: '', 'exit-code': '2' }, none.log);
  assert.equal(none.succeeded, false);
  process.stdout.write('action.yml: a conformant, a non-conformant and an unusable deployment are told as they are\n');
} finally {
  await mock.terminate();
  rmSync(workspace, { recursive: true });
  rmSync(dirname(tarball), { recursive: true });
}
