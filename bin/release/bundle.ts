import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Plugin, type RolldownOutput, rolldown } from 'rolldown';
import { within } from './third-party.ts';

/**
 * Makes few files of everything that is published: entries where package.json names them, and `chunks/` that they share.
 * Starting then reads one file instead of a hundred, and packages that only this package uses travel inside.
 */

/** What a user's project has once: its tests and ours must use the same one. */
const external = [/^msw(?:\/|$)/, /^vitest(?:\/|$)/, /^@playwright\/test$/];

/** What express would colour its debugging with, where somebody has it. */
const optional = 'supports-color';

/** What is loaded as a whole, by what it starts with. */
const wholes: Readonly<Record<string, readonly string[]>> = {
  cli: ['bin/main.ts', 'bin/commands/mock.ts'],
  commands: globSync('bin/commands/*.ts', {
    cwd: join(import.meta.dirname, '../..'),
    exclude: ['**/*.test.ts', '**/mock.ts'],
  }),
  core: ['mock/in-process.ts'],
  server: ['mock/adapters/create-served-mock.ts'],
  control: ['mock/control/control-app.ts'],
  fixtures: ['mock/seed/seed-from-document.ts'],
  conformance: ['conformance/index.ts'],
  load: ['load/run/prepare-run.ts'],
  judge: ['spec/limiter/rate-limit.ts'],
};

/**
 * The chunk of a module that these wholes need from their start. Where several do, it would be exact to make a chunk for
 * each choice of them; a few that are a little too large are read faster.
 */
function chunkOf(members: readonly string[]): string | null {
  // Browsers and k6 load it too, so it shares no chunk with what needs Node.
  if (members.includes('judge')) return 'judge';
  // Each command is a file of its own.
  const [first = null, ...others] = members.filter((name) => name !== 'commands');
  if (first === 'cli' && others.length === 0) return 'cli';
  if (first === 'cli' || (first !== null && members.includes('commands'))) {
    // The core runs in browsers too, so what it needs is apart from what needs Node.
    return members.includes('core') ? 'base' : 'shared';
  }
  // Who serves or controls a mock has one.
  if (first === 'core') return others.every((name) => ['server', 'control'].includes(name)) ? 'core' : 'contract';
  if (first === 'server') return 'server';
  return others.length > 0 ? 'files' : first;
}

/**
 * @param root the repository
 * @param dist where to write
 * @throws Error where the code of a package would travel without its licence
 */
export async function bundle(root: string, dist: string): Promise<void> {
  const { exports, bin, browser } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const named = [...textsIn(exports), ...textsIn(bin), ...Object.keys(browser)];
  const entries = named.flatMap((file) => /^(?:\.\/)?dist\/(.*)\.js$/.exec(file)?.[1] ?? []);
  const whole = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
    platform: 'node',
    external: [...external, optional],
    plugins: [withoutChildProcess],
    preserveEntrySignatures: 'allow-extension',
    // Nothing here has a getter that does anything: unused parts of zod can go.
    treeshake: { propertyReadSideEffects: false },
  });
  const chunk = chunks(root);
  const written = await whole.write({
    dir: dist,
    sourcemap: true,
    chunkFileNames: 'chunks/[name].js',
    // They are a third of what V8 would have to read; declarations and source maps have them.
    comments: { jsdoc: false },
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        {
          debugName: 'wholes',
          name: (id, chunking) => chunk(id, (of) => chunking.getModuleInfo(of)?.importedIds ?? []),
        },
      ],
    },
    plugins: [{ name: 'builtins', renderChunk: withoutBuiltinImports }],
  });
  await whole.close();
  for (const map of globSync(join(dist, '**/*.js.map'))) withoutForeignSources(map);
  mustBeLicensed(written);
  for (const entry of ['mock/in-process.js', 'mock/adapters/msw.js', 'spec/limiter/rate-limit.js'])
    mustRunInBrowsers(entry, written);

  // k6 runs its script itself, so it is one file that needs nothing of Node.
  const script = await rolldown({
    cwd: root,
    input: 'load/k6/main.ts',
    platform: 'neutral',
    external: [/^k6(?:\/|$)/],
  });
  await script.write({ file: join(dist, 'load/k6/main.js'), sourcemap: true });
  await script.close();
}

