import { type ReactNode, useEffect, useRef } from 'react';
import { control, type FileRecord, type Label, maxRecords, type TenantData } from '../control/control.ts';
import { useRead, useTenantData } from '../control/reads.ts';
import { href, hrefWith, replaceParams, useRoute } from '../navigation/route.ts';
import { TenantSelect, useTenant } from '../navigation/tenant.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { IdText, Loaded } from '../parts/text.tsx';
import { describeSize } from '../parts/words.ts';
import { LabelBadge } from './labels.tsx';
import { MockActions, TenantActions } from './mock-actions.tsx';
import { FileState, RecordPage } from './record-page.tsx';
import { type RecordRef, recordName, recordRef, refAt } from './record-ref.ts';

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
interface Row {
  /** Leads to its page. Labels have none. */
  readonly ref?: RecordRef;
  readonly name?: string | null;
  readonly ids: readonly string[];
  readonly details: readonly (string | null | false)[];
  /** Its labels, or the state of a file. */
  readonly badges: readonly ReactNode[];
}

const row = (ref: RecordRef, badges: Row['badges'], ...details: Row['details']): Row => ({
  ref,
  ids: ref.ids,
  badges,
  details,
});
const badgesOf = (labels: readonly Label[]) => labels.map((label) => <LabelBadge key={label.id} label={label} />);

const fileRow = ({ fileKey, name, contentType, size, state }: FileRecord): Row => {
  const badges = [<FileState key={state} state={state} />];
  return { ...row(recordRef('file', fileKey), badges, contentType, size !== null && describeSize(size)), name };
};

type ListRows = (data: TenantData['records'], files: readonly FileRecord[]) => Row[];

/** Each kind of records with its name, the name of its badges, and its rows. */
const kinds: Readonly<Record<string, readonly [title: string, badges: string, rows: ListRows]>> = {
  conversations: [
    'Conversations',
    'Labels',
    ({ conversations }) =>
      conversations.map(({ id, labels, friendlyId, status }) =>
        row(recordRef('conversation', id), badgesOf(labels), friendlyId, status),
      ),
  ],
  sites: [
    'Sites',
    'Labels',
    ({ sites }) =>
      sites.map(({ id, labels, businessName, address1, city }) =>
        row(recordRef('site', id), badgesOf(labels), businessName !== null && address1, city),
      ),
  ],
  links: [
    'Client-site links',
    'Labels',
    ({ links }) =>
      links.map(({ client, site, labels, isPrimary }) =>
        row(recordRef('link', client, site), badgesOf(labels), isPrimary && 'primary client of the site'),
      ),
  ],
  clients: ['Clients', '', ({ clients }) => clients.map(({ id }) => row(recordRef('client', id), []))],
  labels: [
    'Labels',
    '',
    ({ labels }) => labels.map((label) => ({ ids: [label.id], details: [], badges: badgesOf([label]) })),
  ],
  files: ['Files', 'State', (_, files) => files.map(fileRow)],
};

function Records({ data }: { readonly data: TenantData }) {
  const { params } = useRoute();
  const kind = Object.keys(kinds).find((each) => each === params.get('kind')) ?? 'conversations';
  const [name, badges, list] = kinds[kind] ?? ['', '', () => []];
  const text = params.get('text') ?? '';
  const tabs = useRef<HTMLElement>(null);
  const files = useRead(['files', data.name], () => control.files(data.name), { every: 2_000, when: kind === 'files' });
  useEffect(() => {
    // On a narrow screen the tabs scroll sideways. The current tab is kept in sight.
    const link = tabs.current?.querySelector<HTMLElement>(`[href="${hrefWith({ kind })}"]`);
    tabs.current?.scrollTo({ left: (link?.offsetLeft ?? 0) - 120 });
  }, [kind]);
  const rows = list(data.records, files.data ?? []);
  const sizeOf = (each: string) => data[each as keyof TenantData['records']];
  const columns: readonly (Column<Row> | false)[] = [
    {
      name: 'Name',
      cell: ({ ref, name, badges, details }) => (
        <>
          {ref ? (
            <a href={href('data', { tenant: data.name, record: ref.path })}>{name ?? recordName(data, ref)}</a>
          ) : (
            badges
          )}
          <span className="quiet under">{details.filter(Boolean).join(', ')}</span>
        </>
      ),
    },
    { name: 'Id', cell: ({ ids }) => ids.map((id) => <IdText key={id} id={id} />) },
    badges !== '' && {
      name: badges,
      cell: (each) => <span className="row">{each.badges.length > 0 ? each.badges : 'none'}</span>,
    },
  ];
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
          {rows.length >= maxRecords && (
            <span className="quiet">
              The first {maxRecords} of {sizeOf(kind).toLocaleString()}.
            </span>
          )}
        </search>
      )}
      <Table
        rows={rows}
        columns={columns.filter((column) => column !== false)}
        keyOf={({ ids }) => ids.join()}
        none={text === '' ? `This tenant has no ${name.toLowerCase()}.` : 'No record matches.'}
      />
    </>
  );
}
