import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Plugin, type RolldownOutput, rolldown } from 'rolldown';
import { within } from './third-party.ts';

/**
 * Bundles everything that is published into few files: the entries of package.json, and `chunks/` that they share.
 * So a start reads one file instead of a hundred, and dependencies are inside the package.
 */

/** Packages of the user's project. The project and partnerkit must use the same copy. */
const external = [/^msw(?:\/|$)/, /^vitest(?:\/|$)/, /^@playwright\/test$/];

/** An optional dependency of express, for colours in debug output. */
const optional = 'supports-color';

/** Parts that are always loaded together, with the modules that they start with. */
const wholes: Readonly<Record<string, readonly string[]>> = {
  cli: ['bin/main.ts', 'bin/commands/mock.ts'],
  commands: globSync('bin/commands/*.ts', {
    cwd: join(import.meta.dirname, '../..'),
    exclude: ['**/*.test.ts', '**/mock.ts'],
  }),
  core: ['mock/in-process.ts'],
  server: ['mock/adapters/create-served-mock.ts', 'bin/describe-mock.ts'],
  control: ['mock/control/control-app.ts'],
  fixtures: ['mock/seed/seed-from-document.ts'],
  conformance: ['conformance/index.ts'],
  load: ['load/run/prepare-run.ts'],
  judge: ['spec/limiter/rate-limit.ts'],
};

/**
 * The chunk of a module that these parts need at their start. A chunk for each combination of parts would be exact,
 * but a few chunks that are a little too large are read faster.
 */
function chunkOf(members: readonly string[]): string | null {
  // Browsers and k6 load it too, so it shares no chunk with what needs Node.
  if (members.includes('judge')) return 'judge';
  // Each command is its own file.
  const [first = null, ...others] = members.filter((name) => name !== 'commands');
  if (first === 'cli' && others.length === 0) return 'cli';
  if (first === 'cli' || (first !== null && members.includes('commands'))) {
    // The core also runs in browsers, so its chunk must not contain modules that need Node.
    return members.includes('core') ? 'base' : 'shared';
  }
  // Serving or controlling a mock needs the core as well, and what serves it is small.
  if (first === 'core') return others.every((name) => ['server', 'control'].includes(name)) ? 'core' : 'contract';
  if (first === 'server') return 'core';
  return others.length > 0 ? 'files' : first;
}

/**
 * @param root the repository
 * @param dist where to write
 * @throws Error if the licence of a bundled package is missing
 */
export async function bundle(root: string, dist: string): Promise<void> {
  const { exports, bin, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const named = [...textsIn(exports), ...textsIn(bin)];
  const entries = named.flatMap((file) => /^(?:\.\/)?dist\/(.*)\.js$/.exec(file)?.[1] ?? []);
  const bundler = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
    platform: 'node',
    // The other form of a package cannot be shaken, and does not run in browsers.
    resolve: { mainFields: ['module', 'main'] },
    // `await using` in our code needs a newer Node than users may have.
    transform: { target: engines.node.replace('>=', 'node') },
    external: [...external, optional],
    plugins: [withoutChildProcess],
    preserveEntrySignatures: 'allow-extension',
    // No getter in our dependencies has side effects, so unused parts of zod can be removed.
    treeshake: { propertyReadSideEffects: false },
  });
  const chunk = chunks(root);
  const written = await bundler.write({
    dir: dist,
    sourcemap: true,
    chunkFileNames: 'chunks/[name].js',
    // Comments are a third of the code that V8 would have to read. Declarations and source maps have them.
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
  await bundler.close();
  withoutFacades(dist);
  for (const map of globSync(join(dist, '**/*.js.map'))) withoutForeignSources(map);
  mustBeLicensed(written);
  for (const entry of ['mock/in-process.js', 'mock/adapters/msw.js', 'spec/limiter/rate-limit.js'])
    mustRunInBrowsers(entry, written);

  // k6 runs this script without Node, so it is one file.
  const script = await rolldown({
    cwd: root,
    input: 'load/k6/main.ts',
    platform: 'neutral',
    external: [/^k6(?:\/|$)/],
  });
  await script.write({ file: join(dist, 'load/k6/main.js'), sourcemap: true });
  await script.close();
}

/** Removes declarations that no public entry needs. */
export function keepPublicDeclarations(root: string, dist: string): void {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const publicDeclarations = new Set(
    textsIn(exports).flatMap((file) => (file.endsWith('.d.ts') ? [join(root, file)] : [])),
  );
  for (const file of publicDeclarations) {
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(
      /(?:from |import\(|import )['"](\.[^'"]+)['"]/g,
    )) {
      publicDeclarations.add(join(dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts')));
    }
  }
  for (const file of globSync(join(dist, '**/*.d.ts'))) if (!publicDeclarations.has(file)) rmSync(file);
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** @returns the chunk of a module; null if no part needs it at its start */
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

/** Commander can start subcommands as programs. We have none, and this module takes as long to load as all of ours. */
const withoutChildProcess: Plugin = {
  name: 'without child_process',
  resolveId: (id, importer) =>
    id === 'node:child_process' && importer?.includes('/commander/') ? '\0no-child-process' : null,
  load: (id) => (id === '\0no-child-process' ? 'export default {};' : null),
};

/**
 * `import { readFile } from 'node:fs'` makes Node read all exports of that module, and some of them load more modules:
 * half of the time of `--help`. Reading the properties of the module object avoids this.
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
  // No line moves, so the source map stays right.
  return { code: without, map: null };
}

/**
 * For a module that is loaded later and is in a chunk with others, the bundler writes a file that only exports it from there. Every file
 * takes half a millisecond of a start, so the chunk itself is loaded.
 */
function withoutFacades(dist: string): void {
  const facade = /^export \{ ([^}]+) \} from "\.\/([\w-]+\.js)";\s*$/;
  const files = globSync(join(dist, '**/*.js'), { exclude: (path) => path.endsWith('/k6') });
  const codes = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  for (const [file, code] of codes) {
    const [, names = '', chunk] = facade.exec(code) ?? [];
    if (chunk === undefined || dirname(file) !== join(dist, 'chunks')) continue;
    const exported = names.split(', ').map((name) => name.split(' as '));
    const module = `(chunk) => ({ ${exported.map(([inner, name = inner]) => `${name}: chunk.${inner}`).join(', ')} })`;
    for (const [user, text] of codes)
      codes.set(
        user,
        text.replaceAll(
          new RegExp(`import\\("(\\.[./\\w]*/)${basename(file)}"\\)`, 'g'),
          `import("$1${chunk}").then(${module})`,
        ),
      );
    codes.delete(file);
    rmSync(file);
  }
  for (const [file, code] of codes) writeFileSync(file, code);
}

function mustBeLicensed({ output }: RolldownOutput): void {
  const modules = output.flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []));
  const packages = new Set(modules.flatMap((id) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? []));
  const licensed = new Set(within().map(({ name }) => name));
  const missing = [...packages].filter((name) => !licensed.has(name));
  if (missing.length > 0) throw new Error(`THIRD-PARTY.md would not have: ${missing.join(', ')}`);
}

/** Removes the sources of dependencies, which are half of all maps. */
function withoutForeignSources(file: string): void {
  const map = JSON.parse(readFileSync(file, 'utf8'));
  const isForeign = (source: string) => source.includes('node_modules/');
  map.sourcesContent = map.sources.map((source: string, i: number) =>
    isForeign(source) ? null : map.sourcesContent[i],
  );
  writeFileSync(file, JSON.stringify(map));
}

/** Browsers have no `process`, so modules that such an entry loads at its start must not use a module of Node. */
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
