import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { platforms } from './executable/build.ts';
import { built } from './program.ts';

const root = join(import.meta.dirname, '../..');
const text = (file: string) => readFileSync(join(root, file), 'utf8');
const manifest = JSON.parse(text('package.json'));

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}
const lock: { readonly lockfileVersion: number; readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
  text('package-lock.json'),
);
const workspaces: readonly string[] = ['', ...manifest.workspaces];
const foreign = Object.entries(lock.packages).filter(([place, { link }]) => !workspaces.includes(place) && !link);

it('every package of the lock file is a release with its hash', () => {
  const weak = foreign.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''));
  const odd = foreign.filter(([, { version }]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version ?? ''));
  expect([weak, odd].map((found) => found.map(([place]) => place))).toEqual([[], []]);
  expect(foreign.length).toBeGreaterThan(100);
});

it('every package comes from one registry, and links lead to workspaces', () => {
  const origins = new Set(foreign.flatMap(([, { resolved }]) => (resolved ? [new URL(resolved).origin] : [])));
  expect(origins.size).toBeLessThanOrEqual(1);
  for (const origin of origins) expect(origin).toMatch(/^https:/);
  const links = Object.values(lock.packages).filter(({ link }) => link);
  expect(links.filter(({ resolved }) => !workspaces.includes(resolved ?? ''))).toEqual([]);
  const wanted = [manifest, JSON.parse(text('bin/release/generate/package.json'))].flatMap((each) =>
    Object.values<string>({ ...each.dependencies, ...each.devDependencies, ...each.peerDependencies }),
  );
  expect(wanted.filter((range) => !/^(?:[\^~]?\d+(?:\.\d+){0,2}(?: \|\| |$))+$/.test(range))).toEqual([]);
});

it('no package runs a script when it is installed, except those that fetch their own binary for development', () => {
  const scripted = foreign.filter(([, { hasInstallScript }]) => hasInstallScript).map(([place]) => place);
  expect(scripted.filter((place) => !/^node_modules\/(?:node|esbuild|fsevents|@swc\/core)$/.test(place))).toEqual([]);
  expect(Object.keys(manifest.dependencies)).toEqual(['zod']);
  expect(Object.keys(manifest.scripts).filter((name) => /^(?:pre|post)?install$|^prepare$/.test(name))).toEqual([]);
});

interface Bill {
  readonly bomFormat: string;
  readonly components: readonly { readonly name: string; readonly licenses: readonly License[] }[];
}
interface License {
  readonly license: { readonly id?: string; readonly name?: string };
}

it.each(['sbom/library.json', 'sbom/command.json', 'mock/console/dist/sbom.json'])(
  'the SBOM %s lists what is bundled, and every licence allows that',
  (file) => {
    const allowed = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'BlueOak-1.0.0'];
    const { bomFormat, components }: Bill = JSON.parse(readFileSync(join(built, file), 'utf8'));
    const refused = components.filter(({ licenses }) =>
      licenses.some(({ license }) => !allowed.includes(license.id ?? license.name ?? '')),
    );
    expect([bomFormat, refused]).toEqual(['CycloneDX', []]);
    const names = components.map(({ name }) => name);
    const wanted = file.includes('console') ? ['preact', 'react-query'] : ['express', 'zod', 'data', 'yaml'];
    expect(names).toEqual(expect.arrayContaining(wanted));
  },
);

it('the texts of all licences are beside the bundles', () => {
  for (const file of ['licenses/command.md', 'mock/console/dist/licenses.md'])
    expect(readFileSync(join(built, file), 'utf8').match(/Permission is hereby granted/g)?.length).toBeGreaterThan(4);
});

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}
interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly needs?: string;
  readonly steps: readonly Step[];
}

