import { createElement, type ReactNode, useMemo } from 'react';
import { type JsonNode, jsonTree } from '../../../spec/report-page/json-tree.ts';
import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';
import { CopyButton } from './buttons.tsx';

interface CodeProps {
  /** JSON has colours and parts that fold. Other text is shown as it is. */
  readonly text: string;
  /** What is copied, for screen readers. */
  readonly subject: string;
  /** Stands above the code, beside the button that copies it. Without it the button stands beside the code. */
  readonly head?: ReactNode;
}

/** Code, a command or a body, as reports show it. */
export function Code({ text, subject, head }: CodeProps) {
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
