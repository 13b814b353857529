import { createElement, type ReactNode, useMemo } from 'react';
import { type JsonNode, jsonTree } from '../../../spec/report-page/json-tree.ts';
import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';
import { CopyButton } from './buttons.tsx';

/**
 * Code, a command or a body, as reports show it: JSON has colours and parts that fold, other text is shown as it is.
 * @param subject what is copied, for screen readers
 * @param isHalf whether only the first half of its characters was sent
 * @param head stands above the code, beside the button that copies it
 */
export function Code({ text: whole, subject, head, isHalf = false }: CodeProps) {
  const text = isHalf ? whole.slice(0, whole.length / 2) : whole;
  const value = useMemo(() => jsonOrUndefined(text), [text]);
  const isJson = typeof value === 'object' && value !== null;
  const shown = isJson ? JSON.stringify(value, null, 2) : text;
  return (
    <>
      <div className="row">
        {head}
        <CopyButton text={shown} subject={subject} className="small last" />
      </div>
      <div className="code">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls long code with the arrow keys */}
        <section className={isJson ? 'tree' : 'pre'} aria-label={subject} tabIndex={0}>
          {isJson ? drawn(jsonTree(value)) : lines(text)}
          {isHalf && <mark>cut off {whole.includes('REDACTED') && 'about '}here</mark>}
        </section>
      </div>
    </>
  );
}

interface CodeProps extends Record<'text' | 'subject', string> {
  readonly head?: ReactNode;
  readonly isHalf?: boolean;
}

/** Lines of a command or a text. What has no room on a line stands below its beginning. */
const lines = (text: string) =>
  text.split(/(?<=\n)/).map((line, key) => createElement('span', { key, className: 'line' }, breakable(line)));

/** A line in which a word breaks nowhere, and a longer one, such as an address, between its parts. The first word, such as `export`, stays with the next. */
export const breakable = (text: string) =>
  text.split(/(\s{2,}|[^\S ]|(?<!^ *\S+) )/).map((word, key) => {
    if (key % 2 === 1 || word === '') return word;
    // On a telephone a line has room for 40 letters.
    const parts = word.length <= 40 ? [word] : word.split(/(?<==)(?=')|(?<=[/?&])(?=[\w{])(?<!='.*)/);
    return parts.map((part, i) => createElement('span', { key: `${key} ${i}`, className: 'word' }, part));
  });

function drawn(node: JsonNode): ReactNode {
  if (typeof node === 'string') return node;
  const { tag, class: className, children, ...attributes } = node;
  return createElement(tag, { className, ...attributes }, ...children.map(drawn));
}
