import { useQuery } from '@tanstack/react-query';
import { control } from '../control/control.ts';
import { DownloadButton } from '../parts/download-button.tsx';
import { Instant } from '../parts/instant.tsx';
import { Loaded } from '../parts/loaded.tsx';

const states = { started: 'waiting for bytes', stored: 'stored, not registered', registered: 'registered' } as const;
const tones = { started: 'badge', stored: 'badge warn', registered: 'badge good' } as const;

/** Uploads at every stage of the flow. */
export function FilesTable({ tenant }: { readonly tenant: string }) {
  const files = useQuery({
    queryKey: ['files', tenant],
    queryFn: () => control.files(tenant),
    refetchInterval: 2_000,
  });
  return (
    <Loaded query={files}>
      {(list) =>
        list.length === 0 ? (
          <p className="empty">No upload yet. POST /v1/site/&#123;id&#125;/file/upload-url starts one.</p>
        ) : (
          <table className="stacking">
            <thead>
              <tr>
                <th scope="col">File</th>
                <th scope="col">Site</th>
                <th scope="col">Type</th>
                <th scope="col">Size</th>
                <th scope="col">State</th>
                <th scope="col">URL expires</th>
                <th scope="col">
                  <span className="unseen">Download</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {list.map(({ fileKey, name, site, contentType, size, state, urlExpiresAt }) => (
                <tr key={fileKey}>
                  <th scope="row">
                    {name ?? 'no name yet'}
                    <code className="under">{fileKey}</code>
                  </th>
                  <td data-label="Site">
                    <code className="under">{site}</code>
                  </td>
                  <td data-label="Type">{contentType}</td>
                  <td data-label="Size" className="whole">
                    {size === null ? '–' : `${size.toLocaleString()} bytes`}
                  </td>
                  <td data-label="State">
                    <span className={tones[state]}>{states[state]}</span>
                  </td>
                  <td data-label="URL expires">
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
