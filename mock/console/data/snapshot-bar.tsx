import { useRef, useState } from 'react';
import { control } from '../control/control.ts';
import { ConfirmDialog } from '../dialogs/confirm-dialog.tsx';
import { DownloadButton } from '../parts/download-button.tsx';
import { notices } from '../parts/notices.ts';

/** Actions on the whole mock: snapshot, restore and reset. */
export function SnapshotBar() {
  const picker = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState<File | 'reset' | null>(null);
  const close = () => {
    setOpen(null);
    if (picker.current !== null) picker.current.value = '';
  };
  return (
    <section aria-labelledby="whole">
      <h2 id="whole">The whole mock</h2>
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
          onChange={(event) => setOpen(event.target.files?.[0] ?? null)}
        />
        <button type="button" className="small danger" onClick={() => setOpen('reset')}>
          Reset everything…
        </button>
      </div>
      {open === 'reset' && (
        <ConfirmDialog
          title="Reset everything?"
          verb="Reset everything"
          onClose={close}
          act={async () => {
            await control.reset();
            notices.say('The mock was reset to its seeds.');
          }}
        >
          Tenants, keys, labels and files go back to the seeds. Copied tenants, faults and the list of requests are
          removed, and the clock returns to real time.
        </ConfirmDialog>
      )}
      {open instanceof File && (
        <ConfirmDialog
          title={`Restore ${open.name}?`}
          verb="Restore"
          onClose={close}
          act={async () => {
            await control.restore(await open.text());
            notices.say(`Restored ${open.name}.`);
          }}
        >
          The snapshot replaces everything that the mock holds now. If the snapshot has a mistake, nothing changes.
        </ConfirmDialog>
      )}
    </section>
  );
}
