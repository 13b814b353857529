import { useEffect, useMemo, useState } from 'react';
import { instantInWords } from '../../../spec/text/time-in-words.ts';
import { control, type FileRecord, type TenantData } from '../control/control.ts';
import { useClock, useRead } from '../control/reads.ts';
import { href } from '../navigation/route.ts';
import { DownloadButton, IdText } from '../parts/buttons.tsx';
import { Code } from '../parts/code.tsx';
import { Facts, Instant, Loaded, Section } from '../parts/text.tsx';
import { describeSize } from '../parts/words.ts';
import { LabelToggles } from './labels.tsx';
import { type RecordRef, recordName, recordRef, titleOf } from './record-ref.ts';

/** Links to records, which are named by their data. */
const to = (kind: RecordRef['kind'], ...ids: string[]) =>
  ids.map((id) => ({ ref: recordRef(kind, id), name: null as string | null }));

/**
 * What the page shows of a record of any kind: the reply of the API, its labels, linked records, and what is known of a file. Its labels are
 * null if it carries none.
 */
async function read(tenant: string, { kind, path, ids: [first = '', second = ''] }: RecordRef) {
  if (kind === 'link') {
    return { labels: await control.labels(tenant, path), linked: [...to('client', first), ...to('site', second)] };
  }
  if (kind === 'file') {
    const file = await control.file(first);
    return { labels: null, linked: to('site', file.site), file };
  }
  const { labels, reply, sites, clients, conversations } = await control.record(tenant, path);
  const linked = [...to('site', ...sites), ...to('client', ...clients), ...to('conversation', ...conversations)];
  const files = kind === 'site' ? (await control.files(tenant)).filter(({ site }) => site === first) : [];
  const named = files.map(({ fileKey, name }) => ({ ref: recordRef('file', fileKey), name }));
  return { labels: kind === 'client' ? null : labels, linked: [...linked, ...named], json: Object(reply) };
}

/** One record: its labels, the reply of the API, the bytes of a file, and linked records. */
export function RecordPage({ data, at }: { readonly data: TenantData; readonly at: RecordRef }) {
  const { kind, ids, path } = at;
  const [first = ''] = ids;
  const tenant = data.name;
  const record = useRead(['record', tenant, path], () => read(tenant, at), { every: 2_000 });
  return (
    <>
      <div className="heading">
        <div>
          <p className="crumbs">
            <a href={href('data', { tenant, kind: `${kind}s` })}>{titleOf(`${kind}s`)}</a> of {tenant}
          </p>
          <h1>{record.data?.file?.name ?? recordName(data, at)}</h1>
          {ids.map((id) => (
            <IdText key={id} id={id} />
          ))}
        </div>
        <a href={href('requests', { tenant, text: kind === 'link' ? path : first })}>Its requests</a>
      </div>
      <Loaded query={record}>
        {({ json, labels, linked, file }) => (
          <>
            {labels && <LabelToggles tenant={tenant} holder={path} carried={labels} labels={data.records.labels} />}
            {file && (
              <Facts
                className="facts card"
                of={{
                  State: <FileState file={file} />,
                  Type: file.contentType,
                  Size: file.size === null ? undefined : describeSize(file.size),
                  Stored: <Instant at={file.storedAt} />,
                  Registered: <Instant at={file.registeredAt} />,
                  'URL valid until': <Instant at={file.urlExpiresAt} />,
                }}
              />
            )}
            <Section title="Linked with">
              <Facts
                className="facts card"
                of={Object.fromEntries(
                  [...Map.groupBy(linked, ({ ref }) => titleOf(`${ref.kind}s`))].map(([title, some]) => [
                    title,
                    some.map(({ ref, name }) => (
                      <p key={ref.path}>
                        <a href={href('data', { tenant, record: ref.path })}>{name ?? recordName(data, ref)}</a>
                      </p>
                    )),
                  ]),
                )}
              />
            </Section>
            {json && (
              <Section title="What the API answers">
                <Code
                  text={JSON.stringify(json)}
                  subject="the record"
                  head={<code className="quiet">{`GET /v1/${path}${kind === 'conversation' ? '/context' : ''}`}</code>}
                />
              </Section>
            )}
            {file && file.state !== 'started' && <Content key={file.etag} file={file} />}
          </>
        )}
      </Loaded>
    </>
  );
}

const states = {
  started: ['waiting for bytes', ''],
  stored: ['stored, not registered', 'warn'],
  registered: ['registered', 'good'],
} as const;

/** How far an upload is. A URL that has expired takes no more bytes. */
export function FileState({ file: { state, urlExpiresAt } }: { readonly file: FileRecord }) {
  const { data: clock } = useClock();
  const isExpired = state === 'started' && clock !== undefined && clock.now >= urlExpiresAt;
  const [words, kind] = isExpired ? ['expired', 'bad'] : states[state];
  return (
    <>
      <span className={`badge ${kind}`}>{words}</span>
      {isExpired && <span className="under">{`at ${instantInWords(urlExpiresAt)}, nothing was stored`}</span>}
    </>
  );
}

/** Image types that cannot run scripts. Everything that is text, HTML and SVG too, is shown as plain text. */
const pictures = /^image\/(?:png|jpeg|gif|webp)\b/i;
const texts = /^text\/|[/+](?:json|xml)\b/i;
const maxPreviewBytes = 5_000_000;
const maxTextBytes = 20_000;

/** The bytes of an upload. */
function Content({ file: { fileKey, contentType: type, size, name } }: { readonly file: FileRecord }) {
  const path = `/files/${encodeURIComponent(fileKey)}/content`;
  const isPicture = pictures.test(type);
  const read = async () => {
    const bytes = await control.bytes(path);
    return isPicture ? new Blob([bytes], { type }) : bytes.slice(0, maxTextBytes).text();
  };
  const canShow = (isPicture || texts.test(type)) && (size ?? 0) <= maxPreviewBytes;
  const content = useRead(['content', fileKey, size], read, { when: canShow });
  const fileName = name ?? fileKey;
  const isCut = !isPicture && (size ?? 0) > maxTextBytes;
  const shown = (bytes: Blob | string) =>
    typeof bytes === 'string' ? <Code text={bytes} subject="the content" /> : <Picture bytes={bytes} name={fileName} />;
  return (
    <Section title="Content" beside={canShow && isCut && <span className="quiet">only the beginning</span>}>
      <p>
        <DownloadButton path={path} fileName={fileName} label="Download" subject={fileName} />
      </p>
      {canShow && <Loaded query={content}>{shown}</Loaded>}
    </Section>
  );
}

function Picture({ bytes, name }: { readonly bytes: Blob; readonly name: string }) {
  const url = useMemo(() => URL.createObjectURL(bytes), [bytes]);
  const [broken, setBroken] = useState(false);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  if (broken) return <p className="quiet">The bytes are not a picture of the type {bytes.type}.</p>;
  return <img className="preview" src={url} alt={name} onError={() => setBroken(true)} />;
}
