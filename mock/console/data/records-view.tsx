import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { control, maxRecords } from '../control/control.ts';
import type { Label, TenantData } from '../control/control-types.ts';
import { hrefWith, replaceParams, useRoute } from '../navigation/route.ts';
import { TenantSelect } from '../navigation/tenant-select.tsx';
import { useTenant } from '../navigation/use-tenant.ts';
import { HeadRow } from '../parts/head-row.tsx';
import { IdText } from '../parts/id-text.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { FilesTable } from './files-table.tsx';
import { LabelBadge } from './label-badge.tsx';
import { RecordPage } from './record-page.tsx';
import { type RecordRef, recordName, recordRef } from './record-ref.ts';
import { type ListedRecord, RecordsTable } from './records-table.tsx';
import { SnapshotBar } from './snapshot-bar.tsx';
import { TenantBar } from './tenant-bar.tsx';

const kinds = ['conversations', 'sites', 'links', 'clients', 'labels', 'files'] as const;
type Kind = (typeof kinds)[number];
const names: Readonly<Record<Kind, string>> = {
  conversations: 'Conversations',
  sites: 'Sites',
  links: 'Client-site links',
  clients: 'Clients',
  labels: 'Labels',
  files: 'Files',
};

/** All data of a tenant as the product shows it, with the private labels that the API hides. */
export default function RecordsView() {
  const { params } = useRoute();
  const [tenant, choose] = useTenant();
  const text = params.get('text') ?? '';
  const data = useQuery({
    queryKey: ['tenant', tenant, text],
    queryFn: () => control.tenant(tenant ?? '', text),
    enabled: tenant !== null,
    // Looking through a million records every two seconds would slow the mock.
    refetchInterval: ({ state }) => (text !== '' && (state.data?.conversations ?? 0) > 10_000 ? false : 2_000),
    placeholderData: keepPreviousData,
  });
  const record = recordRef.parse(params.get('record'));
  if (record !== null) {
    return <Loaded query={data}>{(known) => <RecordPage key={record.path} data={known} at={record} />}</Loaded>;
  }
  return (
    <>
      <div className="heading">
        <h1>Data</h1>
        {tenant !== null && <TenantSelect value={tenant} onChange={choose} />}
        {data.data !== undefined && <TenantBar tenant={data.data} choose={choose} />}
      </div>
      <Loaded query={data}>{(known) => <Records data={known} />}</Loaded>
      <SnapshotBar />
    </>
  );
}

function Records({ data }: { readonly data: TenantData }) {
  const { params } = useRoute();
  const kind = kinds.find((name) => name === params.get('kind')) ?? 'conversations';
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a narrow screen the tabs scroll sideways. The current tab is kept in sight.
    const link = tabs.current?.querySelector<HTMLElement>(`[href="${hrefWith({ kind })}"]`);
    tabs.current?.scrollTo({ left: (link?.offsetLeft ?? 0) - 120 });
  }, [kind]);
  return (
    <>
      {data.description !== null && <p className="quiet lead">{data.description}</p>}
      <nav ref={tabs} aria-label="Kinds of records" className="tabs">
        {kinds.map((name) => (
          <a key={name} href={hrefWith({ kind: name })} aria-current={name === kind ? 'page' : undefined}>
            {names[name]} <span className="quiet">{data[name]}</span>
          </a>
        ))}
      </nav>
      {kind === 'labels' && <Labels data={data} />}
      {kind === 'files' && <FilesTable tenant={data.name} />}
      {kind !== 'labels' && kind !== 'files' && <MatchingRecords data={data} kind={kind} />}
    </>
  );
}

interface MatchingRecordsProps {
  readonly data: TenantData;
  readonly kind: Exclude<Kind, 'labels' | 'files'>;
}

/** The records that match the search. */
function MatchingRecords({ data, kind }: MatchingRecordsProps) {
  const { params } = useRoute();
  const records = recordsOf(data, kind);
  const text = params.get('text') ?? '';
  return (
    <>
      <search className="row">
        <input
          type="search"
          aria-label="Find by name or id"
          placeholder="Find by name or id"
          value={text}
          onChange={(event) => replaceParams({ text: event.target.value })}
        />
        {records.length >= maxRecords && (
          <p className="quiet">
            The first {maxRecords} of {data[kind].toLocaleString()}.
          </p>
        )}
      </search>
      <RecordsTable
        tenant={data.name}
        records={records}
        none={text === '' ? `This tenant has no ${names[kind].toLowerCase()}.` : 'No record matches.'}
      />
    </>
  );
}

function recordsOf(data: TenantData, kind: Exclude<Kind, 'labels' | 'files'>): ListedRecord[] {
  const { records } = data;
  const listed = (ref: RecordRef, details: (string | null)[], labels: readonly Label[] | null): ListedRecord => ({
    ref,
    name: recordName(data, ref),
    details,
    labels,
  });
  switch (kind) {
    case 'conversations':
      return records.conversations.map(({ id, friendlyId, status, labels }) =>
        listed(recordRef.conversation(id), [friendlyId, status], labels),
      );
    case 'sites':
      return records.sites.map(({ id, address1, city, businessName, labels }) =>
        listed(recordRef.site(id), [businessName === null ? null : address1, city], labels),
      );
    case 'links':
      return records.links.map(({ client, site, isPrimary, labels }) =>
        listed(recordRef.link(client, site), [isPrimary ? 'primary client of the site' : null], labels),
      );
    case 'clients':
      return records.clients.map(({ id }) => listed(recordRef.client(id), [], null));
  }
}

function Labels({ data }: { readonly data: TenantData }) {
  return (
    <table className="stacking">
      <HeadRow names={['Label', 'Id']} />
      <tbody>
        {data.records.labels.map((label) => (
          <tr key={label.id}>
            <th scope="row">
              <LabelBadge label={label} />
            </th>
            <td data-label="Id">
              <IdText id={label.id} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
