import { useEffect, useState } from 'react';
import { control } from '../control/control.ts';
import type { FileRecord, TenantData } from '../control/control-types.ts';
import { useFile, useRead } from '../control/reads.ts';
import { href } from '../navigation/route.ts';
import { Code } from '../parts/code.tsx';
import { Fact, Instant, Loaded } from '../parts/text.tsx';
import { describeSize } from '../parts/words.ts';
import { FileDownload, FileState } from './files.tsx';
import { recordName, recordRef } from './record-ref.ts';

/** One upload: its state and its content. */
export function FilePage({ fileKey, data }: { readonly fileKey: string; readonly data: TenantData }) {
  return (
    <Loaded query={useFile(fileKey)}>
      {(file) => (
        <>
          <dl className="facts card">
            <Fact name="Name">{file.name ?? 'none yet'}</Fact>
            <Fact name="State">
              <FileState {...file} />
            </Fact>
            <Fact name="Type">{file.contentType}</Fact>
            <Fact name="Size">{file.size === null ? '–' : describeSize(file.size)}</Fact>
            <Fact name="URL expires">
              <Instant at={file.urlExpiresAt} />
            </Fact>
            <Fact name="Stored">
              <Instant at={file.storedAt} />
            </Fact>
            <Fact name="Registered">
              <Instant at={file.registeredAt} />
            </Fact>
            <Fact name="Site">
              <a href={href('data', { tenant: data.name, record: recordRef.site(file.site).path })}>
                {recordName(data, recordRef.site(file.site))}
              </a>
            </Fact>
          </dl>
          {file.state !== 'started' && (
            <section aria-labelledby="content">
              <div className="heading">
                <h2 id="content">Content</h2>
                <FileDownload {...file} />
              </div>
              <Preview key={file.etag} file={file} />
            </section>
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
    const bytes = await control.bytes(`/files/${encodeURIComponent(fileKey)}/content`);
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
