import { type ReactNode, useMemo } from 'react';
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

/** Code, a command or a body. */
export function Code({ text, subject, copies = true }: CodeProps) {
  const value = useMemo(() => jsonOrUndefined(text), [text]);
  const isTree = typeof value === 'object' && value !== null;
  return (
    <div className="code">
      {copies && (
        <CopyButton text={isTree ? JSON.stringify(value, null, 2) : text} subject={subject} className="small" />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls long code with the arrow keys */}
      <section className="code-text" aria-label={subject} tabIndex={0}>
        {isTree ? <Value value={value} /> : text}
      </section>
    </div>
  );
}

interface ValueProps {
  readonly value: unknown;
  readonly depth?: number;
  /** What comes before the value in its line: the name of a property. */
  readonly before?: ReactNode;
  /** A comma, except after the last value. */
  readonly after?: string;
}

/** How many values a part at least has for it to be folded at first, by its depth. */
const foldedFrom = [Number.POSITIVE_INFINITY, 40, 12, 6];

/** A JSON value. The text of its element is the JSON itself. */
function Value({ value, depth = 0, before, after = '' }: ValueProps) {
  const parts = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (parts.length === 0) {
    return (
      <div>
        {before}
        <span className={`json-${value === null ? 'null' : typeof value}`}>{JSON.stringify(value)}</span>
        {after}
      </div>
    );
  }
  const [start, end] = Array.isArray(value) ? '[]' : '{}';
  return (
    <details open={parts.length < (foldedFrom[depth] ?? 4)}>
      <summary data-rest={`… ${parts.length} ${end}${after}`}>
        {before}
        {start}
      </summary>
      <div className="json-parts">
        {parts.map(([name, part], i) => (
          <Value
            key={name}
            value={part}
            depth={depth + 1}
            before={
              start === '{' && (
                <>
                  <span className="json-name">{JSON.stringify(name)}</span>:{' '}
                </>
              )
            }
            after={i < parts.length - 1 ? ',' : ''}
          />
        ))}
      </div>
      {end}
      {after}
    </details>
  );
}
