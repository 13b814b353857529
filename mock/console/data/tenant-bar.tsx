import { useCallback, useState } from 'react';
import { control } from '../control/control.ts';
import type { ClonedTenant, TenantData } from '../control/control-types.ts';
import { useAction } from '../control/use-action.ts';
import { ConfirmDialog } from '../dialogs/confirm-dialog.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { FormActions } from '../dialogs/form-actions.tsx';
import { InputField } from '../fields/input-field.tsx';
import { RevealDialog } from '../keys/reveal-dialog.tsx';
import { notices } from '../parts/notices.ts';
import { Problem } from '../parts/problem.tsx';

interface TenantBarProps {
  readonly tenant: TenantData;
  readonly choose: (tenant: string) => void;
}

/** Actions on a whole tenant: copy, reset and remove. */
export function TenantBar({ tenant, choose }: TenantBarProps) {
  const { name, clonedFrom } = tenant;
  const [open, setOpen] = useState<'reset' | 'remove' | 'clone' | ClonedTenant | null>(null);
  const close = useCallback(() => setOpen(null), []);
  const made = open !== null && typeof open === 'object' ? open.name : null;
  const leave = useCallback(() => {
    setOpen(null);
    // A reader who has opened another view meanwhile stays there.
    if (made !== null && location.hash.startsWith('#/data')) choose(made);
  }, [made, choose]);
  return (
    <div className="row">
      <button type="button" className="small" onClick={() => setOpen('clone')}>
        Copy {name}…
      </button>
      <button type="button" className="small" onClick={() => setOpen('reset')}>
        Reset {name}…
      </button>
      <button type="button" className="small danger" onClick={() => setOpen('remove')}>
        Remove {name}…
      </button>
      {open === 'clone' && <CloneDialog from={name} onCreated={setOpen} onClose={close} />}
      {open === 'reset' && (
        <ConfirmDialog
          title={`Reset ${name}?`}
          verb="Reset"
          onClose={close}
          act={async () => {
            await control.reset(name);
            notices.say(`Tenant ${name} was reset to its seed.`);
          }}
        >
          Its labels, files, keys and buckets go back to its seed. Keys created here and faults for this tenant are
          removed.
        </ConfirmDialog>
      )}
      {open === 'remove' && (
        <ConfirmDialog
          title={`Remove ${name}?`}
          verb="Remove"
          onClose={close}
          act={async () => {
            await control.removeTenant(name);
            notices.say(`Tenant ${name} was removed.`);
          }}
        >
          Its keys stop working at once.{' '}
          {clonedFrom === null ? 'It comes from a seed: “Reset everything” brings it back.' : 'This cannot be undone.'}
        </ConfirmDialog>
      )}
      {open !== null && typeof open === 'object' && (
        <RevealDialog
          title={`Tenant ${open.name} created`}
          keys={Object.entries(open.keys)
            .filter(([, key]) => !key.revoked)
            .map(([key, { secret }]) => ({ name: key, secret }))}
          onClose={leave}
        />
      )}
    </div>
  );
}

interface CloneDialogProps {
  readonly from: string;
  readonly onCreated: (tenant: ClonedTenant) => void;
  readonly onClose: () => void;
}

function CloneDialog({ from, onCreated, onClose }: CloneDialogProps) {
  const [name, setName] = useState('');
  const { run, problem } = useAction(async () => {
    const made = await control.cloneTenant(from, name.trim());
    onCreated(made);
  });
  return (
    <Dialog title={`Copy ${from}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <p className="quiet">
          The copy has the data of {from}’s seed with new ids and new keys. Make one for each test worker, for example.
        </p>
        <InputField label="Name" autoComplete="off" placeholder="generated if empty" value={name} onText={setName} />
        <Problem text={problem} />
        <FormActions verb="Copy" onCancel={onClose} />
      </form>
    </Dialog>
  );
}
