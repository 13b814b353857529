import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { declarations, tsc } from '../tsc.ts';
import { blocksOf, type Page } from './pages.ts';

/** The entries of the package that have code, each with its source. */
export function entrySources(root: string): (readonly [entry: string, source: string])[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const source = (built: string) => join(root, built.replace('./dist/', '').replace(/\.d\.ts$/, '.ts'));
  return Object.entries<{ types?: string }>(exports).flatMap(([entry, { types }]) =>
    types === undefined ? [] : [[entry.replace('.', 'partnerkit'), source(types)] as const],
  );
}

/** The errors of the compiler in the TypeScript blocks of these pages; empty if there are none. Imports of the package lead to its declarations. */
export async function typeProblems(pages: readonly Page[], root: string): Promise<string> {
  const types = await declarations();
  const paths = Object.fromEntries(
    entrySources(root).map(([entry, source]) => [
      entry,
      [join(types, relative(root, source).replace(/\.ts$/, '.d.ts'))],
    ]),
  );
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache/documentation-'));
  try {
    for (const page of pages) {
      for (const [i, block] of blocksOf(page, 'ts').entries()) {
        writeFileSync(join(folder, `${page.file.replaceAll('/', '-')}-${i + 1}.ts`), `${block}\nexport {};\n`);
      }
    }
    const compilerOptions = { noEmit: true, rootDir: '/', paths, types: ['node'], noUnusedLocals: false };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*.ts'], exclude: [] }),
    );
    tsc(root, ['-p', folder]);
    return '';
  } catch (error) {
    if (error instanceof Error && 'stdout' in error) return String(error.stdout);
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
