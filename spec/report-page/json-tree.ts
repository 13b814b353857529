/** Whether a line shows what is wrong. Such a line is marked, and never folded. */
export type IsMarked = (line: string) => boolean;

/** A text, or an element with its attributes. Reports write it as HTML, and the console draws it. */
export type JsonNode = string | JsonElement;

interface JsonElement {
  readonly tag: 'details' | 'summary' | 'span' | 'mark';
  readonly class?: string;
  readonly open?: true;
  readonly 'data-rest'?: string;
  readonly children: readonly JsonNode[];
}

/** How many values a part at least has for it to be folded at first, by its depth. */
const foldedFrom = [Number.POSITIVE_INFINITY, 40, 12, 6];

/** A JSON value as elements that fold. Their text is the JSON itself. Where a line is marked, all parts without a mark are folded at first. */
export function jsonTree(value: unknown, isMarked: IsMarked = () => false): JsonNode {
  const place = { name: '', after: '', depth: 0, isMarked, isRestFolded: false };
  const whole = part(value, place);
  return whole.hasMark ? part(value, { ...place, isRestFolded: true }).shown : whole.shown;
}

interface Place {
  /** What comes before the value in its line. */
  readonly name: string;
  /** A comma, except after the last value. */
  readonly after: string;
  readonly depth: number;
  readonly isMarked: IsMarked;
  readonly isRestFolded: boolean;
}

const span = (kind: string, ...children: readonly JsonNode[]): JsonNode => ({ tag: 'span', class: kind, children });

type Part = { readonly shown: JsonNode; readonly hasMark: boolean };

/** A list in which several values without a mark that follow each other are one line. */
function withFoldedRuns(parts: readonly Part[]): JsonNode[] {
  let run = 0;
  const runs = Map.groupBy(parts, ({ hasMark }, i) => (hasMark === parts[i - 1]?.hasMark ? run : ++run));
  return [...runs.values()].flatMap((some): JsonNode[] => {
    const shown = some.map((one) => one.shown);
    if (some[0]?.hasMark || some.length < 3) return shown;
    const summary: JsonNode = { tag: 'summary', 'data-rest': `… ${some.length} more`, children: [] };
    return [{ tag: 'details', class: 'json', children: [summary, span('json-line', ...shown)] }];
  });
}

function part(value: unknown, place: Place): Part {
  const { name, after, depth, isMarked, isRestFolded } = place;
  const before = name === '' ? [] : [span('json-name', JSON.stringify(name)), ': '];
  const isList = Array.isArray(value);
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (entries.length === 0) {
    const text = JSON.stringify(value);
    const line = [...before, span(`json-${value === null ? 'null' : typeof value}`, text), after];
    const hasMark = isMarked(`${name}: ${text}`);
    return { shown: span('json-line', ...(hasMark ? [{ tag: 'mark', children: line } as const] : line)), hasMark };
  }
  const [start, end] = isList ? (['[', ']'] as const) : (['{', '}'] as const);
  const isNamed = name !== '' && isMarked(`${name}: ${start}`);
  const inside = { ...place, depth: depth + 1, isRestFolded: isRestFolded && !isNamed };
  const parts = entries.map(([key, inner], i) =>
    part(inner, { ...inside, name: isList ? '' : key, after: i < entries.length - 1 ? ',' : '' }),
  );
  const hasMark = isNamed || parts.some((one) => one.hasMark);
  const isOpen = hasMark || (!isRestFolded && entries.length < (foldedFrom[depth] ?? 4));
  const rest = `… ${entries.length} ${end}${after}`;
  const line = [...before, start];
  const shownParts = isList && hasMark && inside.isRestFolded ? withFoldedRuns(parts) : parts.map((one) => one.shown);
  const shown: JsonNode = {
    tag: 'details',
    class: 'json',
    ...(isOpen && { open: true }),
    children: [
      { tag: 'summary', 'data-rest': rest, children: isNamed ? [{ tag: 'mark', children: line }] : line },
      span('json-parts', ...shownParts),
      end,
      after,
    ],
  };
  return { shown, hasMark };
}
