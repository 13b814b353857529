import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findK6 } from '../../../load/run/find-k6.ts';
import { type Block, everyBlock, pages } from './pages.ts';
import { emptyHome, isUndecided, root, type Scene, setScene, usualUrl } from './scene.ts';

const k6 = await findK6().catch((error: Error) => {
  if (process.env.PARTNERKIT_REQUIRE_K6 === '1') throw error;
  console.warn(`\nBLOCKS THAT NEED K6 ARE LEFT OUT: ${error.message}\n`);
  return undefined;
});

/** Lines that are run with something added: a minute of load is long, and staging has no key for the limiter. */
const added: readonly (readonly [RegExp, string])[] = [
  [/^npx partnerkit load run overload /, ' --duration 10s'],
  [/^npx partnerkit load archive overload /, ' --duration 10s'],
  [/^npx partnerkit conformance run .*--write-profile /, ' --allow-not-run'],
];

/** Beginnings of lines that are not run, and why. */
const notRun = {
  'kubectl ': 'it needs a cluster: what it is given is looked at below',
  'docker ': 'it needs a container engine: npm run check:image plays the Dockerfile',
  'curl -fLo partnerkit ': 'it downloads a release: npm run check:executable plays what is released',
  'chmod +x partnerkit': 'it needs that download',
  './partnerkit ': 'it needs that download',
  'pip install ': 'it downloads: npm run check:python installs from the folder',
  'npx partnerkit mock &': 'it serves the next line',
  'npm install': 'npm run check:package packs, and installs what was packed; .ci/run begins with npm install',
  'PARTNERKIT_URL=': 'it needs a tool chain: npm run test:example runs it',
} as const;
const isNotRun = (line: string) => Object.keys(notRun).some((beginning) => line.startsWith(beginning));

let scene: Scene;
beforeAll(async () => {
  scene = await setScene();
  // What kubectl makes a Secret of.
  writeFileSync(join(scene.folder, 'keys.env'), 'ACME_KEY=fake\n');
});
afterAll(() => scene[Symbol.dispose]());

const blocks = pages.flatMap((page) => {
  const all = everyBlock(page);
  return all.flatMap((block, i) => {
    const output = all[i + 1]?.language === 'text' ? all[i + 1] : undefined;
    return block.language === 'sh' ? [{ ...block, output: output?.text }] : [];
  });
});
const needsK6 = ({ text }: Block) => /^(?:k6|npx partnerkit load (?:run|archive) \w)/m.test(text);

/** The same command on several pages is run once. */
const printed = new Map<string, Promise<string>>();

async function run(line: string): Promise<string> {
  const before = printed.get(line);
  if (before !== undefined) return before;
  const running = play(line);
  printed.set(line, running);
  // Another try must not be given the failure of this one.
  running.catch(() => printed.delete(line));
  return running;
}

