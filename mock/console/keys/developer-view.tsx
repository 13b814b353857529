import { useCallback, useState } from 'react';
import { scopes as allScopes } from '../../../spec/operations.ts';
import { control } from '../control/control.ts';
import type { Key, RevealedKey } from '../control/control-types.ts';
import { useRead } from '../control/reads.ts';
import { href, useRoute } from '../navigation/route.ts';
import { TenantSelect, useTenant } from '../navigation/tenant.tsx';
import { CopyButton } from '../parts/buttons.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Age, Fact, Loaded } from '../parts/text.tsx';
import { KeyForm } from './key-form.tsx';
import { KeyPage } from './key-page.tsx';
import { KeyLimit, KeyState, KeyText } from './key-parts.tsx';
import { RevealDialog } from './reveal-dialog.tsx';

/** The page Settings › Integrations › Developer, where API keys are created and revoked. */
export default function DeveloperView() {
  const tenant = useTenant();
  const { params } = useRoute();
  /** The secret is forgotten as soon as its dialog is closed. */
  const [revealed, setRevealed] = useState<RevealedKey | null>(null);
  const [createdId, setCreatedId] = useState<string | null>(null);
  const close = useCallback(() => setRevealed(null), []);
  const keys = useRead(['keys', tenant], () => control.keys(tenant ?? ''), { every: 3_000, when: tenant !== null });
  const chosen = keys.data?.find(({ id }) => id === params.get('id'));
  if (chosen !== undefined) return <KeyPage apiKey={chosen} />;
  return (
    <>
      <div className="heading">
        <div>
          <p className="crumbs">Settings › Integrations</p>
          <h1>Developer</h1>
        </div>
        <TenantSelect />
        <DialogButton
          label="Create key"
          className="primary"
          title={`Create a key of ${tenant}`}
          disabled={tenant === null}
        >
          {(done) => (
            <KeyForm
              taken={(keys.data ?? []).flatMap(({ name, state }) => (state === 'REVOKED' ? [] : name))}
              initial={{ name: '', scopes: [], rateLimit: null }}
              verb="Create key"
              onCancel={done}
              act={async ({ name, scopes, rateLimit }) => {
                const key = { tenant: tenant ?? '', name, scopes, ...(rateLimit && { rateLimit }) };
                const made = await control.createKey(key);
                setCreatedId(made.id);
                setRevealed(made);
                done();
              }}
            />
          )}
        </DialogButton>
      </div>
      <p className="quiet lead">
        A key opens the API of one tenant, as far as its scopes permit, and each key has its own bucket for the rate
        limit. The mock keeps only a hash of it.
      </p>
      <dl className="facts card">
        <Fact name="Base URL">
          <code>{location.origin}</code> <CopyButton text={location.origin} subject="the base URL" className="plain" />
        </Fact>
        <Fact name="Send the key as">
          <code>x-api-key: …</code>
        </Fact>
        <Fact name="Next">
          <a href={href('reference', { tenant })}>try an operation</a>,{' '}
          <a href={href('requests', { tenant })}>see the requests</a>
        </Fact>
      </dl>
      <Loaded query={keys}>
        {(list) => (
          <Table
            rows={[...list].sort((a, b) => b.createdAt.localeCompare(a.createdAt))}
            columns={columnsWith(createdId)}
            keyOf={({ id }) => id}
            stateOf={(key) => (key.state === 'REVOKED' ? 'over' : key.id === createdId ? 'marked' : undefined)}
            none="This tenant has no key."
          />
        )}
      </Loaded>
      {revealed !== null && <RevealDialog title={`Key ${revealed.name} created`} keys={[revealed]} onClose={close} />}
    </>
  );
}

/** @param createdId the id of the key that was just created */
const columnsWith = (createdId: string | null): readonly Column<Key>[] => [
  {
    name: 'Name',
    cell: ({ id, tenant, name, state }) => (
      <>
        <a href={href('keys', { tenant, id })}>{name}</a>
        {id === createdId && state === 'ACTIVE' && <span className="badge reference">new</span>}
      </>
    ),
  },
  { name: 'Key', kind: 'whole', cell: (key) => <KeyText apiKey={key} /> },
  { name: 'Scopes', cell: ({ scopes }) => <Scopes scopes={scopes} /> },
  { name: 'Limit', kind: 'whole', cell: (key) => <KeyLimit {...key} /> },
  { name: 'Last used', kind: 'whole', cell: ({ lastUsedAt }) => <Age at={lastUsedAt} /> },
  { name: 'State', kind: 'whole', cell: ({ state }) => <KeyState state={state} /> },
];

function Scopes({ scopes }: { readonly scopes: readonly string[] }) {
  if (scopes.length === 0) return <span className="quiet">none</span>;
  if (scopes.length === allScopes.length) return <span title={scopes.join(', ')}>all {scopes.length}</span>;
  return (
    <span className="chips">
      {scopes.map((scope) => (
        <code key={scope}>{scope}</code>
      ))}
    </span>
  );
}
