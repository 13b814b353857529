import { useEffect, useState } from 'react';
import { control, type FileRecord, type TenantData } from '../control/control.ts';
import { useFile, useRead } from '../control/reads.ts';
import { href } from '../navigation/route.ts';
import { DownloadButton } from '../parts/buttons.tsx';
import { Code } from '../parts/code.tsx';
import { Table } from '../parts/table.tsx';
import { Facts, IdText, Instant, Loaded, Section } from '../parts/text.tsx';
import { describeSize } from '../parts/words.ts';
import { type RecordRef, recordName, recordRef } from './record-ref.ts';

const states = {
  started: ['waiting for bytes', ''],
  stored: ['stored, not registered', 'warn'],
  registered: ['registered', 'good'],
} as const;

/** How far an upload has come. */
function FileState({ state }: Pick<FileRecord, 'state'>) {
  const [words, kind] = states[state];
  return <span className={`badge ${kind}`}>{words}</span>;
}

/** The name of a record, which leads to its page. */
export const RecordLink = ({ data, at }: { readonly data: TenantData; readonly at: RecordRef }) => (
  <a href={href('data', { tenant: data.name, record: at.path })}>{recordName(data, at)}</a>
);

const sizeOf = ({ size }: FileRecord) => (size === null ? '–' : describeSize(size));
const contentOf = (fileKey: string) => `/files/${encodeURIComponent(fileKey)}/content`;

/** Downloads the bytes of an upload; nothing before they have arrived. */
function FileDownload({ fileKey, name, state }: Pick<FileRecord, 'fileKey' | 'name' | 'state'>) {
  if (state === 'started') return null;
  const fileName = name ?? fileKey;
  return <DownloadButton path={contentOf(fileKey)} fileName={fileName} label="Download" subject={fileName} />;
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
                  <a href={href('data', { tenant, record: recordRef('file', fileKey).path })}>
                    {name ?? 'no name yet'}
                  </a>
                  <span className="under">
                    <IdText id={fileKey} />
                  </span>
                </>
              ),
            },
            { name: 'Type', cell: ({ contentType }) => contentType },
            { name: 'Size', kind: 'whole', cell: sizeOf },
            { name: 'State', cell: FileState },
            { name: 'URL expires', cell: ({ urlExpiresAt }) => <Instant at={urlExpiresAt} /> },
            { name: 'Download', kind: 'actions', cell: FileDownload },
          ]}
        />
      )}
    </Loaded>
  );
}

/** One upload: its state and its content. */
export function FilePage({ fileKey, data }: { readonly fileKey: string; readonly data: TenantData }) {
  return (
    <Loaded query={useFile(fileKey)}>
      {(file) => (
        <>
          <Facts
            className="facts card"
            of={{
              Name: file.name ?? 'none yet',
              State: <FileState {...file} />,
              Type: file.contentType,
              Size: sizeOf(file),
              'URL expires': <Instant at={file.urlExpiresAt} />,
              Stored: <Instant at={file.storedAt} />,
              Registered: <Instant at={file.registeredAt} />,
              Site: <RecordLink data={data} at={recordRef('site', file.site)} />,
            }}
          />
          {file.state !== 'started' && (
            <Section title="Content">
              <p>
                <FileDownload {...file} />
              </p>
              <Preview key={file.etag} file={file} />
            </Section>
          )}
        </>
      )}
    </Loaded>
  );
}

/** Image types that cannot run scripts. Everything that is text, HTML and SVG too, is shown as plain text. */
const pictures = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const isText = (type: string) => /^text\/|[/+]json$|[/+]xml$|^image\/svg/.test(type);
const maxPreviewBytes = 5_000_000;
const maxTextBytes = 20_000;

function Preview({ file: { fileKey, contentType, size, name } }: { readonly file: FileRecord }) {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isPicture = pictures.has(type);
  const canShow = (isPicture || isText(type)) && (size ?? 0) <= maxPreviewBytes;
  const read = async () => {
    const bytes = await control.bytes(contentOf(fileKey));
    return isPicture ? new Blob([bytes], { type }) : bytes.slice(0, maxTextBytes).text();
  };
  const content = useRead(['content', fileKey, size], read, { when: canShow });
  if (!canShow)
    return <p className="quiet">There is no preview of {type || 'this type'}. Download the file to look at it.</p>;
  return (
    <Loaded query={content}>
      {(shown) =>
        typeof shown !== 'string' ? (
          <Picture bytes={shown} name={name ?? fileKey} />
        ) : (
          <>
            <Code text={shown} subject="the content" />
            {(size ?? 0) > maxTextBytes && (
              <p className="quiet">Only the beginning is shown. Download the file for all of it.</p>
            )}
          </>
        )
      }
    </Loaded>
  );
}

function Picture({ bytes, name }: { readonly bytes: Blob; readonly name: string }) {
  const [url, setUrl] = useState<string | null>(null);
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    const made = URL.createObjectURL(bytes);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes]);
  if (broken) return <p className="quiet">The bytes are not a picture of the type {bytes.type}.</p>;
  return url === null ? null : <img className="preview" src={url} alt={name} onError={() => setBroken(true)} />;
}