it('a release is published with provenance, by pinned actions, with the least rights', () => {
  const { jobs, permissions }: Workflow = parse(text('.github/workflows/publish.yml'));
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  expect(permissions).toEqual({ contents: 'read' });
  const provenance = { 'id-token': 'write', attestations: 'write' };
  expect(Object.entries(jobs).map(([name, job]) => [name, job.permissions])).toEqual([
    ['package', { contents: 'read', 'id-token': 'write' }],
    ['executables', { contents: 'write', ...provenance }],
    ['image', { contents: 'read', packages: 'write', ...provenance }],
  ]);
  expect(steps.flatMap(({ uses }) => uses ?? []).filter((uses) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(uses))).toEqual(
    [],
  );
  const commandsOf = (name: string) => jobs[name]?.steps.flatMap(({ run }) => run ?? []);
  expect(commandsOf('package')?.at(-1)).toBe('npm publish --provenance --access public');
  expect(commandsOf('package')).toContain('.ci/run');
  // Nothing is published of a version whose tests have failed.
  expect([jobs.executables?.needs, jobs.image?.needs]).toEqual(['package', 'package']);
  for (const name of ['executables', 'image']) {
    const attested = jobs[name]?.steps.filter(({ uses }) => uses?.startsWith('actions/attest-build-provenance@'));
    expect(attested).toHaveLength(1);
  }
  // Provenance is refused where the package does not say where it comes from.
  expect(manifest.repository.url).toMatch(/^git\+https:\/\/github\.com\//);
  expect(text('.github/workflows/publish.yml')).not.toMatch(/secrets\.|NODE_AUTH_TOKEN|run:.*\$\{\{/);
});

/** Files that name images and actions of others, and what in them does. */
const pinned: Readonly<Record<string, RegExp>> = {
  Dockerfile: /^FROM (\S+)/gm,
  'action.yml': /uses: (\S+)/g,
  '.github/workflows/*.yml': /uses: (\S+)/g,
  'conformance/ci/gitlab-ci.yml': /image: (\S+)/g,
  'conformance/ci/Jenkinsfile': /image '([^']+)'/g,
  'load/k8s/*.yaml': /image: (\S+)/g,
  // The image of this version is made by its release: nobody knows its digest before.
  '{compose.yaml,mock/kubernetes.yaml}': /image: (?!ghcr\.io\/partnerkit\/)(\S+)/g,
};

it('base images and third-party actions are pinned by digest, the same everywhere, with their tag or version beside it', () => {
  const found = Object.entries(pinned).flatMap(([files, names]) =>
    globSync(files, { cwd: root }).flatMap((file) => [...text(file).matchAll(names)].map(([, name = '']) => name)),
  );
  const isPinned = (name: string) => /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$|^[\w./-]+@[0-9a-f]{40}$/.test(name);
  expect(found.filter((name) => !isPinned(name))).toEqual([]);
  const digestsOf = Map.groupBy(new Set(found), (name) => name.split('@')[0]);
  expect([...digestsOf.values()].filter(({ length }) => length > 1)).toEqual([]);
  // Two stages of our image, two pipelines, a manifest for k6, and the actions.
  expect(found.length).toBeGreaterThanOrEqual(12);
  const versions = ['action.yml', '.github/workflows/publish.yml'].flatMap(
    (file) => text(file).match(/uses: .*/g) ?? [],
  );
  expect(versions.filter((line) => !/ # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
});

it('a release has an executable for every platform, and the attested files are the published files', () => {
  const { jobs }: Workflow = parse(text('.github/workflows/publish.yml'));
  const { executables, image } = jobs;
  const command = (job: Job | undefined, beginning: string) =>
    job?.steps.flatMap(({ run }) => (run?.includes(beginning) ? run : [])).join('\n') ?? '';
  const attested = (job: Job | undefined) =>
    job?.steps.find(({ uses }) => uses?.startsWith('actions/attest-build-provenance@'))?.with;

  const names = Object.keys(platforms);
  expect(command(executables, 'build:executable')).toBe(`npm run build:executable -- ${names.join(' ')}`);
  expect(text('mock/CONTAINER.md')).toContain(command(executables, 'build:executable'));
  // The checksums are of the files that are put beside the tag, and are put there too.
  expect(attested(executables)).toEqual({ 'subject-checksums': '.cache/executable/SHA256SUMS' });
  expect(command(executables, 'gh release create')).toMatch(/ \.cache\/executable\/\*$/);
  // The digest is the one that the registry was given, not the name of a tag that may move.
  const push = image?.steps.find(({ id }) => id === 'push')?.run;
  expect(push).toContain('--provenance mode=max --sbom true');
  expect(push).toContain('containerimage.digest');
  expect(attested(image)).toMatchObject({
    'subject-digest': '$' + '{{ steps.push.outputs.digest }}',
    'push-to-registry': true,
  });
});

it('SECURITY.md says how to report, what is in scope and what is promised', () => {
  const headings = [...text('SECURITY.md').matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(['Reporting', 'In scope', 'What the kit promises']);
});

it('no file of ours that is installed fetches code from elsewhere', () => {
  const pages = globSync('mock/console/{index.html,dist/*.html}', { cwd: root }).filter((file) =>
    existsSync(join(root, file)),
  );
  for (const page of pages) expect(text(page)).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
});
