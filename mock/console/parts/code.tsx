import { createElement, type ReactNode, useMemo } from 'react';
import { type JsonNode, jsonTree } from '../../../spec/report-page/json-tree.ts';
import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';
import { CopyButton } from './buttons.tsx';

interface CodeProps {
  /** JSON has colours and parts that fold. Other text is shown as it is. */
  readonly text: string;
  /** What is copied, for screen readers. */
  readonly subject: string;
  /** Whether it has a button of its own that copies it. */
  readonly copies?: boolean;
}

/** Code, a command or a body, as reports show it. */
export function Code({ text, subject, copies = true }: CodeProps) {
  const value = useMemo(() => jsonOrUndefined(text), [text]);
  const isTree = typeof value === 'object' && value !== null;
  return (
    <div className="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls long code with the arrow keys */}
      <section className={isTree ? 'tree' : 'pre'} aria-label={subject} tabIndex={0}>
        {isTree ? drawn(jsonTree(value)) : text}
      </section>
      {copies && (
        <CopyButton text={isTree ? JSON.stringify(value, null, 2) : text} subject={subject} className="small" />
      )}
    </div>
  );
}

function drawn(node: JsonNode): ReactNode {
  if (typeof node === 'string') return node;
  const { tag, class: className, children, ...attributes } = node;
  return createElement(tag, { className, ...attributes }, ...children.map(drawn));
}
