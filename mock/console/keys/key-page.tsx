import { useCallback, useState } from 'react';
import { control } from '../control/control.ts';
import type { Key } from '../control/control-types.ts';
import { href } from '../navigation/route.ts';
import { ConfirmButton, DialogButton } from '../parts/dialog.tsx';
import { notices } from '../parts/notices.ts';
import { Table } from '../parts/table.tsx';
import { Age, Fact, InlineCode, Instant } from '../parts/text.tsx';
import { CodeTabs } from '../samples/code-tabs.tsx';
import { firstRequest } from '../samples/request-of.ts';
import { KeyForm } from './key-form.tsx';
import { KeyLimit, KeyState, KeyText, scopeSentences, useSecretOf } from './key-parts.tsx';
import { RevealDialog, type Revealed } from './reveal-dialog.tsx';

/** One key: its scopes, its rate limit, and what can be done with it. */
export function KeyPage({ apiKey }: { readonly apiKey: Key }) {
  const { tenant, name, state, createdAt, lastUsedAt } = apiKey;
  const secret = useSecretOf(apiKey);
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
          <KeyText apiKey={apiKey} />
        </Fact>
        <Fact name="Limit">
          <KeyLimit {...apiKey} />
        </Fact>
        <Fact name="Created">
          <Instant at={createdAt} />
        </Fact>
        <Fact name="Last used">
          <Age at={lastUsedAt} />
        </Fact>
        <Fact name="Used for">
          <a href={href('requests', { tenant, key: name })}>its requests</a>,{' '}
          <a href={href('limits', { tenant, key: name })}>its last minute</a>
        </Fact>
      </dl>
      <Permitted scopes={apiKey.scopes} />
      {state === 'ACTIVE' && (
        <section aria-labelledby="use">
          <h2 id="use">Use it</h2>
          <p className="quiet lead">
            {secret === undefined
              ? 'The mock has only a hash of this key, so the code reads it from the environment variable KEY.'
              : 'The secret is a documented fake of a fixture, so it may stand in code.'}{' '}
            The <a href={href('reference', { tenant })}>API reference</a> has this for every operation.
          </p>
          <CodeTabs request={firstRequest(secret)} />
        </section>
      )}
    </>
  );
}

/** Buttons that edit, regenerate and revoke a key, with their dialogs. A revoked key has none. */
function KeyActions({ apiKey: key }: { readonly apiKey: Key }) {
  const [revealed, setRevealed] = useState<Revealed | null>(null);
  const forget = useCallback(() => setRevealed(null), []);
  if (key.state === 'REVOKED') return null;
  return (
    <div className="row">
      <DialogButton label="Edit…" title={`Edit ${key.name}`}>
        {(close) => (
          <KeyForm
            initial={{ ...key, rateLimit: key.ownRateLimit ? key.rateLimit : null }}
            verb="Save"
            onCancel={close}
            act={async ({ scopes, rateLimit }) => {
              await control.editKey(key.id, { scopes, rateLimit });
              notices.say(`Key ${key.name} was changed. Its secret stays the same.`);
              close();
            }}
          />
        )}
      </DialogButton>
      <ConfirmButton
        label="Regenerate…"
        title={`Regenerate ${key.name}?`}
        verb="Regenerate"
        act={() => control.regenerateKey(key.id).then(setRevealed)}
        text={
          <InlineCode
            text={`It gets a new secret with the same scopes. The old secret \`${key.prefix}…\` stops working at once.`}
          />
        }
      />
      <ConfirmButton
        label="Revoke…"
        className="danger"
        title={`Revoke ${key.name}?`}
        verb="Revoke"
        act={() => control.revokeKey(key.id)}
        said={`Key ${key.name} was revoked.`}
        text="The next request with this key gets 403. This cannot be undone: a revoked key stays in the list and never works again."
      />
      {revealed !== null && (
        <RevealDialog title={`Key ${key.name} has a new secret`} keys={[revealed]} onClose={forget} />
      )}
    </div>
  );
}

function Permitted({ scopes }: Pick<Key, 'scopes'>) {
  const has = (scope: string) => scopes.includes(scope);
  return (
    <section aria-labelledby="permitted">
      <h2 id="permitted">Scopes</h2>
      {scopes.length === 0 && <p>This key has no scope. It can only read health and labels.</p>}
      <Table
        rows={scopeSentences.toSorted((a, b) => Number(has(b.scope)) - Number(has(a.scope)))}
        keyOf={({ scope }) => scope}
        stateOf={({ scope }) => (has(scope) ? undefined : 'over')}
        columns={[
          { name: 'Scope', kind: 'whole', cell: ({ scope }) => <code>{scope}</code> },
          { name: 'Granted', kind: 'whole', cell: ({ scope }) => (has(scope) ? 'yes' : 'no') },
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
    </section>
  );
}
