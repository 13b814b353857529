import { useEffect, useRef } from 'react';
import { maxRecords } from '../control/control.ts';
import type { Label, TenantData } from '../control/control-types.ts';
import { useTenantData } from '../control/reads.ts';
import { href, hrefWith, replaceParams, useRoute } from '../navigation/route.ts';
import { TenantSelect, useTenant } from '../navigation/tenant.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { IdText, Loaded } from '../parts/text.tsx';
import { FilesTable } from './files.tsx';
import { LabelBadge } from './labels.tsx';
import { MockActions, TenantActions } from './mock-actions.tsx';
import { RecordPage } from './record-page.tsx';
import { type RecordRef, recordName, recordRef } from './record-ref.ts';

const kinds = {
  conversations: 'Conversations',
  sites: 'Sites',
  links: 'Client-site links',
  clients: 'Clients',
  labels: 'Labels',
  files: 'Files',
} as const;
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as Kind[];

/** All data of a tenant as the product shows it, with the private labels that the API hides. */
export default function RecordsView() {
  const { params } = useRoute();
  const data = useTenantData(useTenant(), params.get('text') ?? '');
  const record = recordRef.parse(params.get('record'));
  if (record !== null) {
    return <Loaded query={data}>{(known) => <RecordPage key={record.path} data={known} at={record} />}</Loaded>;
  }
  return (
    <>
      <div className="heading">
        <h1>Data</h1>
        <TenantSelect />
        {data.data !== undefined && <TenantActions tenant={data.data} />}
      </div>
      <Loaded query={data}>{(known) => <Records data={known} />}</Loaded>
      <MockActions />
    </>
  );
}

function Records({ data }: { readonly data: TenantData }) {
  const { params } = useRoute();
  const kind = kindNames.find((name) => name === params.get('kind')) ?? 'conversations';
  const text = params.get('text') ?? '';
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a narrow screen the tabs scroll sideways. The current tab is kept in sight.
    const link = tabs.current?.querySelector<HTMLElement>(`[href="${hrefWith({ kind })}"]`);
    tabs.current?.scrollTo({ left: (link?.offsetLeft ?? 0) - 120 });
  }, [kind]);
  const records = listed(data, kind);
  return (
    <>
      {data.description !== null && <p className="quiet lead">{data.description}</p>}
      <nav ref={tabs} aria-label="Kinds of records" className="tabs">
        {kindNames.map((name) => (
          <a key={name} href={hrefWith({ kind: name })} aria-current={name === kind ? 'page' : undefined}>
            {kinds[name]} <span className="quiet">{data[name]}</span>
          </a>
        ))}
      </nav>
      {kind === 'files' ? (
        <FilesTable tenant={data.name} />
      ) : (
        <>
          {kind !== 'labels' && (
            <search className="row">
              <input
                type="search"
                aria-label="Find by name or id"
                placeholder="Find by name or id"
                value={text}
                onChange={(event) => replaceParams({ text: event.target.value })}
              />
              {records.length >= maxRecords && (
                <span className="quiet">
                  The first {maxRecords} of {data[kind].toLocaleString()}.
                </span>
              )}
            </search>
          )}
          <Table
            rows={records}
            columns={columnsFor(data, kind)}
            keyOf={({ ids }) => ids.join()}
            none={text === '' ? `This tenant has no ${kinds[kind].toLowerCase()}.` : 'No record matches.'}
          />
        </>
      )}
    </>
  );
}

/** A record in a list. */
interface Listed {
  /** The record's page; null for labels, which have none. */
  readonly ref: RecordRef | null;
  readonly ids: readonly string[];
  readonly details: readonly (string | null)[];
  /** Public and private labels; for a label, the label itself. */
  readonly labels: readonly Label[];
}

function listed({ records }: TenantData, kind: Kind): Listed[] {
  const row = (ref: RecordRef, details: (string | null)[], labels: readonly Label[] = []): Listed => ({
    ref,
    ids: ref.ids,
    details,
    labels,
  });
  switch (kind) {
    case 'conversations':
      return records.conversations.map(({ id, friendlyId, status, labels }) =>
        row(recordRef.conversation(id), [friendlyId, status], labels),
      );
    case 'sites':
      return records.sites.map(({ id, address1, city, businessName, labels }) =>
        row(recordRef.site(id), [businessName === null ? null : address1, city], labels),
      );
    case 'links':
      return records.links.map(({ client, site, isPrimary, labels }) =>
        row(recordRef.link(client, site), [isPrimary ? 'primary client of the site' : null], labels),
      );
    case 'clients':
      return records.clients.map(({ id }) => row(recordRef.client(id), []));
    case 'labels':
      return records.labels.map((label) => ({ ref: null, ids: [label.id], details: [], labels: [label] }));
    case 'files':
      return [];
  }
}

function columnsFor(data: TenantData, kind: Kind): readonly Column<Listed>[] {
  const ids: Column<Listed> = { name: 'Id', cell: (row) => row.ids.map((id) => <IdText key={id} id={id} />) };
  const labels: Column<Listed> = {
    name: 'Labels',
    cell: (row) => (
      <span className="chips">
        {row.labels.length === 0 && <span className="quiet">none</span>}
        {row.labels.map((label) => (
          <LabelBadge key={label.id} label={label} />
        ))}
      </span>
    ),
  };
  const name: Column<Listed> = {
    name: 'Name',
    cell: ({ ref, details }) =>
      ref !== null && (
        <>
          <a href={href('data', { tenant: data.name, record: ref.path })}>{recordName(data, ref)}</a>
          <span className="quiet under">{details.filter((detail) => detail !== null).join(', ')}</span>
        </>
      ),
  };
  if (kind === 'labels') return [{ ...labels, name: 'Label' }, ids];
  return kind === 'clients' ? [name, ids] : [name, ids, labels];
}
