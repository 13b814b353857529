import type { ReactNode } from 'react';
import { control } from '../control/control.ts';
import type { Label, TenantData } from '../control/control-types.ts';
import { useFile, useRead } from '../control/reads.ts';
import { href } from '../navigation/route.ts';
import { Code } from '../parts/code.tsx';
import { IdText, Loaded } from '../parts/text.tsx';
import { LastRequests } from '../requests/last-requests.tsx';
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

/** One record: its labels, the reply of the API, linked records and the last requests for it. */
export function RecordPage({ data, at }: RecordPageProps) {
  const { kind, ids } = at;
  const tenant = data.name;
  const [first = '', second = ''] = ids;
  // The name of a file is not in the tenant's data. FilePage below makes the same query, so this costs no second request.
  const file = useFile(first, kind === 'file');
  return (
    <>
      <div>
        <p className="crumbs">
          <a href={href('data', { tenant, kind: kind === 'link' ? 'links' : `${kind}s` })}>{kinds[kind]}</a> of {tenant}
        </p>
        <h1>{file.data?.name ?? recordName(data, at)}</h1>
        {ids.map((id) => (
          <IdText key={id} id={id} />
        ))}
      </div>
      {kind === 'file' && <FilePage fileKey={first} data={data} />}
      {kind === 'link' && <LinkPart data={data} at={at} />}
      {(kind === 'conversation' || kind === 'site' || kind === 'client') && (
        <RecordPart data={data} at={at} kind={kind} />
      )}
      {kind === 'site' && (
        <section aria-labelledby="files">
          <h2 id="files">Files</h2>
          <FilesTable tenant={tenant} site={first} />
        </section>
      )}
      <LastRequests
        tenant={tenant}
        query={{ path: `*${second === '' ? encodeURIComponent(first) : at.path}*` }}
        all={href('requests', { tenant, text: second === '' ? first : at.path })}
      />
    </>
  );
}

function RecordPart({ data, at, kind }: RecordPageProps & { readonly kind: keyof typeof asked }) {
  const read = () => control.record(data.name, at.path);
  const record = useRead(['record', data.name, at.path], read, { every: 2_000 });
  const links = (title: string, refs: readonly RecordRef[]) => <Linked data={data} title={title} refs={refs} />;
  return (
    <Loaded query={record}>
      {({ reply, labels, conversations, sites, clients }) => (
        <>
          {kind !== 'client' && <Toggles data={data} at={at} carried={labels} />}
          <section aria-labelledby="reply">
            <h2 id="reply">What the API answers</h2>
            <p className="quiet">
              <code>{asked[kind].replace('{id}', encodeURIComponent(at.ids[0] ?? ''))}</code>
            </p>
            <Code text={JSON.stringify(reply)} subject="the reply" />
          </section>
          <section aria-labelledby="linked">
            <h2 id="linked">Linked with</h2>
            {links('Sites', sites.map(recordRef.site))}
            {links('Clients', clients.map(recordRef.client))}
            {links('Conversations', conversations.map(recordRef.conversation))}
          </section>
        </>
      )}
    </Loaded>
  );
}

function LinkPart({ data, at }: RecordPageProps) {
  const [client = '', site = ''] = at.ids;
  const read = () => control.labels(data.name, at.path);
  const carried = useRead(['labels', data.name, at.path], read, { every: 2_000 });
  return (
    <Loaded query={carried}>
      {(labels) => (
        <>
          <Toggles data={data} at={at} carried={labels} />
          <section aria-labelledby="linked">
            <h2 id="linked">Linked with</h2>
            <Linked data={data} title="Client" refs={[recordRef.client(client)]} />
            <Linked data={data} title="Site" refs={[recordRef.site(site)]} />
          </section>
        </>
      )}
    </Loaded>
  );
}

interface TogglesProps extends RecordPageProps {
  readonly carried: readonly Label[];
}

const Toggles = ({ data, at, carried }: TogglesProps) => (
  <LabelToggles tenant={data.name} holder={at.path} carried={carried} labels={data.records.labels} />
);

interface LinkedProps {
  readonly data: TenantData;
  readonly title: string;
  readonly refs: readonly RecordRef[];
}

function Linked({ data, title, refs }: LinkedProps): ReactNode {
  if (refs.length === 0) return null;
  return (
    <div className="row">
      <span className="quiet">{title}</span>
      {refs.map((ref) => (
        <a key={ref.path} href={href('data', { tenant: data.name, record: ref.path })}>
          {recordName(data, ref)}
        </a>
      ))}
    </div>
  );
}
