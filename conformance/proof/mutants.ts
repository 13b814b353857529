import { readdirSync, readFileSync } from 'node:fs';

/** One assertion of a check, as something to take away. Its place in the list of all is its number. */
export interface Mutant {
  /** Name of the file in `checks/`, and the line. */
  readonly file: string;
  readonly line: number;
  /** `assertion`: finds fault with the deployment; `control`: keeps a check from judging what it cannot tell. */
  readonly kind: 'assertion' | 'control';
  /** The assertion as it stands there, on one line. */
  readonly text: string;
  /** Which one it is of those in the file that read the same, from 1: lines move, this does not. */
  readonly nth: number;
}

const folder = new URL('../checks/', import.meta.url);
const assertion = /(?<!function )(?<![\w.])(?:(expect[A-Z]\w*|controlTimes)\(|throw new (\w+)\(|throw (deviation)\()/g;
const isControl = /^(expectControl|expectRouted|expectShown|controlTimes|Inconclusive)$/;

/** Every expectation of every check. */
export const mutants = (): Mutant[] => checkFiles().flatMap((file) => found(file, sourceOf(file)));

/** Files below `checks/` that may hold assertions. */
export const checkFiles = () =>
  readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'index.ts');

/**
 * A file of checks in which every assertion asks `mutation-switch.ts` whether it is there, so that one loaded version does
 * for all mutants. The arguments of one that is not are evaluated all the same. Lines stay where they are.
 * @param first the number of the file's first mutant
 */
export function switchable(file: string, first: number): string {
  let number = first;
  const source = sourceOf(file).replace(assertion, (all, call?: string, type?: string, maker?: string) => {
    if (type !== undefined && !isError(type)) return all;
    const at = number++;
    if (call !== undefined) return `mutation.expectation(${at}, ${call})(`;
    // A loop, not a condition, which the `else` of another one could be taken for.
    if (maker !== undefined) return `while (mutation.isThere(${at})) throw mutation.maker(${at}, ${maker})(`;
    return `while (mutation.isThere(${at})) throw new (mutation.error(${at}, ${type}))(`;
  });
  return `import * as mutation from './mutation-switch.ts'; ${source}`;
}

function found(file: string, source: string): Mutant[] {
  const count = new Map<string, number>();
  return [...source.matchAll(assertion)].flatMap((match): Mutant[] => {
    const [, call, type, maker] = match;
    if (type !== undefined && !isError(type)) return [];
    const text = (source.slice(match.index).split(/;\n/)[0] ?? '').replace(/\s+/g, ' ').slice(0, 120);
    const nth = (count.get(text) ?? 0) + 1;
    count.set(text, nth);
    return [
      {
        file,
        line: source.slice(0, match.index).split('\n').length,
        kind: isControl.test(call ?? type ?? maker ?? '') ? 'control' : 'assertion',
        text,
        nth,
      },
    ];
  });
}

const isError = (type: string) => type === 'Unexpected' || type === 'Inconclusive';

const sourceOf = (file: string) => readFileSync(new URL(file, folder), 'utf8');
