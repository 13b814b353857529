import type { Label } from '../control/control-types.ts';
import { href } from '../navigation/route.ts';
import { HeadRow } from '../parts/head-row.tsx';
import { IdText } from '../parts/id-text.tsx';
import { LabelBadge } from './label-badge.tsx';
import type { RecordRef } from './record-ref.ts';

/** A record in a list. */
export interface ListedRecord {
  readonly ref: RecordRef;
  readonly name: string;
  readonly details: readonly (string | null)[];
  /** Public and private labels. Null for records that cannot have labels. */
  readonly labels: readonly Label[] | null;
}

interface RecordsTableProps {
  readonly tenant: string;
  readonly records: readonly ListedRecord[];
  /** Shown when there are no records. */
  readonly none: string;
}

/** Records with their labels. The name of a record opens its page. */
export function RecordsTable({ tenant, records, none }: RecordsTableProps) {
  if (records.length === 0) return <p className="empty">{none}</p>;
  const labelled = records.some(({ labels }) => labels !== null);
  return (
    <table className="stacking">
      <HeadRow names={labelled ? ['Name', 'Id', 'Labels'] : ['Name', 'Id']} />
      <tbody>
        {records.map(({ ref, name, details, labels }) => (
          <tr key={ref.path}>
            <th scope="row">
              <a href={href('data', { tenant, record: ref.path })}>{name}</a>
              <span className="quiet under">{details.filter((detail) => detail !== null).join(', ')}</span>
            </th>
            <td data-label="Id" className="ids">
              {ref.ids.map((id) => (
                <IdText key={id} id={id} />
              ))}
            </td>
            {labels !== null && (
              <td data-label="Labels">
                <span className="chips">
                  {labels.length === 0 && <span className="quiet">none</span>}
                  {labels.map((label) => (
                    <LabelBadge key={label.id} label={label} />
                  ))}
                </span>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
