import { useCallback, useState } from 'react';
import { control } from '../control/control.ts';
import type { ClonedTenant, TenantData } from '../control/control-types.ts';
import { useAction } from '../control/use-action.ts';
import { ConfirmDialog } from '../dialogs/confirm-dialog.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { FormActions } from '../dialogs/form-actions.tsx';
import { RevealDialog } from '../keys/reveal-dialog.tsx';
import { notices } from '../parts/notices.ts';
import { Problem } from '../parts/problem.tsx';

interface TenantBarProps {
  readonly tenant: TenantData;
  readonly choose: (tenant: string) => void;
}

/** What can be done with a tenant as a whole. */
export function TenantBar({ tenant, choose }: TenantBarProps) {
  const { name, clonedFrom } = tenant;
  const [open, setOpen] = useState<'reset' | 'remove' | 'clone' | ClonedTenant | null>(null);
  const close = useCallback(() => setOpen(null), []);
  const made = open !== null && typeof open === 'object' ? open.name : null;
  const leave = useCallback(() => {
    setOpen(null);
    // Whoever left for another view by its address is not to be followed there.
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
      {open === 'clone' && <CloneDialog from={name} onMade={setOpen} onClose={close} />}
      {open === 'reset' && (
        <ConfirmDialog
          title={`Reset ${name}?`}
          verb="Reset"
          onClose={close}
          act={async () => {
            await control.reset(name);
            notices.say(`Tenant ${name} is as its seed has it.`);
          }}
        >
          Its labels, files, keys and buckets go back to its seed; keys made here are gone, and so are faults for it.
        </ConfirmDialog>
      )}
      {open === 'remove' && (
        <ConfirmDialog
          title={`Remove ${name}?`}
          verb="Remove"
          onClose={close}
          act={async () => {
            await control.removeTenant(name);
            notices.say(`Tenant ${name} is removed.`);
          }}
        >
          Its keys fail at once.{' '}
          {clonedFrom === null
            ? 'It is a tenant of the seeds: a reset of everything brings it back.'
            : 'It is gone for good.'}
        </ConfirmDialog>
      )}
      {open !== null && typeof open === 'object' && (
        <RevealDialog
          title={`Tenant ${open.name} is made`}
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
  readonly onMade: (made: ClonedTenant) => void;
  readonly onClose: () => void;
}

function CloneDialog({ from, onMade, onClose }: CloneDialogProps) {
  const [name, setName] = useState('');
  const { run, problem } = useAction(async () => {
    const made = await control.cloneTenant(from, name.trim());
    onMade(made);
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
          A tenant as the seed of {from} has it, with fresh ids and fresh keys: one for each test worker, for example.
        </p>
        <label className="field">
          Name
          <input
            autoComplete="off"
            placeholder="chosen for you when empty"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <Problem text={problem} />
        <FormActions verb="Copy" onCancel={onClose} />
      </form>
    </Dialog>
  );
}
