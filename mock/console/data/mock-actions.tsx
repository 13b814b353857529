import { useRef, useState } from 'react';
import { type ClonedTenant, control, type TenantData } from '../control/control.ts';
import { useTenants } from '../control/reads.ts';
import { RevealDialog } from '../keys/reveal-dialog.tsx';
import { chooseTenant } from '../navigation/tenant.tsx';
import { DownloadButton } from '../parts/buttons.tsx';
import { Confirm, ConfirmButton, Dialog, DialogButton } from '../parts/dialog.tsx';
import { Form, Input } from '../parts/form.tsx';
import { Section } from '../parts/text.tsx';
import { takenProblem } from '../parts/words.ts';

/** Actions on a whole tenant: copy, reset and remove. */
export function TenantActions({ tenant: { name, clonedFrom } }: { readonly tenant: TenantData }) {
  const [made, setMade] = useState<ClonedTenant | null>(null);
  const leave = () => {
    setMade(null);
    // A reader who has opened another view meanwhile stays there.
    if (made !== null && location.hash.startsWith('#/data')) chooseTenant(made.name);
  };
  return (
    <div className="row">
      <DialogButton label={`Copy ${name}…`} title={`Copy ${name}`} className="small">
        {(close) => <CopyForm from={name} onClose={close} onCreated={setMade} />}
      </DialogButton>
      <ConfirmButton
        label={`Reset ${name}…`}
        className="small"
        title={`Reset ${name}?`}
        verb="Reset"
        act={() => control.reset(name)}
        said={`Tenant ${name} was reset to its seed.`}
        text="Its labels, files, keys and buckets go back to its seed. Keys created here and faults for this tenant are removed."
      />
      <ConfirmButton
        label={`Remove ${name}…`}
        className="small danger"
        title={`Remove ${name}?`}
        verb="Remove"
        act={() => control.removeTenant(name)}
        said={`Tenant ${name} was removed.`}
        text={`Its keys stop working at once. ${
          clonedFrom === null ? 'It comes from a seed: “Reset everything” brings it back.' : 'This cannot be undone.'
        }`}
      />
      {made !== null && (
        <RevealDialog
          title={`Tenant ${made.name} created`}
          keys={Object.entries(made.keys).flatMap(([key, { secret, revoked }]) =>
            revoked ? [] : { name: key, secret },
          )}
          onClose={leave}
        />
      )}
    </div>
  );
}

interface CopyFormProps {
  readonly from: string;
  readonly onCreated: (tenant: ClonedTenant) => void;
  readonly onClose: () => void;
}

function CopyForm({ from, onCreated, onClose }: CopyFormProps) {
  const [name, setName] = useState('');
  const { data: tenants = [] } = useTenants();
  const taken = tenants.map((tenant) => tenant.name);
  const copy = async () => {
    onCreated(await control.cloneTenant(from, name.trim()));
    onClose();
  };
  return (
    <Form verb="Copy" act={copy} onCancel={onClose}>
      <p className="quiet">
        The copy has the data of {from}’s seed with new ids and new keys. Make one for each test worker, for example.
      </p>
      <Input
        label="Name"
        autoComplete="off"
        placeholder="generated if empty"
        pattern="[a-z0-9][a-z0-9\-]{0,62}"
        title="at most 63 lower-case letters, digits and hyphens"
        value={name}
        onText={setName}
        problem={takenProblem('tenant', name, taken)}
      />
    </Form>
  );
}

/** Actions on the whole mock: snapshot, restore and reset. */
export function MockActions() {
  const picker = useRef<HTMLInputElement>(null);
  const [snapshot, setSnapshot] = useState<File | null>(null);
  const close = () => {
    setSnapshot(null);
    // The same file can be chosen again.
    if (picker.current !== null) picker.current.value = '';
  };
  return (
    <Section title="The whole mock" className="on-screen">
      <p className="quiet">
        A snapshot holds all tenants with their keys (as hashes), labels, files with their bytes, and the clock.
      </p>
      <div className="row">
        <DownloadButton path="/snapshot" fileName="partnerkit-snapshot.json" label="Download snapshot" />
        <button type="button" className="small" onClick={() => picker.current?.click()}>
          Restore a snapshot…
        </button>
        <input
          ref={picker}
          type="file"
          accept="application/json,.json"
          aria-label="Snapshot to restore"
          className="visually-hidden"
          tabIndex={-1}
          onChange={({ currentTarget: { files } }) => setSnapshot(files?.[0] ?? null)}
        />
        <ConfirmButton
          label="Reset everything…"
          className="small danger"
          title="Reset everything?"
          verb="Reset everything"
          act={() => control.reset()}
          said="The mock was reset to its seeds."
          text="Tenants, keys, labels and files go back to the seeds. Copied tenants, faults and the list of requests are removed, and the clock returns to real time."
        />
      </div>
      {snapshot !== null && (
        <Dialog title={`Restore ${snapshot.name}?`} onClose={close}>
          <Confirm
            verb="Restore"
            act={async () => control.restore(await snapshot.text())}
            said={`Restored ${snapshot.name}.`}
            text="The snapshot replaces everything that the mock holds now. If the snapshot has a mistake, nothing changes."
            onClose={close}
          />
        </Dialog>
      )}
    </Section>
  );
}
