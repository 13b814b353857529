import { CopyButton } from './copy-button.tsx';

/** A full id with a copy button. */
export function IdText({ id }: { readonly id: string }) {
  return (
    <span className="id">
      <code>{id}</code> <CopyButton text={id} label="Copy" subject={id} className="plain" />
    </span>
  );
}
