import { useCallback, useState } from 'react';
import { control } from '../control/control.ts';
import type { Key } from '../control/control-types.ts';
import { useRead } from '../control/reads.ts';
import { href } from '../navigation/route.ts';
import { Confirm, Dialog, type Question } from '../parts/dialog.tsx';
import { notices } from '../parts/notices.ts';
import { Table } from '../parts/table.tsx';
import { Age, Fact, Instant } from '../parts/text.tsx';
import { LastRequests } from '../requests/last-requests.tsx';
import { KeyForm } from './key-form.tsx';
import { KeyLimit, KeyState, KeyText, scopeSentences } from './key-parts.tsx';
import { RevealDialog, type Revealed } from './reveal-dialog.tsx';

/** One key: its scopes, its rate limit, its last requests, and what can be done with it. */
export function KeyPage({ apiKey }: { readonly apiKey: Key }) {
  const { tenant, name, state, rateLimit, createdAt, lastUsedAt } = apiKey;
  const works = state === 'ACTIVE';
  return (
    <>
      <div className="heading">
        <div>
          <p className="crumbs">
            <a href={href('keys', { tenant })}>Developer</a> › {tenant}
          </p>
          <h1>
            {name} <KeyState state={state} />
          </h1>
        </div>
        <KeyActions apiKey={apiKey} />
      </div>
      <dl className="facts card">
        <Fact name="Key">
          <KeyText {...apiKey} />
        </Fact>
        <Fact name="Limit">
          <KeyLimit {...apiKey} />
        </Fact>
        {works && rateLimit !== null && (
          <Fact name="Level now">
            <BucketLevel apiKey={apiKey} />
          </Fact>
        )}
        <Fact name="Created">
          <Instant at={createdAt} />
        </Fact>
        <Fact name="Last used">
          <Age at={lastUsedAt} />
        </Fact>
      </dl>
      <Permitted scopes={apiKey.scopes} />
      <LastRequests tenant={tenant} query={{ key: name }} all={href('requests', { tenant, key: name })} />
    </>
  );
}

/** Buttons that edit, regenerate and revoke a key, with their dialogs. */
function KeyActions({ apiKey: key }: { readonly apiKey: Key }) {
  const [editing, setEditing] = useState(false);
  const [question, setQuestion] = useState<Question | null>(null);
  const [revealed, setRevealed] = useState<Revealed | null>(null);
  const close = useCallback(() => setRevealed(null), []);
  const regenerate: Question = {
    title: `Regenerate ${key.name}?`,
    verb: 'Regenerate',
    act: async () => {
      const made = await control.regenerateKey(key.id);
      setQuestion(null);
      setRevealed(made);
    },
    text: (
      <>
        It gets a new secret with the same scopes. The old secret <code>{key.prefix}…</code> stops working at once.
      </>
    ),
  };
  const revoke: Question = {
    title: `Revoke ${key.name}?`,
    verb: 'Revoke',
    act: () => control.revokeKey(key.id),
    said: `Key ${key.name} was revoked.`,
    text: 'The next request with this key gets 403. This cannot be undone: a revoked key stays in the list and never works again.',
  };
  return (
    <>
      {key.state === 'ACTIVE' && (
        <div className="row">
          <button type="button" onClick={() => setEditing(true)}>
            Edit…
          </button>
          <button type="button" onClick={() => setQuestion(regenerate)}>
            Regenerate…
          </button>
          <button type="button" className="danger" onClick={() => setQuestion(revoke)}>
            Revoke…
          </button>
        </div>
      )}
      {editing && (
        <Dialog title={`Edit ${key.name}`} onClose={() => setEditing(false)}>
          <KeyForm
            named={false}
            initial={{ ...key, rateLimit: key.ownRateLimit ? key.rateLimit : null }}
            verb="Save"
            onCancel={() => setEditing(false)}
            act={async ({ scopes, rateLimit }) => {
              await control.editKey(key.id, { scopes, rateLimit });
              notices.say(`Key ${key.name} was changed. Its secret stays the same.`);
              setEditing(false);
            }}
          />
        </Dialog>
      )}
      <Confirm question={question} onClose={() => setQuestion(null)} />
      {revealed !== null && (
        <RevealDialog title={`Key ${key.name} has a new secret`} keys={[revealed]} onClose={close} />
      )}
    </>
  );
}

function BucketLevel({ apiKey: { id, tenant, name } }: { readonly apiKey: Key }) {
  const { data } = useRead(['limit', id], () => control.limit(id), { every: 1_000 });
  return <a href={href('limits', { tenant, key: name })}>{data?.level?.toFixed(1) ?? '…'}</a>;
}

function Permitted({ scopes }: { readonly scopes: readonly string[] }) {
  const granted = scopeSentences.filter(({ scope }) => scopes.includes(scope));
  const others = scopeSentences.filter(({ scope }) => !scopes.includes(scope));
  return (
    <section aria-labelledby="permitted">
      <h2 id="permitted">Scopes</h2>
      {granted.length === 0 ? (
        <p className="quiet">This key has no scope. It can only read health and labels.</p>
      ) : (
        <ScopesTable scopes={granted} />
      )}
      {others.length > 0 && (
        <details>
          <summary>{others.length === 1 ? '1 scope' : `${others.length} scopes`} that this key does not have</summary>
          <ScopesTable scopes={others} />
        </details>
      )}
    </section>
  );
}

const ScopesTable = ({ scopes }: { readonly scopes: typeof scopeSentences }) => (
  <Table
    rows={scopes}
    keyOf={({ scope }) => scope}
    columns={[
      { name: 'Scope', cell: ({ scope }) => <code>{scope}</code> },
      { name: 'What it permits', cell: ({ sentence }) => sentence },
      {
        name: 'Operations that need it',
        cell: ({ operations }) => (
          <span className="chips">
            {operations.map((id) => (
              <a key={id} href={href('reference', { operation: id })}>
                {id}
              </a>
            ))}
          </span>
        ),
      },
    ]}
  />
);
