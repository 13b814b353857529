/** Two places that say the same. */
interface Repeat {
  /** `path:line` of each. */
  readonly places: readonly [string, string];
  readonly lines: number;
}

/** Lines that say something: no blank lines, comments, imports and lone punctuation. */
const saying = (text: string) =>
  text
    .replace(/^(?:import|export)\b(?: type)? \{[^}]*\} from .*$/gm, (list) => list.replace(/[^\n]/g, ''))
    .split('\n')
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => /\w/.test(line) && !/^(?:\/\/|\/?\*|import\b|export \*)/.test(line));

/**
 * Runs of lines that stand twice, to the letter but for white space.
 * @param files path -> text
 * @param least the fewest lines that count
 */
export function repeatsIn(files: ReadonlyMap<string, string>, least: number): Repeat[] {
  const all = [...files].map(([path, text]) => ({ path, lines: saying(text) }));
  const windows = new Map<string, { path: string; at: number }[]>();
  for (const { path, lines } of all) {
    for (let at = 0; at + least <= lines.length; at++) {
      const key = lines
        .slice(at, at + least)
        .map(({ line }) => line)
        .join('\n');
      windows.set(key, [...(windows.get(key) ?? []), { path, at }]);
    }
  }
  const linesOf = new Map(all.map(({ path, lines }) => [path, lines]));
  const repeats: Repeat[] = [];
  const told = new Set<string>();
  for (const [first, ...others] of windows.values()) {
    for (const other of others) {
      if (first === undefined) continue;
      const id = (step: number) => `${first.path}:${first.at + step} ${other.path}:${other.at + step}`;
      told.add(id(0));
      // The run goes on: it was told where it began.
      if (told.has(id(-1))) continue;
      const a = linesOf.get(first.path) ?? [];
      const b = linesOf.get(other.path) ?? [];
      let lines = least;
      while (a[first.at + lines] && a[first.at + lines]?.line === b[other.at + lines]?.line) lines++;
      repeats.push({ places: [`${first.path}:${a[first.at]?.number}`, `${other.path}:${b[other.at]?.number}`], lines });
    }
  }
  return repeats;
}
