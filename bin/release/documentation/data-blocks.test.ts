import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { hooks } from '../../../spec/files/hooks.ts';
import { parseProfile } from '../../../spec/files/profile-schema.ts';
import { parseTarget, targetSchema } from '../../../spec/files/target.ts';
import { parseWaivers } from '../../../spec/files/waivers.ts';
import { createProgram } from '../../create-program.ts';
import { everyBlock, pages } from './pages.ts';
import { root } from './scene.ts';

const blocks = pages.flatMap(everyBlock);

/** What holds a block of each language to the truth; output stands behind the command that prints it. */
const heldBy: Readonly<Record<string, string>> = {
  js: 'bin/release/documentation/documentation.test.ts',
  console: 'bin/release/documentation/documentation.test.ts',
  sh: 'bin/release/documentation/shell-blocks.test.ts',
  text: 'bin/release/documentation/shell-blocks.test.ts',
  ts: 'bin/release/documentation/typescript-blocks.test.ts',
  yaml: 'bin/release/documentation/data-blocks.test.ts',
  json: 'bin/release/documentation/data-blocks.test.ts',
  mermaid: 'bin/release/documentation/data-blocks.test.ts',
  java: 'bin/release/documentation/data-blocks.test.ts',
  python: 'bin/release/play-python.ts',
};

it('every code block of every page is checked by a test', () => {
  expect(blocks.filter(({ language }) => heldBy[language] === undefined)).toEqual([]);
  expect(blocks.filter(({ language }, i) => language === 'text' && blocks[i - 1]?.language !== 'sh')).toEqual([]);
  for (const file of Object.values(heldBy)) expect(existsSync(join(root, file))).toBe(true);
});

/** How YAML on pages is read, by name. */
const readers: Readonly<Record<string, (value: unknown) => void>> = {
  'conformance/README.md: hooks:': (value) => hooks.parse((value as { hooks: unknown }).hooks),
  'conformance/README.md: tls: { ca: authority.pem, cert: client.pem, key: "${CLIENT_KEY}" }': (value) =>
    targetSchema.parse({
      ...(value as object),
      baseUrl: 'https://x',
      tenants: [{ name: 'a', keys: [{ name: 'k', secret: 's' }] }],
    }),
  'conformance/README.md: waivers:': (value) => parseWaivers(value, 'waivers'),
  'conformance/README.md: - uses: partnerkit/partnerkit@v1': isStepOfAction,
  'load/README.md: on:': isWorkflow,
  'spec/FORMATS.md: waivers:': (value) => parseWaivers(value, 'waivers'),
  'spec/FORMATS.md: baseUrl: https://connect.example.com': (value) =>
    parseTarget(value, { ACME_KEY: 'fake' }, 'target'),
  'spec/FORMATS.md: operations:': (value) => parseProfile(value, 'profile'),
};

/** A workflow needs GitHub: `npm run check:action` plays the action, here its example is held against its inputs. */
function isStepOfAction(value: unknown): void {
  const action = parse(readFileSync(join(root, 'action.yml'), 'utf8'));
  const [step] = value as { with: Record<string, string> }[];
  const required = Object.keys(action.inputs).filter((name) => action.inputs[name].required);
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(step?.with ?? {})));
  expect(Object.keys(step?.with ?? {})).toEqual(expect.arrayContaining(required));
}

/** Its commands are those of the shell blocks. */
function isWorkflow(value: unknown): void {
  const { jobs } = value as { jobs: Record<string, { steps: { uses?: string; run?: string }[] }> };
  for (const { steps } of Object.values(jobs)) expect(steps.every(({ uses, run }) => uses || run)).toBe(true);
}

const data = blocks.filter(({ language }) => language === 'yaml');

it('every YAML block has a reader', () => {
  expect(data.map(({ name }) => name).sort()).toEqual(Object.keys(readers).sort());
});

it.each(data)('$name is valid for its reader', ({ name, text }) => {
  readers[name]?.(parse(text, { strict: true }));
});

it('the entry for an agent starts an existing command', async () => {
  const [entry, ...more] = blocks.filter(({ language }) => language === 'json');
  expect([entry?.name, more]).toEqual(['README.md: {', []]);
  const { command, args } = JSON.parse(entry?.text ?? '').mcpServers.partnerkit;
  const [name, subcommand, ...options] = args as string[];
  expect([command, name]).toEqual(['npx', 'partnerkit']);
  const found = (await createProgram()).commands.find((one) => one.name() === subcommand);
  const known = found?.options.map(({ long }) => long);
  expect(known).toEqual(expect.arrayContaining(options.filter((option) => option.startsWith('--'))));
});

it('the Java example names the published image and existing routes', () => {
  const java = blocks.filter(({ language }) => language === 'java');
  expect(java.length).toBe(1);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const routes = parse(readFileSync(join(root, 'mock/control/openapi.yaml'), 'utf8')).paths;
  for (const { text } of java) {
    expect(text).toContain(`ghcr.io/partnerkit/partnerkit:${version}`);
    const named = [...text.matchAll(/"(?:\/_mock)(\/\w+)"|control\(\\?"(\/[\w/]+)/g)].map(([, a, b]) => a ?? b);
    expect(named.length).toBeGreaterThan(0);
    for (const path of named) expect(Object.keys(routes)).toContain(path);
  }
});

it('the picture of the architecture shows the existing folders', () => {
  const pictures = blocks.filter(({ language }) => language === 'mermaid');
  expect(pictures.length).toBe(1);
  const folders = [...(pictures[0]?.text.matchAll(/\["(\w+)\/:/g) ?? [])].map(([, folder = '']) => folder);
  expect(folders.length).toBeGreaterThan(5);
  expect(folders.filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
});
