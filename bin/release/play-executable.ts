import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { started as startProgram, temporaryFolder } from '../../spec/proof/processes.ts';
import { buildExecutables } from './executable/build.ts';

/** Builds the executable for this machine and tries it without Node and npm: the PATH is empty. */

const [program = ''] = await buildExecutables([`${process.platform}-${process.arch}`]);
using folder = temporaryFolder('no-node');
const home = folder.path;
const env = { HOME: home, PATH: join(home, 'nowhere'), TMPDIR: home };
const cache = join(home, '.cache/partnerkit');
const started = (args: readonly string[], more = {}) =>
  spawnSync(program, args, { env: { ...env, ...more }, encoding: 'utf8', cwd: home });
const startMs = () => {
  const from = performance.now();
  assert.match(started(['--version']).stdout, /^\d/);
  return Math.round(performance.now() - from);
};

using mock = await startProgram([program, 'mock', '--port', '0', '--quiet'], { env, cwd: home });
const url = mock.line;
const headers = { 'x-api-key': 'acmefull-fake-secret-0000000000000001' };
assert.equal((await fetch(`${url}/v1/labels`, { headers })).status, 200);
// Files that are read at run time are there: the console page, schemas and rules.
assert.match(await (await fetch(`${url}/_mock`, { headers: { accept: 'text/html' } })).text(), /<script /);
const target = join(home, 'target.yaml');
writeFileSync(target, await (await fetch(`${url}/_mock/target`)).text());
const judged = started(['conformance', 'run', '--target', target, '--only', 'labels/listing-gives-public-labels']);
assert.match(judged.stdout, /conformant, in the part that was judged: 1 of 1/, judged.stderr);
// Its own copy is in a cache of this user, so the schema is put where everybody has it who has the file.
started(['init', join(home, 'new.yaml'), '--template']);
assert.match(readFileSync(join(home, 'new.yaml'), 'utf8'), /^# yaml-language-server: \$schema=target\.schema\.json\n/);
assert.ok(statSync(join(home, 'target.schema.json')).size > 0);
const exported = started(['export', 'http', '--mock', url]);
assert.ok(exported.stdout.includes(`@baseUrl = ${url}`), exported.stderr);
assert.equal(started(['doctor']).stdout.match(/k6 was not found/g)?.length, 1);
mock.child.kill('SIGTERM');
assert.deepEqual(await once(mock.child, 'exit'), [0, null], 'it ends by itself');

// It is unpacked once, into a folder that no other user can change.
assert.equal(readdirSync(cache).length, 1);
assert.equal(statSync(cache).mode & 0o777, 0o700);
rmSync(cache, { recursive: true });
const [cold, warm] = [startMs(), startMs()];
process.stdout.write(`executable: ${statSync(program).size} bytes, starts in ${cold} ms, from then on in ${warm} ms\n`);
// If other users can write to the folder, it is not used: a new folder is used for this start and removed afterwards.
chmodSync(cache, 0o777);
const temporary = join(home, 'tmp');
mkdirSync(temporary);
assert.match(started(['--version'], { TMPDIR: temporary }).stdout, /^\d/);
// The compile cache of Node is separate.
assert.deepEqual(
  readdirSync(temporary).filter((name) => name.startsWith('partnerkit-')),
  [],
);
