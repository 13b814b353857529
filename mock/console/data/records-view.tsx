import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { control } from '../control/control.ts';
import type { TenantData } from '../control/control-types.ts';
import { hrefWith, useRoute } from '../navigation/route.ts';
import { TenantSelect } from '../navigation/tenant-select.tsx';
import { useTenant } from '../navigation/use-tenant.ts';
import { Loaded } from '../parts/loaded.tsx';
import { FilesTable } from './files-table.tsx';
import { type Holder, HoldersTable } from './holders-table.tsx';
import { LabelBadge } from './label-badge.tsx';
import { LabelDialog } from './label-dialog.tsx';
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

/** What a tenant has now, private labels too: what the product would show, not what the API does. */
export function RecordsView() {
  const [tenant, choose] = useTenant();
  const data = useQuery({
    queryKey: ['tenant', tenant],
    queryFn: () => control.tenant(tenant ?? ''),
    enabled: tenant !== null,
    refetchInterval: 2_000,
  });
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
  const [editing, setEditing] = useState<string | null>(null);
  const holders = holdersOf(data, kind);
  const edited = holders.find(({ path }) => path === editing);
  const tables: Readonly<Record<Kind, () => ReactNode>> = {
    conversations: () => <HoldersTable holders={holders} onEdit={setEditing} />,
    sites: () => <HoldersTable holders={holders} onEdit={setEditing} />,
    links: () => <HoldersTable holders={holders} onEdit={setEditing} />,
    clients: () => <Clients data={data} />,
    labels: () => <Labels data={data} />,
    files: () => <FilesTable tenant={data.name} />,
  };
  return (
    <>
      {data.description !== null && <p className="quiet lead">{data.description}</p>}
      <nav aria-label="Kinds of records" className="tabs">
        {kinds.map((name) => (
          <a key={name} href={hrefWith({ kind: name })} aria-current={name === kind ? 'page' : undefined}>
            {names[name]} <span className="quiet">{data[name]}</span>
          </a>
        ))}
      </nav>
      {tables[kind]()}
      {edited !== undefined && (
        <LabelDialog tenant={data.name} holder={edited} labels={data.records.labels} onClose={() => setEditing(null)} />
      )}
    </>
  );
}

function holdersOf({ records }: TenantData, kind: Kind): readonly Holder[] {
  const clientNames = new Map(records.clients.map(({ id, name }) => [id, name]));
  switch (kind) {
    case 'conversations':
      return records.conversations.map(({ id, friendlyId, subject, status, labels }) => ({
        path: `conversation/${encodeURIComponent(id)}`,
        name: subject ?? friendlyId ?? id,
        ids: [id],
        details: [friendlyId, status],
        labels,
      }));
    case 'sites':
      return records.sites.map(({ id, address1, city, businessName, labels }) => ({
        path: `site/${encodeURIComponent(id)}`,
        name: businessName ?? address1 ?? id,
        ids: [id],
        details: [businessName === null ? null : address1, city],
        labels,
      }));
    case 'links':
      return records.links.map(({ client, site, isPrimary, labels }) => ({
        path: `client/${encodeURIComponent(client)}/site/${encodeURIComponent(site)}`,
        name: clientNames.get(client) ?? client,
        ids: [client, site],
        details: [isPrimary ? 'primary client of the site' : null],
        labels,
      }));
    default:
      return [];
  }
}

function Clients({ data }: { readonly data: TenantData }) {
  return (
    <table className="stacking">
      <thead>
        <tr>
          <th scope="col">Client</th>
          <th scope="col">Id</th>
        </tr>
      </thead>
      <tbody>
        {data.records.clients.map(({ id, name }) => (
          <tr key={id}>
            <th scope="row">{name}</th>
            <td data-label="Id">
              <code className="under">{id}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Labels({ data }: { readonly data: TenantData }) {
  return (
    <table className="stacking">
      <thead>
        <tr>
          <th scope="col">Label</th>
          <th scope="col">Id</th>
        </tr>
      </thead>
      <tbody>
        {data.records.labels.map((label) => (
          <tr key={label.id}>
            <th scope="row">
              <LabelBadge label={label} />
            </th>
            <td data-label="Id">
              <code className="under">{label.id}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
