import { control, type Key } from '../control/control.ts';
import { useKnownKeys } from '../control/reads.ts';
import { href } from '../navigation/route.ts';
import { CopyButton } from '../parts/buttons.tsx';
import { ConfirmButton, DialogButton } from '../parts/dialog.tsx';
import { notices } from '../parts/notices.ts';
import { Table } from '../parts/table.tsx';
import { Age, Facts, Instant, Section } from '../parts/text.tsx';
import { describeLimit } from '../parts/words.ts';
import { firstRequest } from '../samples/code-samples.ts';
import { CodeTabs } from '../samples/code-tabs.tsx';
import { CreateKey, KeyForm } from './key-form.tsx';
import { reveal } from './reveal-dialog.tsx';
import { scopeSentences } from './scope-sentences.ts';

/** The state of a key: ACTIVE or REVOKED. */
export const KeyState = ({ state }: Key) => (
  <span className={state === 'REVOKED' ? 'badge bad' : 'badge good'}>{state}</span>
);

/** The limit of a key, and whether it is the key's own. */
export const KeyLimit = ({ rateLimit, ownRateLimit }: Key) => (
  <>
    {describeLimit(rateLimit)} {ownRateLimit && <span className="badge">own</span>}
  </>
);

/** The secret of a key of a fixture file, which is a documented fake. For all other keys the mock has only a hash. */
const useSecretOf = ({ tenant, name, prefix }: Key) =>
  useKnownKeys(tenant).find((key) => key.name === name && key.secret.startsWith(prefix))?.secret;

/** The first characters of a key. A secret that is known can be copied. */
export function KeyText({ apiKey }: { readonly apiKey: Key }) {
  const secret = useSecretOf(apiKey);
  return (
    <span className="whole">
      <code>{apiKey.prefix}…</code>{' '}
      {secret !== undefined && apiKey.state === 'ACTIVE' && (
        <CopyButton text={secret} subject={`the secret of ${apiKey.name}`} className="plain" />
      )}
    </span>
  );
}

/** One key: its scopes, its rate limit, and what can be done with it. */
export function KeyPage({ apiKey }: { readonly apiKey: Key }) {
  const { tenant, name, state, scopes, createdAt, lastUsedAt, revokedAt } = apiKey;
  const secret = useSecretOf(apiKey);
  return (
    <>
      <div className="heading">
        <div>
          <p className="crumbs">
            <a href={href('keys', { tenant })}>Developer</a> › {tenant}
          </p>
          <h1>
            {name} <KeyState {...apiKey} />
          </h1>
        </div>
        {state === 'ACTIVE' ? <KeyActions apiKey={apiKey} /> : <CreateKey tenant={tenant} initial={apiKey} />}
      </div>
      {revokedAt && (
        <p className="alert warn">
          Revoked <Instant at={revokedAt} />, for good. Whoever{' '}
          <a href={href('requests', { tenant, key: name, status: '403' })}>still sends it</a> needs a new key: create
          one here, which begins with the same scopes.
        </p>
      )}
      <Facts
        className="facts card"
        of={{
          Key: <KeyText apiKey={apiKey} />,
          Limit: <KeyLimit {...apiKey} />,
          Created: <Instant at={createdAt} />,
          'Last accepted': <Age at={lastUsedAt} />,
          Traffic: (
            <span className="row">
              <a href={href('requests', { tenant, key: name })}>requests</a>
              {state === 'ACTIVE' && <a href={href('limits', { tenant, key: name })}>last minute</a>}
            </span>
          ),
        }}
      />
      <Section title="Scopes">
        {scopes.length === 0 && <p>This key has no scope. It can only read health and labels.</p>}
        <Table
          rows={scopeSentences}
          keyOf={({ scope }) => scope}
          less={['Not granted', ({ scope }) => !scopes.includes(scope)]}
          columns={[
            { name: 'Scope', cell: ({ scope }) => <code>{scope}</code> },
            { name: 'What it permits', cell: ({ sentence }) => sentence },
          ]}
        />
      </Section>
      {state === 'ACTIVE' && (
        <Section title="Use it">
          <p className="quiet lead">
            {secret === undefined
              ? 'The mock has only a hash of this key, so the code reads it from the environment variable KEY.'
              : 'The secret is a documented fake of a fixture, so it may stand in code.'}{' '}
            The <a href={href('reference', { tenant })}>API reference</a> has this for every operation.
          </p>
          <CodeTabs request={firstRequest(secret)} />
        </Section>
      )}
    </>
  );
}

/** Buttons that edit, regenerate and revoke a key, with their dialogs. */
const KeyActions = ({ apiKey: key }: { readonly apiKey: Key }) => (
  <div className="row">
    <DialogButton label="Edit…" title={`Edit “${key.name}”`}>
      <KeyForm
        tenant={key.tenant}
        initial={key}
        verb="Save"
        act={async ({ scopes, rateLimit }) => {
          await control.editKey(key.id, { scopes, rateLimit });
          notices.say(`Key “${key.name}” was changed. Its secret stays the same.`);
        }}
      />
    </DialogButton>
    <ConfirmButton
      label="Regenerate…"
      title={`Regenerate “${key.name}”?`}
      act={() => control.regenerateKey(key.id).then((made) => reveal(`Key “${key.name}” has a new secret`, [made]))}
      text={`It gets a new secret with the same scopes. The old secret \`${key.prefix}…\` stops working at once.`}
    />
    <ConfirmButton
      label="Revoke…"
      className="danger"
      title={`Revoke “${key.name}”?`}
      act={() => control.revokeKey(key.id)}
      said={`Key “${key.name}” was revoked.`}
      text="The next request with this key gets 403. This cannot be undone: a revoked key stays in the list and never works again."
    />
  </div>
);
