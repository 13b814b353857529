import { createElement, type ReactNode, useMemo } from 'react';
import { type JsonNode, jsonTree } from '../../../spec/report-page/json-tree.ts';
import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';
import { CopyButton } from './buttons.tsx';

/**
 * Code, a command or a body, as reports show it: JSON has colours and parts that fold, other text is shown as it is.
 * @param subject what is copied, for screen readers
 * @param cut how many of its characters were sent, where not all were
 * @param head stands above the code, beside the button that copies it, which otherwise stands beside the code
 */
export function Code({ text, subject, head, cut }: CodeProps) {
  const value = useMemo(() => jsonOrUndefined(text), [text]);
  const isJson = typeof value === 'object' && value !== null;
  const isTree = isJson && cut === undefined;
  const copy = (
    <CopyButton text={isJson ? JSON.stringify(value, null, 2) : text} subject={subject} className="small last" />
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
          {isTree ? drawn(jsonTree(value)) : cut === undefined ? breakable(text) : <Halves text={text} cut={cut} />}
        </section>
        {!head && copy}
      </div>
    </>
  );
}

interface CodeProps extends Record<'text' | 'subject', string> {
  readonly head?: ReactNode;
  readonly cut?: number | undefined;
}

/** A body of which only the beginning was sent, JSON with a line for each value. */
function Halves({ text, cut }: { readonly text: string; readonly cut: number }) {
  const value = jsonOrUndefined(text);
  const shown = JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text;
  const bytes = (part: string) => new TextEncoder().encode(part).length;
  // Without its signature a body is shorter than what was sent.
  const place = text.includes('REDACTED')
    ? 'about here'
    : `here: ${bytes(text.slice(0, cut))} of ${bytes(text)} bytes were sent`;
  // Only blanks are added between the characters.
  let end = 0;
  for (const character of text.slice(0, cut)) end = shown.indexOf(character, end) + character.length;
  return (
    <>
      {shown.slice(0, end)}
      <mark>cut off {place}</mark>
      <span className="quiet">{shown.slice(end)}</span>
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
