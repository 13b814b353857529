import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { pack } from './package-check/pack.ts';
import { gitlabPipeline, jenkinsPipeline, type Pipeline } from './play-action/pipelines.ts';
import { runAction } from './play-action/run-action.ts';

/**
 * Simulates CI servers with the packed package: GitHub's runner with the steps of action.yml, against a deployment that keeps the
 * contract, one that does not, and none; GitLab and Jenkins with the shell lines of their examples. Exits with 1 if a job gets
 * another result than expected.
 */

const root = resolve(import.meta.dirname, '../..');
const tarball = await pack(root);
const workspace = mkdtempSync(join(tmpdir(), 'partnerkit-workspace-'));
// Running the steps blocks this thread, so the mock needs a thread of its own.
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
const secret = 'acmefull-fake-secret-0000000000000001';
const play = (target: string, text: string, report = 'out') => {
  writeFileSync(join(workspace, 'targets', target), text);
  const { outputs, ...played } = runAction(root, workspace, {
    target: `targets/${target}`,
    report,
    version: tarball,
    args: '--only auth/revoked-key-is-403,upload/target-url --allow-not-run',
  });
  const { artifact = '', ...judged } = outputs;
  assert.deepEqual(
    played.uploads.map(({ name, mayFail }) => [name, mayFail]),
    [[artifact, true]],
  );
  assert.match(artifact, /^[\w.-]+$/);
  return { outputs: judged, artifact, folder: played.uploads[0]?.path ?? '', ...played };
};

try {
  const good = play('good.yaml', packaged);
  assert.deepEqual(good.outputs, { verdict: 'conformant', 'exit-code': '0' }, good.log);
  assert.ok(good.succeeded);
  assert.match(good.summary, /conformant/);
  assert.doesNotMatch(good.log, /::error/);
  const names = ['conformance.html', 'junit.xml', 'conformance.json', 'summary.md'];
  for (const folder of [join(workspace, 'out'), good.folder])
    for (const name of names) assert.ok(existsSync(join(folder, name)), `${name} is missing in ${folder}`);

  // A key that works, although the target file says that it is revoked. In a folder whose name is a pattern, hidden, and none that an artifact may have.
  const odd = join(workspace, '.reports/a b, [1]*: "x"');
  const bad = play('bad.yaml', packaged.replace('acmerevk-fake-secret-0000000000000003', secret), odd);
  assert.deepEqual(bad.outputs, { verdict: 'non-conformant', 'exit-code': '1' }, bad.log);
  assert.equal(bad.succeeded, false);
  assert.match(bad.log, /^::error title=auth\/revoked-key-is-403::auth\/revoked-key-is-403: /m);

  assert.deepEqual(readdirSync(bad.folder).sort(), readdirSync(good.folder).sort());
  assert.notEqual(bad.artifact, good.artifact);

  // By default it installs the version that it is itself.
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(workspace, 'npx'), '#!/bin/sh\necho "installs $3"\n', { mode: 0o755 });
  const PATH = `${workspace}:${process.env.PATH}`;
  assert.match(
    runAction(root, workspace, { target: 'x' }, { PATH }).log,
    new RegExp(`^installs partnerkit@${version}$`, 'm'),
  );

  // The reports of an earlier run are still there. They must not be taken for reports of this run.
  const none = play('none.yaml', 'baseUrl: ftp://example.com\n');
  assert.deepEqual(none.outputs, { verdict: 'not-run', 'exit-code': '2' }, none.log);
  assert.equal(none.succeeded, false);
  assert.match(none.summary, /was not judged/);
  assert.equal(existsSync(join(workspace, 'out/conformance.json')), false);
  process.stdout.write('action.yml: a conformant, a non-conformant and an unusable deployment are told as they are\n');

  const wrong = packaged.replace('acmerevk-fake-secret-0000000000000003', secret);
  for (const [name, pipeline] of [
    ['GitLab', gitlabPipeline(join(root, 'conformance/ci/gitlab-ci.yml'))],
    ['Jenkins', jenkinsPipeline(join(root, 'conformance/ci/Jenkinsfile'))],
  ] as const) {
    assert.equal(await playPipeline(pipeline, packaged), 0, `${name}: a conformant deployment`);
    assert.equal(await playPipeline(pipeline, wrong), 1, `${name}: a non-conformant deployment`);
    process.stdout.write(`${name}: its script passes and fails as it should, and leaves what it keeps\n`);
  }
} finally {
  await mock.terminate();
  rmSync(workspace, { recursive: true });
  rmSync(dirname(tarball), { recursive: true });
}

/** Runs shell lines in a project with partnerkit and a target file. @returns the exit code of the last line */
async function playPipeline({ scripts, secrets, results }: Pipeline, target: string): Promise<number | null> {
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-pipeline-'));
  try {
    // As for a real deployment, the secret comes from a variable of the job.
    const names = secrets.length > 0 ? secrets : ['ACME_KEY'];
    const [name = ''] = names;
    writeFileSync(join(folder, 'target.yaml'), target.replace(`secret: ${secret}`, `secret: "\${${name}}"`));
    // As README says how to get it.
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const got = spawnSync('npm', ['install', '--save-dev', tarball], { cwd: folder, encoding: 'utf8' });
    assert.equal(got.status, 0, got.stderr);
    let code: number | null = null;
    for (const script of scripts) {
      assert.match(script, /^(?:npx --yes partnerkit conformance run .*|npm ci)$/s);
      const few = ' --only auth/revoked-key-is-403,upload/target-url --allow-not-run';
      const line = script === 'npm ci' ? script : script + few;
      const env = { ...process.env, CI: 'true', [name]: secret };
      const ran = spawnSync('sh', ['-ec', line], { cwd: folder, env, encoding: 'utf8' });
      code = ran.status;
      if (code !== 0 && code !== 1) throw new Error(`${line}: ${ran.stdout}${ran.stderr}`);
    }
    for (const result of results) assert.ok(existsSync(join(folder, result)), `${result} is missing`);
    return code;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
