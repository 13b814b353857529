import { useState } from 'react';

const maxLines = 24;

/** Shows the first lines of a long text, and all of it on request. */
export function LongText({ text }: { readonly text: string }) {
  const [whole, setWhole] = useState(false);
  const lines = text.split('\n');
  const isLong = lines.length > maxLines + 4;
  return (
    <div className="card long-text">
      <pre>{isLong && !whole ? lines.slice(0, maxLines).join('\n') : text}</pre>
      {isLong && (
        <button type="button" className="plain" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? 'Show the beginning only' : `Show all ${lines.length} lines`}
        </button>
      )}
    </div>
  );
}
