import { escaped } from '../text/escaped-html.ts';

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
