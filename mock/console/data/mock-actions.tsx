import { useState } from 'react';
import { control, type TenantData } from '../control/control.ts';
import { useTenants } from '../control/reads.ts';
import { reveal } from '../keys/reveal-dialog.tsx';
import { chooseTenant } from '../navigation/tenant.ts';
import { DownloadButton } from '../parts/buttons.tsx';
import { ConfirmButton, DialogButton } from '../parts/dialog.tsx';
import { Form, Input } from '../parts/form.tsx';
import { notices } from '../parts/notices.ts';
import { Section } from '../parts/text.tsx';
import { takenProblem } from '../parts/words.ts';

/** Actions on a whole tenant: copy, reset and remove. */
export const TenantActions = ({ tenant: { name, clonedFrom } }: { readonly tenant: TenantData }) => (
  <Section title={`All of ${name}`} className="card">
    <p className="quiet">
      A copy has the data of the seed with new ids and keys, for each test worker for example. A reset brings the seed
      back.
    </p>
    <div className="row">
      <DialogButton label={`Copy ${name}…`} title={`Copy ${name}`} className="small">
        <CopyForm from={name} />
      </DialogButton>
      <ConfirmButton
        label={`Reset ${name}…`}
        className="small"
        act={() => control.reset(name)}
        said={`Tenant ${name} was reset to its seed.`}
        text="Its labels, files, keys and buckets go back to its seed. Keys created here and faults for this tenant are removed."
      />
      <ConfirmButton
        label={`Remove ${name}…`}
        className="small danger"
        act={() => control.removeTenant(name)}
        said={`Tenant ${name} was removed.`}
        text={`Its keys stop working at once. ${
          clonedFrom === null ? 'It comes from a seed: “Reset everything” brings it back.' : 'This cannot be undone.'
        }`}
      />
    </div>
  </Section>
);

function CopyForm({ from }: { readonly from: string }) {
  const [name, setName] = useState('');
  const { data: tenants = [] } = useTenants();
  const copy = async () => {
    const { name: made, keys } = await control.cloneTenant(from, name.trim());
    const working = Object.entries(keys).flatMap(([key, { secret, revoked }]) =>
      revoked ? [] : { name: key, secret },
    );
    reveal(`Tenant ${made} created`, working, () => chooseTenant(made));
  };
  return (
    <Form verb="Copy" act={copy}>
      <Input
        label="Name"
        autoComplete="off"
        placeholder="generated if empty"
        pattern="[a-z0-9][a-z0-9\-]{0,62}"
        title="at most 63 lower-case letters, digits and hyphens"
        value={name}
        onText={setName}
        problem={takenProblem('tenant', name, tenants)}
      />
    </Form>
  );
}

async function restore(_: unknown, form: FormData) {
  const snapshot = form.get('snapshot') as File;
  await control.restore(await snapshot.text());
  notices.say(`Restored ${snapshot.name}.`);
}

/** Actions on the whole mock: snapshot, restore and reset. */
export const MockActions = () => (
  <Section title="The whole mock" className="card">
    <p className="quiet">
      A snapshot holds all tenants with keys (as hashes), labels, files with bytes, and the clock. A reset brings back
      all seeds.
    </p>
    <div className="row">
      <DownloadButton path="/snapshot" fileName="partnerkit-snapshot.json" label="Download snapshot" />
      <DialogButton label="Restore a snapshot…" title="Restore a snapshot" className="small">
        <Form verb="Restore" danger act={restore}>
          <p>
            The snapshot replaces everything that the mock holds now. If the snapshot has a mistake, nothing changes.
          </p>
          <Input label="Snapshot" type="file" accept="application/json,.json" required name="snapshot" />
        </Form>
      </DialogButton>
      <ConfirmButton
        label="Reset everything…"
        className="small danger"
        act={() => control.reset()}
        said="The mock was reset to its seeds."
        text="Tenants, keys, labels and files go back to the seeds. Copied tenants, faults and the list of requests are removed. The clock returns to real time, and the mock is wrong on purpose only if it was started so."
      />
    </div>
  </Section>
);
