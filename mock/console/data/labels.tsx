import { control, type Label } from '../control/control.ts';
import { Button } from '../parts/buttons.tsx';
import { Section } from '../parts/text.tsx';

/** A label. Private labels are marked, because the API never shows them. */
export function LabelBadge({ label: { name, visibility } }: { readonly label: Label }) {
  return (
    <span className="badge">
      {name}
      {visibility === 'private' && <em> private</em>}
    </span>
  );
}

type LabelTogglesProps = Record<'tenant' | 'holder', string> & Record<'carried' | 'labels', readonly Label[]>;

/**
 * Puts labels of the tenant on a record and takes them off, as the product does. Private labels are included, which the API hides.
 * @param holder the path of the record in the control API, below the tenant
 */
export function LabelToggles({ tenant, holder, carried, labels }: LabelTogglesProps) {
  const shown = carried.filter(({ visibility }) => visibility === 'public').map(({ name }) => name);
  const hidden = carried.length - shown.length;
  return (
    <Section title="Labels">
      <p className="quiet on-screen">A change takes effect at once and needs no key, as in the product.</p>
      <div className="card row">
        {labels.map((label) => {
          const isOn = carried.some(({ id }) => id === label.id);
          const change = isOn ? control.removeLabel : control.applyLabel;
          return (
            <Button
              key={label.id}
              label={[isOn && '✓ ', <LabelBadge key={label.id} label={label} />]}
              aria-pressed={isOn}
              act={() => change(tenant, holder, label.id)}
            />
          );
        })}
      </div>
      <p aria-live="polite">
        The API shows: {shown.length === 0 ? 'none' : shown.join(', ')}
        {hidden > 0 && <span className="quiet"> ({hidden} private hidden)</span>}
      </p>
    </Section>
  );
}
