/**
 * Circles among the rooms of a house: what imports itself by way of others. Within each folder its files and folders are
 * the nodes, and a folder stands for everything below it.
 * @param arrows which file imports which, as paths from the root
 * @returns each circle that a folder is in, as `folder: a -> b -> a`, shortest first
 */
export function circlesOf(arrows: readonly (readonly [from: string, to: string])[]): string[] {
  const circles = new Map<string, string[]>();
  for (const [folder, edges] of edgesByFolder(arrows)) {
    for (const start of edges.keys()) {
      const way = wayBack(start, edges);
      // A circle is found once from each of its nodes.
      if (way?.some((node) => !node.includes('.'))) {
        const key = `${folder}: ${[...way].sort().join(' ')}`;
        if (!circles.has(key)) circles.set(key, [`${folder}:`, ...way, '->', start]);
      }
    }
  }
  return [...circles.values()]
    .sort((a, b) => a.length - b.length)
    .map(([folder, ...way]) => `${folder} ${way.slice(0, -2).join(' -> ')} -> ${way.at(-1)}`);
}

function edgesByFolder(arrows: readonly (readonly [string, string])[]): Map<string, Map<string, Set<string>>> {
  const folders = new Map<string, Map<string, Set<string>>>();
  for (const [from, to] of arrows) {
    const a = from.split('/');
    const b = to.split('/');
    const depth = a.findIndex((name, i) => name !== b[i]);
    const [source, target] = [a[depth], b[depth]];
    if (source === undefined || target === undefined) continue;
    const folder = a.slice(0, depth).join('/') || '.';
    const edges = folders.get(folder) ?? new Map<string, Set<string>>();
    folders.set(folder, edges.set(source, (edges.get(source) ?? new Set()).add(target)));
  }
  return folders;
}

/** The shortest way from a node back to it, without its end. */
function wayBack(start: string, edges: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const ways: string[][] = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of edges.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return way;
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return undefined;
}
