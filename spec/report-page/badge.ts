import { html } from './markup.ts';

export interface Badge {
  readonly label: string;
  readonly message: string;
  readonly color: keyof typeof colours;
}

/** The colours of shields.io by their names. */
const colours = { brightgreen: '#44cc11', yellowgreen: '#a4a61d', yellow: '#dfb317', red: '#e05d44' } as const;

/**
 * A badge: an SVG for a path that ends so, and otherwise the endpoint form of shields.io, which draws it. Own lines instead of badge-maker, which
 * brings 0.9 MB of font widths: the letters of a monospaced font are all as wide.
 */
export function badgeFile({ label, message, color }: Badge, path: string): string {
  if (!path.endsWith('.svg')) return `${JSON.stringify({ schemaVersion: 1, label, message, color })}\n`;
  const [left, right] = [label, message].map(({ length }) => length * 6.7 + 12) as [number, number];
  const text = (x: number, words: string) => html`<text x="${x}" y="14">${words}</text>`;
  return `${
    html`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${message}">
<title>${label}: ${message}</title>
<rect width="${left + right}" height="20" rx="3" fill="#555"/>
<path d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H${left}z" fill="${colours[color]}"/>
<g fill="#fff" font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="11">${text(6, label)}${text(left + 6, message)}</g>
</svg>`.markup
  }\n`;
}
