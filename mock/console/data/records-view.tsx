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

/** A record in a list: its page, if it has one, its ids, its labels, and what else is said of it. */
interface Listed {
  readonly ref?: RecordRef;
  readonly ids: readonly string[];
  readonly labels: readonly Label[];
  readonly details: readonly (string | null | false)[];
}

const listed = (ref: RecordRef, labels: readonly Label[], ...details: Listed['details']): Listed => ({
  ref,
  ids: ref.ids,
  labels,
  details,
});

/** Each kind of records with its name, and how it is listed. Files have a table of their own. */
const kinds: Readonly<Record<string, readonly [name: string, list: (records: TenantData['records']) => Listed[]]>> = {
  conversations: [
    'Conversations',
    ({ conversations }) =>
      conversations.map((each) =>
        listed(recordRef('conversation', each.id), each.labels, each.friendlyId, each.status),
      ),
  ],
  sites: [
    'Sites',
    ({ sites }) =>
      sites.map((each) =>
        listed(recordRef('site', each.id), each.labels, each.businessName !== null && each.address1, each.city),
      ),
  ],
  links: [
    'Client-site links',
    ({ links }) =>
      links.map((each) =>
        listed(recordRef('link', each.client, each.site), each.labels, each.isPrimary && 'primary client of the site'),
      ),
  ],
  clients: ['Clients', ({ clients }) => clients.map(({ id }) => listed(recordRef('client', id), []))],
  labels: ['Labels', ({ labels }) => labels.map((label) => ({ ids: [label.id], labels: [label], details: [] }))],
  files: ['Files', () => []],
};

function Records({ data }: { readonly data: TenantData }) {
  const { params } = useRoute();
  const kind = Object.keys(kinds).find((each) => each === params.get('kind')) ?? 'conversations';
  const [name, list] = kinds[kind] ?? ['', () => []];
  const text = params.get('text') ?? '';
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a narrow screen the tabs scroll sideways. The current tab is kept in sight.
    const link = tabs.current?.querySelector<HTMLElement>(`[href="${hrefWith({ kind })}"]`);
    tabs.current?.scrollTo({ left: (link?.offsetLeft ?? 0) - 120 });
  }, [kind]);
  const records = list(data.records);
  const sizeOf = (each: string) => data[each as keyof TenantData['records']];
  return (
    <>
      {data.description !== null && <p className="quiet lead">{data.description}</p>}
      <nav ref={tabs} aria-label="Kinds of records" className="tabs">
        {Object.entries(kinds).map(([each, [title]]) => (
          <a key={each} href={hrefWith({ kind: each })} aria-current={each === kind ? 'page' : undefined}>
            {title} <span className="quiet">{sizeOf(each)}</span>
          </a>
        ))}
      </nav>
      {!['labels', 'files'].includes(kind) && (
        <search className="row">
          <input
            type="search"
            aria-label="Find by name or id"
            placeholder="Find by name or id"
            value={text}
            onChange={(event) => replaceParams({ text: event.currentTarget.value })}
          />
          {records.length >= maxRecords && (
            <span className="quiet">
              The first {maxRecords} of {sizeOf(kind).toLocaleString()}.
            </span>
          )}
        </search>
      )}
      {kind === 'files' ? (
        <FilesTable tenant={data.name} />
      ) : (
        <Table
          rows={records}
          columns={columnsFor(data, kind)}
          keyOf={({ ids }) => ids.join()}
          none={text === '' ? `This tenant has no ${name.toLowerCase()}.` : 'No record matches.'}
        />
      )}
    </>
  );
}

function columnsFor(data: TenantData, kind: string): readonly Column<Listed>[] {
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
    cell: ({ ref, details }) => (
      <>
        {ref && <RecordLink data={data} at={ref} />}
        <span className="quiet under">{details.filter(Boolean).join(', ')}</span>
      </>
    ),
  };
  return kind === 'labels' ? [labels, ids] : [name, ids, ...(kind === 'clients' ? [] : [labels])];
}
