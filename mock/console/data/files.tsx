import { control } from '../control/control.ts';
import type { FileRecord } from '../control/control-types.ts';
import { useRead } from '../control/reads.ts';
import { href } from '../navigation/route.ts';
import { DownloadButton } from '../parts/buttons.tsx';
import { Table } from '../parts/table.tsx';
import { IdText, Instant, Loaded } from '../parts/text.tsx';
import { describeSize } from '../parts/words.ts';
import { recordRef } from './record-ref.ts';

const states = {
  started: ['waiting for bytes', ''],
  stored: ['stored, not registered', 'warn'],
  registered: ['registered', 'good'],
} as const;

/** How far an upload has come. */
export function FileState({ state }: Pick<FileRecord, 'state'>) {
  const [words, kind] = states[state];
  return <span className={`badge ${kind}`}>{words}</span>;
}

/** A link that downloads the bytes of an upload; nothing before they have arrived. */
export function FileDownload({ fileKey, name, state }: Pick<FileRecord, 'fileKey' | 'name' | 'state'>) {
  if (state === 'started') return null;
  const fileName = name ?? fileKey;
  return <DownloadButton path={`/files/${fileKey}/content`} fileName={fileName} label="Download" subject={fileName} />;
}

interface FilesTableProps {
  readonly tenant: string;
  /** Shows only the files of this site. */
  readonly site?: string;
}

/** All uploads, finished or not. */
export function FilesTable({ tenant, site }: FilesTableProps) {
  const files = useRead(['files', tenant], () => control.files(tenant), { every: 2_000 });
  return (
    <Loaded query={files}>
      {(list) => (
        <Table
          rows={list.filter((file) => site === undefined || file.site === site)}
          keyOf={({ fileKey }) => fileKey}
          none="No upload yet. POST /v1/site/{id}/file/upload-url starts one."
          columns={[
            {
              name: 'File',
              cell: ({ fileKey, name }) => (
                <>
                  <a href={href('data', { tenant, record: recordRef.file(fileKey).path })}>{name ?? 'no name yet'}</a>
                  <span className="under">
                    <IdText id={fileKey} />
                  </span>
                </>
              ),
            },
            { name: 'Type', cell: ({ contentType }) => contentType },
            { name: 'Size', kind: 'whole', cell: ({ size }) => (size === null ? '–' : describeSize(size)) },
            { name: 'State', cell: (file) => <FileState {...file} /> },
            { name: 'URL expires', cell: ({ urlExpiresAt }) => <Instant at={urlExpiresAt} /> },
            { name: 'Download', kind: 'actions', cell: (file) => <FileDownload {...file} /> },
          ]}
        />
      )}
    </Loaded>
  );
}
