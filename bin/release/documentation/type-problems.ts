import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { declarations, tsc, typedEntries } from '../tsc.ts';
import { blocksOf, type Page } from './pages.ts';

/** The entries of the package that have code, each with its source. */
export const entrySources = (root: string): (readonly [entry: string, source: string])[] =>
  typedEntries().map(([entry, types]) => [
    entry.replace('.', 'partnerkit'),
    join(root, types.replace(/\.d\.ts$/, '.ts')),
  ]);

/** The errors of the compiler in the TypeScript blocks of these pages; empty if there are none. Imports of the package lead to its declarations. */
export async function typeProblems(pages: readonly Page[], root: string): Promise<string> {
  const types = await declarations();
  const paths = Object.fromEntries(
    typedEntries().map(([entry, file]) => [entry.replace('.', 'partnerkit'), [join(types, file)]]),
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
