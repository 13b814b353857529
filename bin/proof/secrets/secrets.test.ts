import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatNames } from '../../../conformance/reports/report-files.ts';
import { findK6 } from '../../../load/run/find-k6.ts';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import { loadTarget, type TargetInput } from '../../../spec/files/target.ts';
import { createScene, filesBelow, partnerkit, type Scene } from './scene.ts';
import { traceFinder } from './traces.ts';

const k6 = await findK6().catch((error: Error) => {
  if (process.env.PARTNERKIT_REQUIRE_K6 === '1') throw error;
  return undefined;
});

let scene: Scene;
let tracesIn: (text: string) => string[];
beforeAll(async () => {
  scene = await createScene();
  scene.writeTarget('target.yaml');
  tracesIn = traceFinder(scene.canaries);
});
afterAll(() => scene[Symbol.asyncDispose]());

/** Files that were searched already, as they were then. */
const searched = new Map<string, string>();

/** Runs a command and looks for the canaries in what it prints, and in every file but those that hold them on purpose. */
async function runAndSearch(args: readonly string[], given: readonly string[] = ['target.yaml']) {
  const ended = await partnerkit(scene.folder, args, scene.env);
  const files = filesBelow(scene.folder);
  const written = [...files].filter(([name, text]) => !given.includes(name) && searched.get(name) !== text);
  const texts = [['what it prints', ended.output] as const, ...written];
  for (const [name, text] of written) searched.set(name, text);
  const leaks = texts.flatMap(([where, text]) =>
    tracesIn(text).map((trace) => `${args.join(' ')}: ${where}: ${trace}`),
  );
  expect(leaks).toEqual([]);
  return { ...ended, files };
}

describe('no command shows a key', () => {
  const reports = formatNames.map((name) => `${name}=report.${name}`).join(',');
  const all = ['--allow-leftovers', '--skip', 'limits'];

  it('conformance run, in no report, and then compare', async () => {
    const args = ['run', '--target', 'target.yaml', ...all, '--report', reports, '--write-profile', 'profile.yaml'];
    const { files } = await runAndSearch(['conformance', ...args]);
    expect(files.get('report.json')).toMatch(/\$ACME_\w+_KEY/);
    await runAndSearch(['conformance', 'compare', 'report.json', 'report.json']);
  });

  it.each([
    ['plan', ['conformance', 'run', '--dry-run', '--target', 'target.yaml', ...all]],
    ['plan as JSON', ['conformance', 'run', '--dry-run', '--target', 'target.yaml', ...all, '--json']],
    ['cleanup', ['conformance', 'cleanup', '--target', 'target.yaml']],
    ['doctor', ['doctor', '--target', 'target.yaml', '--port', '0']],
    ['doctor as JSON', ['doctor', '--target', 'target.yaml', '--port', '0', '--json']],
    ['load manifest', ['load', 'manifest', 'fleet', '--target', 'target.yaml']],
  ])('%s', async (_, args) => {
    await runAndSearch(args);
  });

  it('commands that read the environment and no target file', async () => {
    const commands = [
      ['rules', 'upload/target-expiry'],
      ['init', 'new.yaml', '--template'],
      ['rules', '--json'],
      ['fixtures', '--conversations', '10'],
      ['completion', 'bash'],
      ['load', 'run', '--list'],
    ];
    const ended = await Promise.all(commands.map((args) => runAndSearch(args)));
    expect(ended.map(({ code }) => code)).toEqual(commands.map(() => 0));
  });

  it.runIf(k6 !== undefined)('load run with raw output and reports, archive, verdict', async () => {
    const target = ['--target', 'target.yaml', '--max-rps', '10000', '--max-requests', '100000'];
    const files = ['--raw', 'raw.json', '--report', 'html=load.html,json=load.json'];
    const { output } = await runAndSearch(['load', 'run', 'labels', ...target, '--duration', '2s', ...files]);
    expect(output).toMatch(/^(PASS|FAIL|CANNOT TELL)/im);
    await runAndSearch(['load', 'judge', 'raw.json', '--report', 'html=again.html,json=again.json']);
    const archived = await runAndSearch(['load', 'archive', 'labels', ...target]);
    expect(archived.files.has('labels.tar')).toBe(true);
  });
});

