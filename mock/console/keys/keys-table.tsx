import { scopes as allScopes } from '../../../spec/operations.ts';
import type { Key } from '../control/control-types.ts';
import { href } from '../navigation/route.ts';
import { HeadRow } from '../parts/head-row.tsx';
import { Instant } from '../parts/instant.tsx';
import { Menu } from '../parts/menu.tsx';
import { describeLimit } from '../words/describe-limit.ts';
import { KeyState } from './key-state.tsx';
import { KeyText } from './key-text.tsx';

export type KeyAct = 'edit' | 'regenerate' | 'revoke';

interface KeysTableProps {
  readonly keys: readonly Key[];
  /** The id of the key that was just created. */
  readonly createdId: string | null;
  readonly onAct: (act: KeyAct, key: Key) => void;
}

/** The keys of a tenant, newest first, with revoked keys. */
export function KeysTable({ keys, createdId, onAct }: KeysTableProps) {
  const sorted = [...keys].sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  return (
    <table className="stacking">
      <HeadRow names={['Name', 'Key', 'Scopes', 'Limit', 'Created', 'Last used', 'State']} hiddenName="Actions" />
      <tbody>
        {sorted.map((key) => (
          <tr key={key.id} data-revoked={key.state === 'REVOKED'} data-open={key.id === createdId}>
            <th scope="row">
              <a href={href('keys', { tenant: key.tenant, id: key.id })}>{key.name}</a>
              {key.id === createdId && <span className="badge reference mark">new</span>}
            </th>
            <td data-label="Key" className="whole">
              <KeyText apiKey={key} />
            </td>
            <td data-label="Scopes">
              <Scopes scopes={key.scopes} />
            </td>
            <td data-label="Limit" className="whole">
              {describeLimit(key.rateLimit)}
              {key.ownRateLimit && <span className="quiet"> (its own)</span>}
            </td>
            <td data-label="Created" className="whole">
              <Instant at={key.createdAt} />
            </td>
            <td data-label="Last used" className="whole">
              <Instant at={key.lastUsedAt} />
            </td>
            <td data-label="State">
              <KeyState state={key.state} />
            </td>
            <td className="row-actions">
              {key.state === 'ACTIVE' && (
                <Menu
                  label={`Actions of ${key.name}`}
                  items={[
                    { label: 'Edit…', act: () => onAct('edit', key) },
                    { label: 'Regenerate…', act: () => onAct('regenerate', key) },
                    { label: 'Revoke…', danger: true, act: () => onAct('revoke', key) },
                  ]}
                />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

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
