import { useQuery } from '@tanstack/react-query';
import { control } from '../control/control.ts';
import { href } from '../navigation/route.ts';
import { DownloadButton } from '../parts/download-button.tsx';
import { HeadRow } from '../parts/head-row.tsx';
import { IdText } from '../parts/id-text.tsx';
import { Instant } from '../parts/instant.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { describeSize } from '../words/describe-size.ts';
import { fileStates } from './file-states.ts';
import { recordRef } from './record-ref.ts';

interface FilesTableProps {
  readonly tenant: string;
  /** Shows only the files of this site. */
  readonly site?: string;
}

/** All uploads, finished or not. */
export function FilesTable({ tenant, site }: FilesTableProps) {
  const files = useQuery({
    queryKey: ['files', tenant],
    queryFn: () => control.files(tenant),
    refetchInterval: 2_000,
    select: (all) => all.filter((file) => site === undefined || file.site === site),
  });
  return (
    <Loaded query={files}>
      {(list) =>
        list.length === 0 ? (
          <p className="empty">No upload yet. POST /v1/site/&#123;id&#125;/file/upload-url starts one.</p>
        ) : (
          <table className="stacking">
            <HeadRow names={['File', 'Type', 'Size', 'State', 'URL expires']} hiddenName="Download" />
            <tbody>
              {list.map(({ fileKey, name, contentType, size, state, urlExpiresAt }) => (
                <tr key={fileKey}>
                  <th scope="row">
                    <a href={href('data', { tenant, record: recordRef.file(fileKey).path })}>{name ?? 'no name yet'}</a>
                    <span className="under">
                      <IdText id={fileKey} />
                    </span>
                  </th>
                  <td data-label="Type">{contentType}</td>
                  <td data-label="Size" className="whole">
                    {size === null ? '–' : describeSize(size)}
                  </td>
                  <td data-label="State">
                    <span className={fileStates[state].badge}>{fileStates[state].words}</span>
                  </td>
                  <td data-label="URL expires" className="whole">
                    <Instant at={urlExpiresAt} />
                  </td>
                  <td className="row-actions">
                    {state !== 'started' && (
                      <DownloadButton
                        path={`/files/${fileKey}/content`}
                        fileName={name ?? fileKey}
                        label="Download"
                        subject={name ?? fileKey}
                      />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )
      }
    </Loaded>
  );
}
