import { jsonOrUndefined } from '../text/json-or-undefined.ts';
import { type IsMarked, type JsonNode, jsonTree } from './json-tree.ts';

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

/** A command or a body, with a copy button. */
export const code = (text: string, isMarked: IsMarked = () => false): Markup =>
  html`<div class="code${isLong(text) ? ' long' : ''}">${shownCode(text, isMarked)}<button type="button" class="copy">copy</button></div>`;

/** Whether paper shows only its beginning. */
const isLong = (text: string) => (JSON.stringify(jsonOrUndefined(text), null, 1) ?? text).split('\n').length > 24;

/** JSON has colours, and its lists and objects fold. Other text is shown as it is. */
function shownCode(text: string, isMarked: IsMarked): Markup {
  const value = jsonOrUndefined(text);
  return typeof value === 'object' && value !== null
    ? html`<div class="tree" tabindex="0">${jsonMarkup(value, isMarked)}</div>`
    : html`<pre tabindex="0"><code>${text.split('\n').map((line, i) => html`${i === 0 ? '' : '\n'}${isMarked(line) ? html`<mark>${line}</mark>` : withOptions(line, hyphened)}`)}</code></pre>`;
}

/** What stands between backticks, a request, a path, a scope, a header, or a name such as uploadUrl. */
const literal =
  /(`[^`]+`|(?:(?:GET|PUT|POST|DELETE) |(?<!\S))[.…]*\/\S*[\w}]|\b[a-zA-Z]+:(?:read|write)\b|\bx-api-key\b|\b[A-Z][a-z]+(?:-[A-Z][a-z]+)+\b|\b(?:application|image|text|multipart)\/[\w.+-]*\w(?:; \w+=[\w-]+)?|(?:\$|\b)[A-Z]+_[A-Z_]+\b|\b[A-Z]{6,}\b|\b[a-z]+[A-Z]\w*(?:\.\w+)*)/g;

/** A sentence whose literals are between backticks. */
export const ticked = (text: string): string => text.replaceAll(literal, (one) => `\`${one.replaceAll('`', '')}\``);

/** In a sentence, the options of a command. */
const options = /(?<=^|[\s(])(--?[a-zA-Z][\w-]*|--(?=\s))/;
/** In code, all within which a line could end. */
const hyphened = /(?<!\S)(\S*[-/]\S*)/;

/** Text in which no line ends within such a word. */
export const withOptions = (text: string, words = options): Markup =>
  html`${text.split(words).map((part, i) => (i % 2 === 1 ? html`<span class="option">${part}</span>` : html`${part}`))}`;

/** A sentence whose literals are code. */
export const prose = (text: string): Markup =>
  html`${text.split(literal).map((part, i) => (i % 2 === 1 ? html`<code>${withOptions(part.replaceAll('`', ''))}</code>` : withOptions(part)))}`;

/** A JSON value as elements that fold. */
export const jsonMarkup = (value: unknown, isMarked?: IsMarked): Markup => drawn(jsonTree(value, isMarked));

function drawn(node: JsonNode): Markup {
  if (typeof node === 'string') return html`${node}`;
  const { tag, children, ...attributes } = node;
  const given = Object.entries(attributes).map(
    ([name, value]) => html` ${name}${value === true ? null : html`="${String(value)}"`}`,
  );
  return {
    markup: `<${tag}${given.map(({ markup }) => markup).join('')}>${children.map((each) => drawn(each).markup).join('')}</${tag}>`,
  };
}

/** Copies what stands beside the button, JSON with indentation. It goes into the script of a page with code, whose buttons do nothing without it. */
export const copyScript = `
  document.documentElement.classList.add('js');
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

/** A text with a capital letter at its beginning. */
export const capital = (text: string): string => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
