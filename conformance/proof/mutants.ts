import { readdirSync, readFileSync } from 'node:fs';

/** One assertion of a check, taken away. */
export interface Mutant {
  /** Name of the file in `checks/`, and the line. */
  readonly file: string;
  readonly line: number;
  /** `assertion`: finds fault with the deployment; `control`: keeps a check from judging what it cannot tell. */
  readonly kind: 'assertion' | 'control';
  /** The line as it is. */
  readonly text: string;
  /** The whole file without the assertion; its arguments are still evaluated. */
  readonly source: string;
}

const folder = new URL('../checks/', import.meta.url);
const call = /(?<!function )(?<![\w.])(expect[A-Z]\w*|controlTimes)\(/g;
const thrown = /throw new (Unexpected|Inconclusive)\(/g;

/** Every expectation of every check as a mutant. */
export function mutants(): Mutant[] {
  return checkFiles().flatMap((file) => {
    const source = readFileSync(new URL(file, folder), 'utf8');
    return [...source.matchAll(call), ...source.matchAll(thrown)]
      .sort((a, b) => a.index - b.index)
      .map((match): Mutant => {
        const name = match[1] ?? '';
        const replacement = match[0].startsWith('throw') ? `void new ${name}(` : '((..._: unknown[]) => {})(';
        const before = source.slice(0, match.index);
        const line = before.split('\n').length;
        return {
          file,
          line,
          kind: /Control|Inconclusive|controlTimes/.test(name) ? 'control' : 'assertion',
          text: (source.split('\n')[line - 1] ?? '').trim(),
          source: `${before}${replacement}${source.slice(match.index + match[0].length)}`,
        };
      });
  });
}

export const checkFiles = () =>
  readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'index.ts');

/** Areas (files that `checks/index.ts` joins) whose checks may run through a file. */
export function areasThrough(file: string): string[] {
  const importsOf = (name: string): string[] =>
    [...readFileSync(new URL(name, folder), 'utf8').matchAll(/from '\.\/([\w-]+\.ts)'/g)].map(
      (match) => match[1] ?? '',
    );
  const reaches = (from: string, seen = new Set<string>()): boolean => {
    if (from === file) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return importsOf(from).some((next) => reaches(next, seen));
  };
  return importsOf('index.ts').filter((area) => reaches(area));
}
