import type { Label } from '../control/control-types.ts';

/** A label. Private labels are marked, because the API never shows them. */
export function LabelBadge({ label }: { readonly label: Label }) {
  const isPrivate = label.visibility === 'private';
  return (
    <span className={isPrivate ? 'badge label private' : 'badge label'}>
      {label.name}
      {isPrivate && <em> private</em>}
    </span>
  );
}
