import { createElement, type ReactNode, useMemo } from 'react';
import { type JsonNode, jsonTree } from '../../../spec/report-page/json-tree.ts';
import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';
import { CopyButton } from './buttons.tsx';

/**
 * Code, a command or a body, as reports show it: JSON has colours and parts that fold, other text is shown as it is.
 * @param subject what is copied, for screen readers
 * @param isHalf whether only the first half of its characters was sent
 * @param head stands above the code, beside the button that copies it, which otherwise stands beside the code
 */
export function Code({ text, subject, head, isHalf = false }: CodeProps) {
  const value = useMemo(() => jsonOrUndefined(text), [text]);
  const isJson = typeof value === 'object' && value !== null;
  const isTree = isJson && !isHalf;
  const shown = isJson ? JSON.stringify(value, null, 2) : text;
  const copy = <CopyButton text={isHalf ? halfOf(text) : shown} subject={subject} className="small last" />;
  return (
    <>
      {head && (
        <div className="row">
          {head}
          {copy}
        </div>
      )}
      <div className="code">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls long code with the arrow keys */}
        <section className={isTree ? 'tree' : 'pre'} aria-label={subject} tabIndex={0}>
          {isTree ? drawn(jsonTree(value)) : isHalf ? <Halves of={text} shown={shown} /> : lines(text)}
        </section>
        {!head && copy}
      </div>
    </>
  );
}

interface CodeProps extends Record<'text' | 'subject', string> {
  readonly head?: ReactNode;
  readonly isHalf?: boolean;
}

/** What a cut-off reply has sent of its body. */
export const halfOf = (text: string) => text.slice(0, text.length / 2);

/** A body of which only the beginning was sent. It is shown with blanks between its characters. */
function Halves({ of: text, shown }: Record<'of' | 'shown', string>) {
  let end = 0;
  for (const character of halfOf(text)) end = shown.indexOf(character, end) + character.length;
  return (
    <>
      {shown.slice(0, end)}
      <mark>cut off {text.includes('REDACTED') && 'about '}here</mark>
      <span className="quiet">{shown.slice(end)}</span>
    </>
  );
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
