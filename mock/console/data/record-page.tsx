import { control } from '../control/control.ts';
import type { TenantData } from '../control/control-types.ts';
import { useFile, useRead } from '../control/reads.ts';
import { href } from '../navigation/route.ts';
import { Code } from '../parts/code.tsx';
import { IdText, Loaded } from '../parts/text.tsx';
import { FilePage } from './file-page.tsx';
import { FilesTable } from './files.tsx';
import { LabelToggles } from './labels.tsx';
import { type RecordRef, recordName, recordRef } from './record-ref.ts';

interface RecordPageProps {
  readonly data: TenantData;
  readonly at: RecordRef;
}

const kinds = {
  conversation: 'Conversations',
  site: 'Sites',
  client: 'Clients',
  link: 'Client-site links',
  file: 'Files',
} as const;
const asked = {
  conversation: 'GET /v1/conversation/{id}/context',
  site: 'GET /v1/site/{id}',
  client: 'GET /v1/client/{id}',
} as const;

/** One record: its labels, the reply of the API and linked records. */
export function RecordPage({ data, at }: RecordPageProps) {
  const { kind, ids } = at;
  const tenant = data.name;
  const [first = '', second = ''] = ids;
  // The name of a file is not in the tenant's data. FilePage below makes the same query, so this costs no second request.
  const file = useFile(first, kind === 'file');
  return (
    <>
      <div className="heading">
        <div>
          <p className="crumbs">
            <a href={href('data', { tenant, kind: kind === 'link' ? 'links' : `${kind}s` })}>{kinds[kind]}</a> of{' '}
            {tenant}
          </p>
          <h1>{file.data?.name ?? recordName(data, at)}</h1>
          {ids.map((id) => (
            <IdText key={id} id={id} />
          ))}
        </div>
        <a href={href('requests', { tenant, text: second === '' ? first : at.path })}>Its requests</a>
      </div>
      {kind === 'file' && <FilePage fileKey={first} data={data} />}
      {kind !== 'file' && <RecordPart data={data} at={at} />}
      {kind === 'site' && (
        <section aria-labelledby="files">
          <h2 id="files">Files</h2>
          <FilesTable tenant={tenant} site={first} />
        </section>
      )}
    </>
  );
}

/** What the page shows of a record that is no file. */
async function read(tenant: string, { kind, path, ids: [client = '', site = ''] }: RecordRef) {
  if (kind === 'link') {
    const linked = [recordRef.client(client), recordRef.site(site)];
    return { labels: await control.labels(tenant, path), linked, reply: null };
  }
  const { labels, reply, sites, clients, conversations } = await control.record(tenant, path);
  const linked = [
    ...sites.map(recordRef.site),
    ...clients.map(recordRef.client),
    ...conversations.map(recordRef.conversation),
  ];
  return { labels: kind === 'client' ? null : labels, linked, reply };
}

function RecordPart({ data, at }: RecordPageProps) {
  const record = useRead(['record', data.name, at.path], () => read(data.name, at), { every: 2_000 });
  return (
    <Loaded query={record}>
      {({ reply, labels, linked }) => (
        <>
          {labels !== null && (
            <LabelToggles tenant={data.name} holder={at.path} carried={labels} labels={data.records.labels} />
          )}
          {reply !== null && (
            <section aria-labelledby="reply">
              <h2 id="reply">What the API answers</h2>
              <code className="quiet">
                {asked[at.kind as keyof typeof asked].replace('{id}', encodeURIComponent(at.ids[0] ?? ''))}
              </code>
              <Code text={JSON.stringify(reply)} subject="the reply" />
            </section>
          )}
          <section aria-labelledby="linked">
            <h2 id="linked">Linked with</h2>
            <ul>
              {linked.map((ref) => (
                <li key={ref.path}>
                  <span className="quiet">{ref.kind}</span>{' '}
                  <a href={href('data', { tenant: data.name, record: ref.path })}>{recordName(data, ref)}</a>
                </li>
              ))}
            </ul>
          </section>
        </>
      )}
    </Loaded>
  );
}
