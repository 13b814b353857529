import { CopyButton } from './copy-button.tsx';

/** A command for a shell, to be read and copied. */
export function Command({ text }: { readonly text: string }) {
  return (
    <div className="command">
      <pre>{text}</pre>
      <CopyButton text={text} label="Copy" className="small" />
    </div>
  );
}
