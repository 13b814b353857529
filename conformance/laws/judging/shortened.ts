/** Shortens a text in the middle, so that its beginning stays, and what is at an index: by default its end. */
export function shortened(text: string, max: number, at: number = text.length): string {
  if (text.length <= max) return text;
  const head = Math.ceil(max / 2);
  const tail = max - head;
  const from = Math.max(head, Math.min(at - Math.floor(tail / 4), text.length - tail));
  const rest = text.slice(from, from + tail);
  return `${text.slice(0, head)}${from > head ? '…' : ''}${rest}${from + rest.length < text.length ? '…' : ''}`;
}

/** Where a text begins to differ from the one that it is most like. */
export const differenceIn = (text: string, others: Iterable<string>): number =>
  Math.max(0, ...[...others].map((other) => [...text].findIndex((char, i) => char !== other[i])));
