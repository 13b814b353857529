import { CopyButton } from './copy-button.tsx';

/** A whole id, which can be copied. */
export function IdText({ id }: { readonly id: string }) {
  return (
    <span className="id">
      <code>{id}</code> <CopyButton text={id} label="Copy" subject={id} className="plain" />
    </span>
  );
}