describe('no error shows a key', () => {
  const quoted = () => JSON.stringify(scene.canaries[1] ?? '');
  const reading: Readonly<Record<string, (text: string) => string>> = {
    'a secret with a blank': (text) => text.replace(/secret: (.*)/g, () => `secret: ${quoted().slice(0, -1)} x"`),
    'a secret that is a list': (text) => text.replace(/secret: (.*)/g, () => `secret: [${quoted()}]`),
    'a secret without a colon': (text) => text.replace(/secret: (.*)/g, () => `secret ${quoted()}`),
    'a bare secret': (text) => text.replace(/secret: (.*)/g, () => `secret: ${scene.canaries[1]}`),
    'a secret as the name of a property': (text) => text.replace(/secret: (.*)/g, () => `${quoted()}: x`),
    'a secret among the scopes': (text) =>
      text.replace(/secret: (.*)/g, () => `secret: x\n        scopes: [${quoted()}]`),
    'a secret as what a key is for': (text) =>
      text.replace(/secret: (.*)/g, () => `secret: x\n        use: ${quoted()}`),
    'a secret with a tab before it': (text) => text.replace(/secret: (.*)/g, () => `secret:\n\t${quoted()}`),
    'a secret with an open quote': (text) => text.replace(/secret: (.*)/g, () => `secret: ${quoted().slice(0, -1)}`),
    'a secret as an alias': (text) => text.replace(/secret: (.*)/g, () => `secret: *${scene.canaries[1]}`),
    'a secret as an anchor': (text) => text.replace(/secret: (.*)/g, () => `secret: &${scene.canaries[1]} x`),
    'a secret as a tag': (text) => text.replace(/secret: (.*)/g, () => `secret: !${scene.canaries[1]} x`),
    'a secret twice': (text) => text.replace(/secret: (.*)/g, () => `secret: ${quoted()}\n        secret: ${quoted()}`),
    'a secret as a variable': (text) => text.replace(/secret: (.*)/g, () => `secret: "\${${quoted()}}"`),
    'a secret as the base URL': (text) => text.replace(/baseUrl: .*/, () => `baseUrl: ${quoted()}`),
    'a secret in the base URL': (text) => text.replace(/baseUrl: .*/, () => `baseUrl: "http://u:${quoted().slice(1)}`),
  };

  it.each(Object.keys(reading))('of reading a target: %s', (what) => {
    scene.writeTarget('damaged.yaml');
    const file = join(scene.folder, 'damaged.yaml');
    writeFileSync(file, reading[what]?.(readFileSync(file, 'utf8')) ?? '');
    let said = 'nothing';
    try {
      loadTarget(file, scene.env);
    } catch (error) {
      // What the command prints of it.
      said = error instanceof ConfigurationError ? error.problems.join('\n') : String((error as Error).stack);
    }
    rmSync(file);
    const leaks = tracesIn(said);
    expect(leaks).toEqual([]);
  });

  const asking: Readonly<Record<string, (target: TargetInput) => TargetInput>> = {
    'nobody at the base URL': (target) => ({ ...target, baseUrl: 'http://127.0.0.1:9' }),
    'a host that is not known': (target) => ({ ...target, baseUrl: 'http://no-such-host.invalid' }),
    'TLS where there is none': (target) => ({ ...target, baseUrl: target.baseUrl.replace('http', 'https') }),
    'keys that are all refused': ({ tenants, ...target }) => ({
      ...target,
      tenants: tenants.map(({ keys, ...tenant }) => ({
        ...tenant,
        keys: keys
          .filter(({ name }) => name === 'revoked' || name === 'full')
          .map((key) => ({ ...key, secret: `${scene.canaries[3]}` })),
      })),
    }),
  };

  it.each(Object.keys(asking))('of asking a deployment: %s', async (what) => {
    scene.writeTarget('asking.yaml', asking[what]);
    const given = ['target.yaml', 'asking.yaml'];
    for (const args of [
      ['conformance', 'run', '--only', 'upload/target-url'],
      ['doctor', '--port', '0'],
    ]) {
      const { code, output } = await runAndSearch([...args, '--target', 'asking.yaml'], given);
      expect([1, 2, 3], output).toContain(code);
      expect(output).not.toMatch(/^ {4}at /m);
    }
  });
});
