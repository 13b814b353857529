import { useEffect, useState } from 'react';
import { control, type Label } from '../control/control.ts';
import { useAction } from '../control/reads.ts';
import { Choice } from '../parts/form.tsx';
import { Problem, Section } from '../parts/text.tsx';

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
      <div className="card sides">
        {labels.map((label) => (
          <LabelToggle
            key={label.id}
            label={label}
            isOn={carried.some(({ id }) => id === label.id)}
            change={(on) => (on ? control.applyLabel : control.removeLabel)(tenant, holder, label.id)}
          />
        ))}
      </div>
      <p aria-live="polite">
        The API shows: {shown.length === 0 ? 'none' : shown.join(', ')}
        {hidden > 0 && <span className="quiet"> ({hidden} private hidden)</span>}
      </p>
    </Section>
  );
}

function LabelToggle({ label, isOn, change }: { label: Label; isOn: boolean; change: (on: boolean) => Promise<void> }) {
  const { run, failure } = useAction(change);
  // What was clicked stays so while the mock has not replied, whatever older reads say.
  const [meant, setMeant] = useState(isOn);
  useEffect(() => setMeant(isOn), [isOn]);
  const toggle = () => {
    setMeant(!isOn);
    void run(!isOn);
  };
  return (
    <div>
      <Choice checked={failure ? isOn : meant} onChange={toggle}>
        <LabelBadge label={label} />
      </Choice>
      <Problem text={failure?.message ?? null} />
    </div>
  );
}
