import type { Label } from '../control/control-types.ts';
import { LabelBadge } from './label-badge.tsx';

/** What carries labels: a conversation, a site, or the link of a client to a site. */
export interface Holder {
  /** As the control API has it below the tenant, for example `conversation/<id>`. */
  readonly path: string;
  readonly name: string;
  readonly ids: readonly string[];
  readonly details: readonly (string | null)[];
  /** Private ones too. */
  readonly labels: readonly Label[];
}

interface HoldersTableProps {
  readonly holders: readonly Holder[];
  /** @param path of the holder */
  readonly onEdit: (path: string) => void;
}

/** Records with the labels they carry now. */
export function HoldersTable({ holders, onEdit }: HoldersTableProps) {
  if (holders.length === 0) return <p className="empty">There is none.</p>;
  return (
    <table className="stacking">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Id</th>
          <th scope="col">Labels</th>
          <th scope="col">
            <span className="unseen">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {holders.map(({ path, name, ids, details, labels }) => (
          <tr key={path}>
            <th scope="row">
              {name}
              <span className="quiet under">{details.filter((detail) => detail !== null).join(', ')}</span>
            </th>
            <td data-label="Id">
              {ids.map((id) => (
                <code key={id} className="under">
                  {id}
                </code>
              ))}
            </td>
            <td data-label="Labels">
              <span className="chips">
                {labels.length === 0 && <span className="quiet">none</span>}
                {labels.map((label) => (
                  <LabelBadge key={label.id} label={label} />
                ))}
              </span>
            </td>
            <td className="row-actions">
              <button type="button" className="small" aria-label={`Labels of ${name}`} onClick={() => onEdit(path)}>
                Labels…
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