/** Takes the declarations away that no public entry leads to. */
export function keepPublicDeclarations(root: string, dist: string): void {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const kept = new Set(textsIn(exports).flatMap((file) => (file.endsWith('.d.ts') ? [join(root, file)] : [])));
  for (const file of kept) {
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(
      /(?:from |import\(|import )['"](\.[^'"]+)['"]/g,
    )) {
      kept.add(join(dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts')));
    }
  }
  for (const file of globSync(join(dist, '**/*.d.ts'))) if (!kept.has(file)) rmSync(file);
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** @returns the chunk of a module; null for one that no whole needs from its start */
function chunks(root: string) {
  const members = new Map<string, string[]>();
  return (module: string, importsOf: (id: string) => readonly string[]): string | null => {
    if (members.size === 0) {
      for (const [name, starts] of Object.entries(wholes)) {
        const reached = new Set(starts.map((start) => join(root, start)));
        for (const id of reached) for (const imported of importsOf(id)) reached.add(imported);
        for (const id of reached) members.set(id, [...(members.get(id) ?? []), name]);
      }
    }
    return chunkOf(members.get(module) ?? []);
  };
}

/** Commander starts programs where a subcommand is one; none is here, and that module takes as long to load as all of ours. */
const withoutChildProcess: Plugin = {
  name: 'without child_process',
  resolveId: (id, importer) =>
    id === 'node:child_process' && importer?.includes('/commander/') ? '\0no-child-process' : null,
  load: (id) => (id === '\0no-child-process' ? 'export default {};' : null),
};

/**
 * `import { readFile } from 'node:fs'` makes Node read every export of that module, and some load more when they are read:
 * half of the time that `--help` would take. Taking what is needed from the module itself does not.
 */
function withoutBuiltinImports(code: string) {
  const without = code.replaceAll(
    /^import (?:([\w$]+)(?:, )?)?(?:\{ ([^}]+) \})? from ["'](node:[\w/]+)["'];$/gm,
    (_, whole?: string, names?: string, module?: string) => {
      const builtin = `process.getBuiltinModule("${module}")`;
      const parts = names?.replaceAll(' as ', ': ');
      return [
        ...(whole === undefined ? [] : [`const ${whole} = ${builtin};`]),
        ...(parts === undefined ? [] : [`const { ${parts} } = ${builtin};`]),
      ].join(' ');
    },
  );
  // Each line is where it was, so the source map stays right.
  return { code: without, map: null };
}

function mustBeLicensed({ output }: RolldownOutput): void {
  const modules = output.flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []));
  const packages = new Set(modules.flatMap((id) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? []));
  const licensed = new Set(within().map(({ name }) => name));
  const missing = [...packages].filter((name) => !licensed.has(name));
  if (missing.length > 0) throw new Error(`THIRD-PARTY.md would not have: ${missing.join(', ')}`);
}

/** Sources of packages are half of all maps, and whoever needs one installs the package. */
function withoutForeignSources(file: string): void {
  const map = JSON.parse(readFileSync(file, 'utf8'));
  const isForeign = (source: string) => source.includes('node_modules/');
  map.sourcesContent = map.sources.map((source: string, i: number) =>
    isForeign(source) ? null : map.sourcesContent[i],
  );
  writeFileSync(file, JSON.stringify(map));
}

/** A browser has no `process`: nothing that such an entry loads at once may take a module of Node. */
function mustRunInBrowsers(entry: string, { output }: RolldownOutput): void {
  const reached = new Set([entry]);
  for (const name of reached) {
    const file = output.find(({ fileName }) => fileName === name);
    if (file?.type !== 'chunk') continue;
    const [needed] = /^const .*process\.getBuiltinModule.*$/m.exec(file.code) ?? [];
    if (needed !== undefined) throw new Error(`${entry} does not run in browsers, because of ${name}: ${needed}`);
    for (const imported of file.imports) reached.add(imported);
  }
}
