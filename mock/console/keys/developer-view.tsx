import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { control } from '../control/control.ts';
import type { Key } from '../control/control-types.ts';
import { ConfirmDialog } from '../dialogs/confirm-dialog.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { useRoute } from '../navigation/route.ts';
import { TenantSelect } from '../navigation/tenant-select.tsx';
import { useTenant } from '../navigation/use-tenant.ts';
import { Loaded } from '../parts/loaded.tsx';
import { notices } from '../parts/notices.ts';
import { KeyForm } from './key-form.tsx';
import { KeyPage } from './key-page.tsx';
import { type KeyAct, KeysTable } from './keys-table.tsx';
import { RevealDialog, type Revealed } from './reveal-dialog.tsx';

type Open =
  | { readonly act: 'create' }
  | { readonly act: KeyAct; readonly key: Key }
  | { readonly act: 'reveal'; readonly title: string; readonly revealed: Revealed };

/** The page Settings › Integrations › Developer, where API keys are created and revoked. */
export function DeveloperView() {
  const [tenant, choose] = useTenant();
  const [open, setOpen] = useState<Open | null>(null);
  const close = useCallback(() => setOpen(null), []);
  const keys = useQuery({
    queryKey: ['keys', tenant],
    queryFn: () => control.keys(tenant ?? ''),
    enabled: tenant !== null,
    refetchInterval: 3_000,
  });
  const { params } = useRoute();
  const [createdId, setCreatedId] = useState<string | null>(null);
  const onAct = (act: KeyAct, key: Key) => setOpen({ act, key });
  const chosen = keys.data?.find(({ id }) => id === params.get('id'));
  return (
    <>
      {chosen === undefined ? (
        <>
          <div className="heading">
            <div>
              <p className="crumbs">Settings › Integrations</p>
              <h1>Developer</h1>
            </div>
            {tenant !== null && <TenantSelect value={tenant} onChange={choose} />}
            <button
              type="button"
              className="primary"
              onClick={() => setOpen({ act: 'create' })}
              disabled={tenant === null}
            >
              Create key
            </button>
          </div>
          <p className="quiet lead">
            A key belongs to one tenant, has scopes, and has a rate limit of its own. The mock keeps only a hash of it.
          </p>
          <Loaded query={keys}>{(list) => <KeysTable keys={list} createdId={createdId} onAct={onAct} />}</Loaded>
        </>
      ) : (
        <KeyPage apiKey={chosen} onAct={onAct} />
      )}
      {open !== null && tenant !== null && (
        <KeyDialog open={open} tenant={tenant} setOpen={setOpen} onCreated={setCreatedId} close={close} />
      )}
    </>
  );
}

/** After a regeneration the dialog with the new secret is open and must not be closed. */
const stay = () => {};

interface KeyDialogProps {
  readonly open: Open;
  readonly tenant: string;
  readonly setOpen: (open: Open | null) => void;
  readonly onCreated: (id: string) => void;
  readonly close: () => void;
}

function KeyDialog({ open, tenant, setOpen, onCreated, close }: KeyDialogProps) {
  switch (open.act) {
    case 'create':
      return (
        <Dialog title={`Create a key of ${tenant}`} onClose={close}>
          <KeyForm
            named
            initial={{ name: '', scopes: [], rateLimit: null }}
            verb="Create key"
            onCancel={close}
            act={async ({ name, scopes, rateLimit }) => {
              const made = await control.createKey({ tenant, name, scopes, ...(rateLimit && { rateLimit }) });
              onCreated(made.id);
              setOpen({ act: 'reveal', title: `Key ${made.name} created`, revealed: made });
            }}
          />
        </Dialog>
      );
    case 'edit':
      return (
        <Dialog title={`Edit ${open.key.name}`} onClose={close}>
          <KeyForm
            named={false}
            initial={{ ...open.key, rateLimit: open.key.ownRateLimit ? open.key.rateLimit : null }}
            verb="Save"
            onCancel={close}
            act={async ({ scopes, rateLimit }) => {
              await control.editKey(open.key.id, { scopes, rateLimit });
              notices.say(`Key ${open.key.name} was changed. Its secret stays the same.`);
              close();
            }}
          />
        </Dialog>
      );
    case 'regenerate':
      return (
        <ConfirmDialog
          title={`Regenerate ${open.key.name}?`}
          verb="Regenerate"
          onClose={close}
          onDone={stay}
          act={async () => {
            const made = await control.regenerateKey(open.key.id);
            setOpen({ act: 'reveal', title: `Key ${made.name} has a new secret`, revealed: made });
          }}
        >
          It gets a new secret with the same scopes. The old secret <code>{open.key.prefix}…</code> stops working at
          once.
        </ConfirmDialog>
      );
    case 'revoke':
      return (
        <ConfirmDialog
          title={`Revoke ${open.key.name}?`}
          verb="Revoke"
          onClose={close}
          act={async () => {
            await control.revokeKey(open.key.id);
            notices.say(`Key ${open.key.name} was revoked.`);
          }}
        >
          The next request with this key gets 403. This cannot be undone: a revoked key stays in the list and never
          works again.
        </ConfirmDialog>
      );
    case 'reveal':
      return <RevealDialog title={open.title} keys={[open.revealed]} onClose={close} />;
  }
}
