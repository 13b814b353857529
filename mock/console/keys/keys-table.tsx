import { scopes as allScopes } from '../../../spec/operations.ts';
import type { Key } from '../control/control-types.ts';
import { href } from '../navigation/route.ts';
import { describeLimit } from '../parts/describe-limit.ts';
import { Instant } from '../parts/instant.tsx';

export type KeyAct = 'edit' | 'regenerate' | 'revoke';

interface KeysTableProps {
  readonly keys: readonly Key[];
  readonly onAct: (act: KeyAct, key: Key) => void;
}

/** The keys of a tenant, revoked ones too. */
export function KeysTable({ keys, onAct }: KeysTableProps) {
  return (
    <table className="stacking">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Key</th>
          <th scope="col">Scopes</th>
          <th scope="col">Limit</th>
          <th scope="col">Created</th>
          <th scope="col">Last used</th>
          <th scope="col">State</th>
          <th scope="col">
            <span className="unseen">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id} data-revoked={key.state === 'REVOKED'}>
            <th scope="row">
              <a href={href('requests', { tenant: key.tenant, key: key.name })} title="Its requests">
                {key.name}
              </a>
            </th>
            <td data-label="Key">
              <code>{key.prefix}…</code>
            </td>
            <td data-label="Scopes">
              <Scopes scopes={key.scopes} />
            </td>
            <td data-label="Limit" className="whole">
              {describeLimit(key.rateLimit)}
              {key.ownRateLimit && <span className="quiet"> (its own)</span>}
            </td>
            <td data-label="Created">
              <Instant at={key.createdAt} />
            </td>
            <td data-label="Last used">
              <Instant at={key.lastUsedAt} />
            </td>
            <td data-label="State">
              <span className={key.state === 'REVOKED' ? 'badge bad' : 'badge good'}>
                {key.state === 'REVOKED' ? 'REVOKED' : 'active'}
              </span>
            </td>
            <td className="row-actions">
              {key.state === 'ACTIVE' &&
                (['edit', 'regenerate', 'revoke'] as const).map((act) => (
                  <button
                    key={act}
                    type="button"
                    className="small"
                    aria-label={`${labels[act]} ${key.name}`}
                    onClick={() => onAct(act, key)}
                  >
                    {labels[act]}
                  </button>
                ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const labels: Readonly<Record<KeyAct, string>> = { edit: 'Edit', regenerate: 'Regenerate', revoke: 'Revoke' };

function Scopes({ scopes }: { readonly scopes: readonly string[] }) {
  if (scopes.length === 0) return <span className="quiet">none</span>;
  if (scopes.length === allScopes.length) return <span title={scopes.join(', ')}>all {scopes.length}</span>;
  return (
    <span className="chips">
      {scopes.map((scope) => (
        <code key={scope}>
          {scope.replace(/:.*/, ':')}
          <wbr />
          {scope.replace(/.*:/, '')}
        </code>
      ))}
    </span>
  );
}
