import { useState } from 'react';
import { control } from '../control/control.ts';
import type { Label } from '../control/control-types.ts';
import { useAction } from '../control/use-action.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Problem } from '../parts/problem.tsx';
import type { Holder } from './holders-table.tsx';
import { LabelBadge } from './label-badge.tsx';

interface LabelDialogProps {
  readonly tenant: string;
  readonly holder: Holder;
  /** All labels of the tenant. */
  readonly labels: readonly Label[];
  readonly onClose: () => void;
}

/** Labels as the product puts them on and takes them off: private ones too, which the API goes on hiding. */
export function LabelDialog({ tenant, holder, labels, onClose }: LabelDialogProps) {
  const carried = new Set(holder.labels.map(({ id }) => id));
  const [changing, setChanging] = useState<string | null>(null);
  const { run, problem } = useAction(async (label: Label) => {
    const change = carried.has(label.id) ? control.removeLabel : control.applyLabel;
    await change(tenant, holder.path, label.id);
  });
  const toggle = async (label: Label) => {
    setChanging(label.id);
    await run(label);
    setChanging(null);
  };
  const shown = holder.labels.filter(({ visibility }) => visibility === 'public').map(({ name }) => name);
  const hidden = holder.labels.length - shown.length;
  return (
    <Dialog title={`Labels of ${holder.name}`} onClose={onClose}>
      <p className="quiet">As the product would: at once, past every key and scope.</p>
      <fieldset>
        <legend>Labels of {tenant}</legend>
        {labels.map((label) => (
          <label key={label.id} className="choice">
            <input
              type="checkbox"
              checked={carried.has(label.id) !== (changing === label.id)}
              onChange={() => void toggle(label)}
            />
            <LabelBadge label={label} />
          </label>
        ))}
      </fieldset>
      <p aria-live="polite">
        The API shows: {shown.length === 0 ? 'none' : shown.join(', ')}
        {hidden > 0 && <span className="quiet"> ({hidden} private hidden)</span>}
      </p>
      <Problem text={problem} />
      <div className="actions">
        <button type="button" className="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
