import { useEffect, useRef } from 'react';
import { type Label, maxRecords, type TenantData } from '../control/control.ts';
import { useTenantData } from '../control/reads.ts';
import { hrefWith, replaceParams, useRoute } from '../navigation/route.ts';
import { TenantSelect, useTenant } from '../navigation/tenant.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { IdText, Loaded } from '../parts/text.tsx';
import { FilesTable, RecordLink } from './files.tsx';
import { LabelBadge } from './labels.tsx';
import { MockActions, TenantActions } from './mock-actions.tsx';
import { RecordPage } from './record-page.tsx';
import { type RecordRef, recordRef, refAt } from './record-ref.ts';

/** All data of a tenant as the product shows it, with the private labels that the API hides. */
export default function RecordsView() {
  const { params } = useRoute();
  const data = useTenantData(useTenant(), params.get('text') ?? '');
  const record = refAt(params.get('record'));
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

/** A record in a list. */
interface Listed {
  /** The record's page; null for labels, which have none. */
  readonly ref: RecordRef | null;
  readonly ids: readonly string[];
  readonly details: readonly (string | null)[];
  /** Public and private labels; for a label, the label itself. */
  readonly labels: readonly Label[];
}

const row = (ref: RecordRef, details: (string | null)[], labels: readonly Label[] = []): Listed => ({
  ref,
  ids: ref.ids,
  details,
  labels,
});

/** Each kind of records with its name, and how it is listed. Files have a table of their own. */
const kinds: Readonly<Record<keyof TenantData['records'] | 'files', [string, (data: TenantData) => Listed[]]>> = {
  conversations: [
    'Conversations',
    ({ records }) =>
      records.conversations.map(({ id, friendlyId, status, labels }) =>
        row(recordRef('conversation', id), [friendlyId, status], labels),
      ),
  ],
  sites: [
    'Sites',
    ({ records }) =>
      records.sites.map(({ id, address1, city, businessName, labels }) =>
        row(recordRef('site', id), [businessName === null ? null : address1, city], labels),
      ),
  ],
  links: [
    'Client-site links',
    ({ records }) =>
      records.links.map(({ client, site, isPrimary, labels }) =>
        row(recordRef('link', client, site), [isPrimary ? 'primary client of the site' : null], labels),
      ),
  ],
  clients: ['Clients', ({ records }) => records.clients.map(({ id }) => row(recordRef('client', id), []))],
  labels: [
    'Labels',
    ({ records }) => records.labels.map((label) => ({ ref: null, ids: [label.id], details: [], labels: [label] })),
  ],
  files: ['Files', () => []],
};
type Kind = keyof typeof kinds;

function Records({ data }: { readonly data: TenantData }) {
  const { params } = useRoute();
  const kind = params.get('kind') as Kind | null;
  const chosen = kind !== null && Object.hasOwn(kinds, kind) ? kind : 'conversations';
  const [name, list] = kinds[chosen];
  const text = params.get('text') ?? '';
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a narrow screen the tabs scroll sideways. The current tab is kept in sight.
    const link = tabs.current?.querySelector<HTMLElement>(`[href="${hrefWith({ kind: chosen })}"]`);
    tabs.current?.scrollTo({ left: (link?.offsetLeft ?? 0) - 120 });
  }, [chosen]);
  const records = list(data);
  return (
    <>
      {data.description !== null && <p className="quiet lead">{data.description}</p>}
      <nav ref={tabs} aria-label="Kinds of records" className="tabs">
        {Object.entries(kinds).map(([each, [title]]) => (
          <a key={each} href={hrefWith({ kind: each })} aria-current={each === chosen ? 'page' : undefined}>
            {title} <span className="quiet">{data[each as Kind]}</span>
          </a>
        ))}
      </nav>
      {chosen === 'files' && <FilesTable tenant={data.name} />}
      {chosen !== 'labels' && chosen !== 'files' && (
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
              The first {maxRecords} of {data[chosen].toLocaleString()}.
            </span>
          )}
        </search>
      )}
      {chosen !== 'files' && (
        <Table
          rows={records}
          columns={columnsFor(data, chosen)}
          keyOf={({ ids }) => ids.join()}
          none={text === '' ? `This tenant has no ${name.toLowerCase()}.` : 'No record matches.'}
        />
      )}
    </>
  );
}

function columnsFor(data: TenantData, kind: Kind): readonly Column<Listed>[] {
  const ids: Column<Listed> = { name: 'Id', cell: (row) => row.ids.map((id) => <IdText key={id} id={id} />) };
  const labels: Column<Listed> = {
    name: kind === 'labels' ? 'Label' : 'Labels',
    cell: (row) => (
      <span className="row">
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
          <RecordLink data={data} at={ref} />
          <span className="quiet under">{details.filter((detail) => detail !== null).join(', ')}</span>
        </>
      ),
  };
  return kind === 'labels' ? [labels, ids] : [name, ids, ...(kind === 'clients' ? [] : [labels])];
}
