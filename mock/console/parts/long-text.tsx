import { useState } from 'react';

const most = 24;

/** A text of many lines: its beginning, and all of it when asked. */
export function LongText({ text }: { readonly text: string }) {
  const [whole, setWhole] = useState(false);
  const lines = text.split('\n');
  const isLong = lines.length > most + 4;
  return (
    <div className="card long-text">
      <pre>{isLong && !whole ? lines.slice(0, most).join('\n') : text}</pre>
      {isLong && (
        <button type="button" className="plain" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? 'Show the beginning only' : `Show all ${lines.length} lines`}
        </button>
      )}
    </div>
  );
}
