import { CopyButton } from './copy-button.tsx';

/** A shell command with a copy button. */
export function Command({ text }: { readonly text: string }) {
  return (
    <div className="command">
      <pre>{text}</pre>
      <CopyButton text={text} label="Copy" className="small" />
    </div>
  );
}
