import { useState } from 'react';
import { control, type Label } from '../control/control.ts';
import { useAction } from '../control/reads.ts';
import { Choice } from '../parts/form.tsx';
import { Problem, Section } from '../parts/text.tsx';

/** A label. Private labels are marked, because the API never shows them. */
export function LabelBadge({ label: { name, visibility } }: { readonly label: Label }) {
  return (
    <span className={`badge label ${visibility}`}>
      {name}
      {visibility === 'private' && <em> private</em>}
    </span>
  );
}

interface LabelTogglesProps {
  readonly tenant: string;
  /** The path of the record in the control API, below the tenant. */
  readonly holder: string;
  readonly carried: readonly Label[];
  /** All labels of the tenant. */
  readonly labels: readonly Label[];
}

/** Puts labels on a record and takes them off, as the product does. Private labels are included, which the API hides. */
export function LabelToggles({ tenant, holder, carried, labels }: LabelTogglesProps) {
  const on = new Set(carried.map(({ id }) => id));
  /** The label that was clicked shows its new state until the mock has replied. */
  const [wanted, setWanted] = useState<{ readonly id: string; readonly on: boolean } | null>(null);
  const { run, failure } = useAction(async ({ id }: Label) => {
    const change = on.has(id) ? control.removeLabel : control.applyLabel;
    await change(tenant, holder, id);
  });
  const toggle = async (label: Label) => {
    setWanted({ id: label.id, on: !on.has(label.id) });
    await run(label);
    setWanted(null);
  };
  const shown = carried.filter(({ visibility }) => visibility === 'public').map(({ name }) => name);
  const hidden = carried.length - shown.length;
  return (
    <Section title="Labels">
      <p className="quiet on-screen">
        A change here takes effect at once and needs no key, like a change in the product.
      </p>
      <div className="card row">
        {labels.map((label) => (
          <Choice
            key={label.id}
            checked={wanted?.id === label.id ? wanted.on : on.has(label.id)}
            onChange={() => void toggle(label)}
          >
            <LabelBadge label={label} />
          </Choice>
        ))}
      </div>
      <p aria-live="polite">
        The API shows: {shown.length === 0 ? 'none' : shown.join(', ')}
        {hidden > 0 && <span className="quiet"> ({hidden} private hidden)</span>}
      </p>
      <Problem text={failure?.message ?? null} />
    </Section>
  );
}
