import { useState } from 'react';

interface CopyButtonProps {
  readonly text: string;
  /** For example `Copy as curl`. */
  readonly label: string;
  /** What is copied, for screen readers, which read the button without its row. */
  readonly subject?: string;
  readonly className?: string;
}

/** Copies a text and says whether that worked. Browsers give pages a clipboard only on https and on localhost. */
export function CopyButton({ text, label, subject, className }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'Copied' | 'Select it and copy by hand' | null>(null);
  const copy = async () => {
    const written = await Promise.resolve(navigator.clipboard?.writeText(text).then(() => true)).catch(() => false);
    setOutcome(written ? 'Copied' : 'Select it and copy by hand');
    setTimeout(() => setOutcome(null), 3_000);
  };
  return (
    <button type="button" className={className} onClick={copy}>
      <span aria-live="polite">
        {outcome ?? label}
        {subject !== undefined && <span className="visually-hidden"> {subject}</span>}
      </span>
    </button>
  );
}
