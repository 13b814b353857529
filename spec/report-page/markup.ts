import { jsonOrUndefined } from '../text/json-or-undefined.ts';

/** HTML that is already escaped. */
export interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | readonly Markup[] | null;

/** A template for HTML. Escapes all values that are not markup, so that text from a reply cannot become an element. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { markup: strings.reduce((text, string, position) => text + written(parts[position - 1] ?? null) + string) };
}

function written(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'string') return escaped(part);
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for the content of HTML and XML elements, and for attributes in quotes. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

/** Whether a line shows what is wrong. Such a line is marked, and never folded. */
type IsMarked = (line: string) => boolean;

/** A command or a body, with a copy button. JSON has colours, and its lists and objects fold. */
export function code(text: string, isMarked: IsMarked = () => false): Markup {
  const value = jsonOrUndefined(text);
  const isTree = typeof value === 'object' && value !== null;
  const shown = isTree
    ? html`<div class="tree" tabindex="0">${jsonMarkup(value, isMarked)}</div>`
    : html`<pre tabindex="0"><code>${linesOf(text, isMarked)}</code></pre>`;
  return html`<div class="code">${shown}<button type="button" class="copy">copy</button></div>`;
}

const linesOf = (text: string, isMarked: IsMarked) =>
  text.split('\n').map((line, i) => html`${i === 0 ? '' : '\n'}${isMarked(line) ? html`<mark>${line}</mark>` : line}`);

/** How many values a part at least has for it to be folded at first, by its depth. */
const foldedFrom = [Number.POSITIVE_INFINITY, 40, 12, 6];

/** A JSON value as elements that fold. Their text is the JSON itself. Where a line is marked, all parts without a mark are folded at first. */
export function jsonMarkup(value: unknown, isMarked: IsMarked = () => false): Markup {
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

function part(
  value: unknown,
  { name, after, depth, isMarked, isRestFolded }: Place,
): { shown: Markup; hasMark: boolean } {
  const before = name === '' ? null : html`<span class="json-name">${JSON.stringify(name)}</span>: `;
  const isList = Array.isArray(value);
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (entries.length === 0) {
    const text = JSON.stringify(value);
    const line = html`${before}<span class="json-${value === null ? 'null' : typeof value}">${text}</span>${after}`;
    const hasMark = isMarked(`${name}: ${text}`);
    return { shown: html`<span class="json-line">${hasMark ? html`<mark>${line}</mark>` : line}</span>`, hasMark };
  }
  const [start, end] = isList ? (['[', ']'] as const) : (['{', '}'] as const);
  const parts = entries.map(([key, inner], i) =>
    part(inner, {
      name: isList ? '' : key,
      after: i < entries.length - 1 ? ',' : '',
      depth: depth + 1,
      isMarked,
      isRestFolded,
    }),
  );
  const hasMark = parts.some((one) => one.hasMark);
  const isOpen = hasMark || (!isRestFolded && entries.length < (foldedFrom[depth] ?? 4));
  return {
    shown: html`<details class="json"${isOpen ? html` open` : null}><summary data-rest="… ${entries.length} ${end}${after}">${before}${start}</summary><span class="json-parts">${parts.map(({ shown }) => shown)}</span>${end}${after}</details>`,
    hasMark,
  };
}

/** Copies what stands beside the button, JSON with indentation. It goes into the script of a page with code. */
export const copyScript = `
  document.addEventListener('click', async (event) => {
    const button = event.target.closest('button.copy');
    if (!button) return;
    const code = button.previousElementSibling;
    const isTree = code.matches('.tree');
    const text = isTree ? JSON.stringify(JSON.parse(code.textContent), null, 2) : code.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'copied';
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = 'selected';
    }
    setTimeout(() => (button.textContent = 'copy'), 1500);
  });
`;

/** The style of code. */
export const codeStyle = `
.code { position: relative; margin: 0 0 10px; }
.js .code > :first-child { padding-right: 84px; }
pre, .tree { font: .8125rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; } pre code { font: inherit; }
pre, .tree { margin: 0; padding: 10px 12px; background: var(--code); border: 1px solid var(--line); border-radius: 8px; white-space: pre-wrap;
  overflow-wrap: anywhere; max-height: 26rem; overflow-y: auto; }
mark { color: var(--fail); background: var(--fail-bg); }
mark span { color: inherit; }
.copy { display: none; position: absolute; top: 6px; right: 6px; font: inherit; font-size: .8125rem; color: var(--ink); background: var(--card);
  border: 1px solid var(--line); border-radius: 6px; padding: 3px 10px; cursor: pointer; }
.js .copy { display: block; }
.tree { padding-left: 3.5ch; }
.json > summary { cursor: pointer; list-style: none; }
.json > summary::-webkit-details-marker { display: none; }
.json > summary::before { content: "▾"; display: inline-block; width: 2ch; margin-left: -2ch; color: var(--soft); }
.json:not([open]) > summary::before { content: "▸"; }
.json:not([open]) > summary::after { content: attr(data-rest); color: var(--soft); }
.json-parts, .json-line { display: block; } .json-parts { padding-left: 3ch; }
.json-name { color: light-dark(#6a3aa8, #c9a5ff); } .json-string { color: var(--pass); } .json-number { color: var(--accent); }
.json-boolean, .json-null { color: var(--warn); }
@media print {
  pre, .tree { max-height: none; overflow: visible; }
  .code:not(:has(.tree)) { break-inside: avoid; }
  .js .copy { display: none; } .js .code > :first-child { padding-right: 12px; }
  .tree:not(:has(mark)) .json::details-content { content-visibility: visible; block-size: auto; }
  .tree:not(:has(mark)) .json:not([open]) > summary::after { content: none; }
}
`;

/** A text with a capital letter at its beginning. */
export const capital = (text: string): string => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
