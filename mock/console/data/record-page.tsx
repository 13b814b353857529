import { control, type TenantData } from '../control/control.ts';
import { useFile, useRead } from '../control/reads.ts';
import { href } from '../navigation/route.ts';
import { Code } from '../parts/code.tsx';
import { IdText, Loaded, Section } from '../parts/text.tsx';
import { FilePage, FilesTable, RecordLink } from './files.tsx';
import { LabelToggles } from './labels.tsx';
import { type RecordRef, recordName, recordRef } from './record-ref.ts';

interface RecordPageProps {
  readonly data: TenantData;
  readonly at: RecordRef;
}

/** The list that a record stands in, and the request of the API that answers it. */
const kinds = {
  conversation: ['Conversations', 'GET /v1/conversation/{id}/context'],
  site: ['Sites', 'GET /v1/site/{id}'],
  client: ['Clients', 'GET /v1/client/{id}'],
  link: ['Client-site links', ''],
  file: ['Files', ''],
} as const;

/** One record: its labels, the reply of the API and linked records. */
export function RecordPage({ data, at }: RecordPageProps) {
  const { kind, ids } = at;
  const [first = '', second = ''] = ids;
  // The name of a file is not in the tenant's data. FilePage below makes the same query, so this costs no second request.
  const file = useFile(first, kind === 'file');
  return (
    <>
      <div className="heading">
        <div>
          <p className="crumbs">
            <a href={href('data', { tenant: data.name, kind: `${kind}s` })}>{kinds[kind][0]}</a> of {data.name}
          </p>
          <h1>{file.data?.name ?? recordName(data, at)}</h1>
          {ids.map((id) => (
            <IdText key={id} id={id} />
          ))}
        </div>
        <a href={href('requests', { tenant: data.name, text: second === '' ? first : at.path })}>Its requests</a>
      </div>
      {kind === 'file' ? <FilePage fileKey={first} data={data} /> : <RecordPart data={data} at={at} />}
      {kind === 'site' && (
        <Section title="Files">
          <FilesTable tenant={data.name} site={first} />
        </Section>
      )}
    </>
  );
}

/** What the page shows of a record that is no file. */
async function read(tenant: string, { kind, path, ids: [client = '', site = ''] }: RecordRef) {
  if (kind === 'link') {
    const linked = [recordRef('client', client), recordRef('site', site)];
    return { labels: await control.labels(tenant, path), linked, reply: null };
  }
  const { labels, reply, sites, clients, conversations } = await control.record(tenant, path);
  const linked = Object.entries({ site: sites, client: clients, conversation: conversations }).flatMap(([other, ids]) =>
    ids.map((id) => recordRef(other as RecordRef['kind'], id)),
  );
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
            <Section title="What the API answers">
              <code className="quiet">{kinds[at.kind][1].replace('{id}', at.path.split('/')[1] ?? '')}</code>
              <Code text={JSON.stringify(reply)} subject="the reply" />
            </Section>
          )}
          <Section title="Linked with">
            <ul>
              {linked.map((ref) => (
                <li key={ref.path}>
                  <span className="quiet">{ref.kind}</span> <RecordLink data={data} at={ref} />
                </li>
              ))}
            </ul>
          </Section>
        </>
      )}
    </Loaded>
  );
}
