import type { ReactNode } from 'react';
import { instantInWords } from '../../../spec/text/time-in-words.ts';
import { control, type FileRecord, type Label, maxRecords, type TenantData } from '../control/control.ts';
import { useRead, useTenantData } from '../control/reads.ts';
import { href, hrefWith, replaceParams, useRoute } from '../navigation/route.ts';
import { useTenant } from '../navigation/tenant.ts';
import { IdText } from '../parts/buttons.tsx';
import { Input } from '../parts/form.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { TenantSelect } from '../parts/tenant-select.tsx';
import { Loaded } from '../parts/text.tsx';
import { describeSize } from '../parts/words.ts';
import { LabelBadge } from './labels.tsx';
import { MockActions, TenantActions } from './mock-actions.tsx';
import { FileState, RecordPage } from './record-page.tsx';
import { type RecordRef, recordName, recordRef, refAt, titleOf } from './record-ref.ts';

/** All data of a tenant as the product shows it, with the private labels that the API hides. */
export default function RecordsView() {
  const { params } = useRoute();
  // All labels and files are here already; the mock looks for the others.
  const data = useTenantData(useTenant(), isHere(params.get('kind')) ? '' : (params.get('text') ?? ''));
  const record = refAt(params.get('record'));
  if (record !== null) {
    return <Loaded query={data}>{(known) => <RecordPage key={record.path} data={known} at={record} />}</Loaded>;
  }
  return (
    <>
      <div className="heading">
        <h1>Data</h1>
        <TenantSelect />
      </div>
      <Loaded query={data}>{(known) => <Records data={known} />}</Loaded>
      <div className="sides on-screen">
        {data.data !== undefined && <TenantActions tenant={data.data} />}
        <MockActions />
      </div>
    </>
  );
}

const isHere = (kind: string | null) => kind === 'labels' || kind === 'files';

/** A record in a list. */
interface Row {
  /** Leads to its page. Labels have none. */
  readonly ref?: RecordRef;
  readonly name?: string | null;
  readonly ids: readonly string[];
  readonly details: readonly (string | null | false)[];
  /** Its labels, or the state of a file. */
  readonly badges: readonly ReactNode[];
  /** Of a file. */
  readonly site?: RecordRef;
}

const idsOf = ({ ids }: Row) => ids.map((id) => <IdText key={id} id={id} />);

const listed = (parts: readonly ReactNode[]) =>
  parts.length > 0 ? <span className="row">{parts}</span> : <span className="quiet">none</span>;

const badgesOf = (labels: readonly Label[]) => labels.map((label) => <LabelBadge key={label.id} label={label} />);

const row = (ref: RecordRef, labels: readonly Label[], ...details: Row['details']): Row => ({
  ref,
  ids: ref.ids,
  badges: badgesOf(labels),
  details,
});

const fileRow = (file: FileRecord): Row => ({
  ...row(recordRef('file', file.fileKey), []),
  details: [
    file.contentType,
    file.size !== null && describeSize(file.size),
    file.storedAt && instantInWords(file.storedAt),
  ],
  badges: [<FileState key={file.state} file={file} />],
  name: file.name,
  site: recordRef('site', file.site),
});

/** The rows of each kind of records. */
const lists: Readonly<Record<string, (data: TenantData['records'], files: readonly FileRecord[]) => Row[]>> = {
  conversations: ({ conversations }) =>
    conversations.map((one) => row(recordRef('conversation', one.id), one.labels, one.friendlyId, one.status)),
  sites: ({ sites }) =>
    sites.map((one) => row(recordRef('site', one.id), one.labels, one.businessName !== null && one.address1, one.city)),
  links: ({ links }) =>
    links.map((one) => row(recordRef('link', one.client, one.site), one.labels, one.isPrimary && 'primary client')),
  clients: ({ clients }) => clients.map(({ id }) => row(recordRef('client', id), [])),
  labels: ({ labels }) =>
    labels.map((label) => ({
      ids: [label.id],
      name: label.name,
      details: [label.visibility === 'private' && 'The API never shows it, and answers 404 when a request names it.'],
      badges: badgesOf([label]),
    })),
  files: (_, files) => files.toSorted((a, b) => a.site.localeCompare(b.site)).map(fileRow),
};

function Records({ data }: { readonly data: TenantData }) {
  const { params } = useRoute();
  const kind = Object.keys(lists).find((each) => each === params.get('kind')) ?? 'conversations';
  const text = params.get('text') ?? '';
  const files = useRead(['files', data.name], () => control.files(data.name), { every: 2_000, when: kind === 'files' });
  const linkTo = (ref: RecordRef, name?: string | null) => (
    <a href={href('data', { tenant: data.name, record: ref.path })}>{name ?? recordName(data, ref)}</a>
  );
  const has = ({ name, ids, site }: Row) =>
    [name, ...ids, site && recordName(data, site)].join('\n').toLowerCase().includes(text.toLowerCase());
  const rows = lists[kind]?.(data.records, files.data ?? []).filter((each) => !isHere(kind) || has(each)) ?? [];
  const sizeOf = (each: string) => data[each as keyof TenantData['records']];
  const columns: readonly (Column<Row> | false)[] = [
    {
      name: 'Name',
      cell: ({ ref, name, badges }) => (ref ? linkTo(ref, name) : badges),
      under: (one) => [one.details.filter(Boolean).join(', '), kind === 'files' && idsOf(one)],
    },
    kind === 'files' && { name: 'Site', cell: ({ site }) => site && linkTo(site) },
    kind !== 'files' && { name: 'Id', cell: idsOf },
    !/clients|labels/.test(kind) && { name: kind === 'files' ? 'State' : 'Labels', cell: (one) => listed(one.badges) },
  ];
  return (
    <>
      {data.description !== null && <p className="quiet lead">{data.description}</p>}
      <nav aria-label="Kinds of records" className="row tabs">
        {Object.keys(lists).map((each) => (
          <a key={each} href={hrefWith({ kind: each })} aria-current={each === kind ? 'page' : undefined}>
            {titleOf(each)} <span className="quiet">{sizeOf(each)}</span>
          </a>
        ))}
      </nav>
      <search className="row">
        <Input
          label="Find by name, id or label"
          type="search"
          value={text}
          onText={(text) => replaceParams({ text })}
        />
        {rows.length >= maxRecords && !isHere(kind) && (
          <span className="quiet">
            The first {maxRecords} of {sizeOf(kind).toLocaleString()}.
          </span>
        )}
      </search>
      <Table
        rows={rows}
        columns={columns.filter((column) => column !== false)}
        keyOf={({ ids }) => ids.join()}
        none={text === '' ? `This tenant has no ${titleOf(kind).toLowerCase()}.` : 'No record matches.'}
      />
    </>
  );
}
