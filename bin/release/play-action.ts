import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { started, temporaryFolder } from '../../spec/proof/processes.ts';
import { pack, root } from './programs.ts';

/**
 * `npm run check:action` plays the shell steps of action.yml as GitHub's runner does, and the commands of the examples for GitLab and Jenkins,
 * with the packed package: against a deployment that keeps the contract, one that does not, and none.
 */

const text = (file: string) => readFileSync(join(root, file), 'utf8');
const action = parse(text('action.yml'));
using tarball = await pack();
using folder = temporaryFolder('workspace');
const workspace = folder.path;
const [target, summary, output] = [`${workspace}/target.yaml`, `${workspace}/summary`, `${workspace}/output`];
const few = '--only auth/revoked-key-is-403,upload/target-url --allow-not-run';

function sh(script: string, more: NodeJS.ProcessEnv = {}) {
  const files = { GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output, GITHUB_ACTION_PATH: root };
  const env = { ...process.env, CI: 'true', RUNNER_TEMP: workspace, ...files, ...more };
  const options = { cwd: workspace, encoding: 'utf8', env } as const;
  const { status, stdout, stderr } = spawnSync('bash', ['-eo', 'pipefail', '-c', script], options);
  return { status, log: stdout + stderr };
}

/** Runs the steps in shell; those of other actions are left out. */
function play() {
  const given: Record<string, string> = { target: 'target.yaml', version: tarball.path, args: few };
  // What the expressions of action.yml stand for: `inputs.x` and `steps.x.outputs.y`.
  const values: Record<string, string> = {};
  const evaluate = (template: string) => template.replaceAll(/\$\{\{ (\S+) \}\}/g, (_, name) => values[name] ?? '');
  for (const name of Object.keys(action.inputs)) values[`inputs.${name}`] = given[name] ?? action.inputs[name].default;
  writeFileSync(summary, '');
  let [succeeded, log] = [true, ''];
  for (const step of action.runs.steps) {
    if (step.run === undefined || !(succeeded || step.if === 'always()')) continue;
    writeFileSync(output, '');
    const env = Object.entries<string>(step.env).map(([name, value]) => [name, evaluate(value)]);
    const ran = sh(step.run, Object.fromEntries(env));
    log += ran.log;
    succeeded &&= ran.status === 0;
    for (const [, name, value = ''] of readFileSync(output, 'utf8').matchAll(/^([\w-]+)=(.*)$/gm))
      values[`steps.${step.id}.outputs.${name}`] = value;
  }
  const annotated = /^::error title=auth\/revoked-key-is-403::/m.test(log);
  const verdict = evaluate(action.outputs.verdict.value);
  return { succeeded, log, verdict, annotated, summary: readFileSync(summary, 'utf8') };
}

using mock = await started([process.execPath, join(root, 'bin/partnerkit.ts'), 'mock', '--port', '0', '--quiet']);
const good = await (await fetch(`${mock.line}/_mock/target`)).text();
// A key that works, although the target file says that it is revoked.
const bad = good.replace('acmerevk-fake-secret-0000000000000003', 'acmefull-fake-secret-0000000000000001');
assert.equal(sh(`npm install --save-dev ${tarball.path}`).status, 0);
const gitlab: string = parse(text('conformance/ci/gitlab-ci.yml')).conformance.script[0];
const jenkins = /sh '(npx .*)'/.exec(text('conformance/ci/Jenkinsfile'))?.[1];
for (const [deployment, code, verdict] of [
  [good, 0, 'conformant'],
  [bad, 1, 'non-conformant'],
  ['baseUrl: ftp://example.com\n', 2, 'not-run'],
] as const) {
  writeFileSync(target, deployment);
  const { log, summary, ...played } = play();
  assert.deepEqual(played, { succeeded: code === 0, verdict, annotated: code === 1 }, log);
  assert.match(summary, code === 2 ? /was not judged/ : /conformant/);
  for (const command of [gitlab, jenkins]) assert.equal(sh(`${command} ${few}`).status, code, command);
}
process.stdout.write('action.yml and the examples for GitLab and Jenkins judge as they should\n');