async function play(line: string): Promise<string> {
  if (line === 'npm install && npm start') return startMock('npm start --', root);
  if (isNotRun(line)) return '';
  if (/^npx partnerkit mock\b/.test(line)) return startMock(line, scene.folder);
  const more = added.find(([command]) => command.test(line))?.[1] ?? '';
  const script = `set -e
    k6() { '${k6?.path}' "$@" 2>&1; }
    ${line}${more}`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], {
    cwd: scene.folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...emptyHome(join(scene.folder, 'home')), ...(k6 && { K6_PATH: k6.path }), ...archivedSecrets() },
  });
  // A run without a verdict ends with 3.
  if (status !== 0 && !isUndecided(stdout)) throw new Error(`${line} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

/** What an archive asks for of the target, whose fake secrets stand in it. */
function archivedSecrets(): Record<string, string> {
  const { tenants } = parse(readFileSync(join(scene.folder, 'target.yaml'), 'utf8'));
  const secrets: { readonly secret: string }[] = tenants[0].keys;
  return Object.fromEntries(secrets.map(({ secret }, index) => [`PARTNERKIT_SECRET_${index + 1}`, secret]));
}

/** Waits for what it says when it listens, then ends it as Ctrl-C does: all that the line has started. */
async function startMock(line: string, cwd: string): Promise<string> {
  const mock = spawn('bash', ['-c', `${line} --port 0`], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    env: emptyHome(join(scene.folder, 'home')),
  });
  let said = '';
  for await (const text of mock.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += text;
    if (/^Console: .*\n/m.test(said)) break;
  }
  mock.stdout.resume();
  process.kill(-(mock.pid ?? 0), 'SIGINT');
  await once(mock, 'exit');
  const [address = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
  return said.replaceAll(address, usualUrl);
}

describe('the shell blocks of all pages', () => {
  it('are these', () => {
    expect(blocks.map(({ name }) => name)).toEqual([
      'README.md: npm install && npm start',
      'README.md: npm install && npm pack',
      'README.md: npm install --save-dev ../partnerkit/partnerkit-0.1.0.tgz',
      'README.md: npx partnerkit load run overload --target target.yaml',
      'fidelity/README.md: npx partnerkit conformance run --target staging.yaml --history staging.jsonl --write-profile staging.profile.yaml',
      'fidelity/README.md: npx partnerkit mock --profile staging.profile.yaml --fixtures staging-fixtures',
      'fidelity/README.md: npx partnerkit fidelity staging.jsonl --profile staging.profile.yaml --at-least 99% --report html=fidelity.html,badge=fidelity.svg',
      'load/README.md: npx partnerkit load run overload --target target.yaml',
      'load/README.md: npx partnerkit load run --list',
      'load/README.md: npx partnerkit load archive overload --target target.yaml',
      'load/README.md: npx partnerkit load archive fleet --target target.yaml --max-rps 2000 --max-requests 200000 --yes',
      'mock/CONTAINER.md: docker run --rm --read-only --tmpfs /tmp -p 4010:4010 ghcr.io/partnerkit/partnerkit mock --host 0.0.0.0 --public-url http://127.0.0.1:4010',
      'mock/CONTAINER.md: curl -fLo partnerkit https://github.com/partnerkit/partnerkit/releases/latest/download/partnerkit-linux-x64',
      'mock/README.md: npx partnerkit mock',
      'mock/README.md: npx partnerkit mock --wrong auth/no-key-served-by-listLabels',
      'mock/README.md: npx partnerkit conformance run --target staging.yaml --history staging.jsonl --write-profile staging.profile.yaml',
      'mock/README.md: npx partnerkit mock --passthrough staging.yaml --fixtures mine.yaml',
      'mock/python/README.md: pip install "partnerkit-pytest @ git+https://github.com/partnerkit/partnerkit#subdirectory=mock/python"',
    ]);
  });

  // Slow, because those with load are ten seconds of it, after a bucket that has to fill up. On a busy machine such a
  // run may end without a verdict, as it should: then it is run again, and on a very busy one that is right, too.
  it.each(blocks)('$name: runs, and prints what the page shows', { retry: k6 === undefined ? 0 : 2 }, async (block) => {
    if (k6 === undefined && needsK6(block)) return;
    let said = '';
    for (const line of block.text.split('\n').filter(Boolean)) said += await run(line);
    // What is measured differs from run to run.
    const alike = (text: string) => (needsK6(block) ? text.replaceAll(/\d+(?:\.\d+)?/g, 'N') : text).trim();
    const shown = (block.output ?? '').split('\n').filter((line) => line.trim() !== '' && line !== '...');
    const lines = said.split('\n').map(alike);
    const missing = shown.filter((line) => !lines.some((said) => said.endsWith(alike(line))));
    // Another try must not be given what this one printed.
    if (missing.length > 0) printed.clear();
    expect(isUndecided(said) ? [] : missing).toEqual([]);
  });

  it.runIf(k6 !== undefined)('the files given to kubectl exist, fit together and are a TestRun', () => {
    const file = (name: string) => join(scene.folder, name);
    const lines = blocks.flatMap(({ text }) => text.split('\n')).filter((line) => line.startsWith('kubectl '));
    const given = Object.fromEntries(
      lines.map((line) => [
        line.split(' ').slice(0, 3).join(' '),
        /(?:--from-(?:env-)?file=|-f )(\S+)/.exec(line)?.[1],
      ]),
    );
    expect(Object.keys(given)).toEqual(['kubectl create configmap', 'kubectl create secret', 'kubectl apply -f']);
    for (const name of Object.values(given)) expect(existsSync(file(name ?? ''))).toBe(true);
    const manifest = parse(readFileSync(file(given['kubectl apply -f'] ?? ''), 'utf8'));
    const ajv = new Ajv2020();
    const schema = JSON.parse(readFileSync(join(root, 'load/k8s/test-run.schema.json'), 'utf8'));
    expect(ajv.validate(schema, manifest), ajv.errorsText()).toBe(true);
    const [configMap = '', secret = ''] = lines.map((line) =>
      line.split(' ').find((word) => word.startsWith('partnerkit-')),
    );
    expect(manifest.spec.script.configMap.name).toBe(configMap);
    // Targets with fake keys need no Secret; the name that is meant is the default.
    expect(secret).toBe('partnerkit-load');
  });
});
