import { createElement, type ReactNode, useMemo } from 'react';
import { type JsonNode, jsonTree } from '../../../spec/report-page/json-tree.ts';
import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';
import { CopyButton } from './buttons.tsx';

/**
 * Code, a command or a body, as reports show it: JSON has colours and parts that fold, other text is shown as it is.
 * @param subject what is copied, for screen readers
 * @param head stands above the code, beside the button that copies it, which otherwise stands beside the code
 */
export function Code({ text, subject, head }: Record<'text' | 'subject', string> & { readonly head?: ReactNode }) {
  const value = useMemo(() => jsonOrUndefined(text), [text]);
  const isTree = typeof value === 'object' && value !== null;
  const copy = (
    <CopyButton text={isTree ? JSON.stringify(value, null, 2) : text} subject={subject} className="small last" />
  );
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
          {isTree ? drawn(jsonTree(value)) : breakable(text)}
        </section>
        {!head && copy}
      </div>
    </>
  );
}

/** A text in which a long address breaks between its parts. */
export const breakable = (text: string) =>
  text.split(/(?<=[/?&])(?=[\w{])/).flatMap((part, place) => [part, createElement('wbr', { key: place })]);

function drawn(node: JsonNode): ReactNode {
  if (typeof node === 'string') return node;
  const { tag, class: className, children, ...attributes } = node;
  return createElement(tag, { className, ...attributes }, ...children.map(drawn));
}
