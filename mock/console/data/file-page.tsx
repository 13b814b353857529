import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { control } from '../control/control.ts';
import type { FileRecord, TenantData } from '../control/control-types.ts';
import { href } from '../navigation/route.ts';
import { DownloadButton } from '../parts/download-button.tsx';
import { Fact } from '../parts/fact.tsx';
import { Instant } from '../parts/instant.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { LongText } from '../parts/long-text.tsx';
import { describeSize } from '../words/describe-size.ts';
import { fileStates } from './file-states.ts';
import { recordName, recordRef } from './record-ref.ts';

/** One upload: its state and its content. */
export function FilePage({ fileKey, data }: { readonly fileKey: string; readonly data: TenantData }) {
  const file = useQuery({
    queryKey: ['file', fileKey],
    queryFn: () => control.file(fileKey),
    refetchInterval: 2_000,
  });
  return (
    <Loaded query={file}>
      {(known) => (
        <>
          <dl className="facts card">
            <Fact name="Name">{known.name ?? 'none yet'}</Fact>
            <Fact name="State">
              <span className={fileStates[known.state].badge}>{fileStates[known.state].words}</span>
            </Fact>
            <Fact name="Type">{known.contentType}</Fact>
            <Fact name="Size">{known.size === null ? '–' : describeSize(known.size)}</Fact>
            <Fact name="URL expires">
              <Instant at={known.urlExpiresAt} />
            </Fact>
            <Fact name="Stored">
              <Instant at={known.storedAt} />
            </Fact>
            <Fact name="Registered">
              <Instant at={known.registeredAt} />
            </Fact>
            <Fact name="Site">
              <a href={href('data', { tenant: data.name, record: recordRef.site(known.site).path })}>
                {recordName(data, recordRef.site(known.site))}
              </a>
            </Fact>
          </dl>
          {known.state !== 'started' && (
            <section aria-labelledby="content">
              <div className="heading">
                <h2 id="content">Content</h2>
                <DownloadButton
                  path={`/files/${fileKey}/content`}
                  fileName={known.name ?? fileKey}
                  label="Download"
                  subject={known.name ?? fileKey}
                />
              </div>
              <Preview key={known.etag} file={known} />
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

function Preview({ file: { fileKey, contentType, size, name } }: { readonly file: FileRecord }) {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const canShow = (pictures.has(type) || isText(type)) && (size ?? 0) <= maxPreviewBytes;
  const content = useQuery({
    queryKey: ['content', fileKey, size],
    queryFn: () => control.content(fileKey),
    enabled: canShow,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!canShow)
    return <p className="quiet">There is no preview of {type || 'this type'}. Download the file to look at it.</p>;
  return (
    <Loaded query={content}>
      {(bytes) =>
        pictures.has(type) ? <Picture bytes={bytes} type={type} name={name ?? fileKey} /> : <Text bytes={bytes} />
      }
    </Loaded>
  );
}

function Picture({ bytes, type, name }: { readonly bytes: Blob; readonly type: string; readonly name: string }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, type]);
  return url === null ? null : <img className="preview" src={url} alt={name} />;
}

const maxTextBytes = 20_000;

function Text({ bytes }: { readonly bytes: Blob }) {
  const [text, setText] = useState('');
  useEffect(() => {
    void bytes.slice(0, maxTextBytes).text().then(setText);
  }, [bytes]);
  return (
    <>
      <LongText text={text} />
      {bytes.size > maxTextBytes && (
        <p className="quiet">Only the beginning is shown. Download the file for all of it.</p>
      )}
    </>
  );
}
