import { type ClientReport, type ClientRow, control } from '../control/control.ts';
import { useRead } from '../control/reads.ts';
import { Code } from '../parts/code.tsx';
import { Table } from '../parts/table.tsx';
import { InlineCode, Loaded } from '../parts/text.tsx';

/** Shows the verdict of `partnerkit certify --watch` on the client that calls this mock. */
export default function ClientView() {
  const report = useRead(['client'], control.client, { every: 1_000 });
  return (
    <>
      <h1>Client</h1>
      <Loaded query={report}>{(found) => (found === null ? <NoReport /> : <Report report={found} />)}</Loaded>
    </>
  );
}

const NoReport = () => (
  <div className="empty">
    <p>
      This mock does not judge the requests it receives. To judge a client that you run by hand, start the mock with:
    </p>
    <Code text="npx partnerkit certify --watch" subject="the command" />
  </div>
);

const verdicts = { certified: 'Certified', 'not-certified': 'Not certified', incomplete: 'Could not tell' } as const;
const kinds: Readonly<Record<string, string>> = { fail: 'bad', warn: 'warn', inconclusive: 'warn', pass: 'good' };
const isWrong = ({ outcome }: ClientRow) => outcome in kinds && outcome !== 'pass';

const Outcome = ({ outcome }: Pick<ClientRow, 'outcome'>) => (
  <span className={`badge ${kinds[outcome] ?? ''}`}>{outcome.replace('-', ' ')}</span>
);

function Report({ report }: { readonly report: ClientReport }) {
  const wrong = report.rows.filter(isWrong);
  if (Object.values(report.operations).every((count) => count === 0)) {
    return <p className="empty">No request has arrived yet.</p>;
  }
  return (
    <>
      <p className="lead" role="status">
        <strong>{verdicts[report.verdict]}</strong>: {report.sentence}.
      </p>
      <p className="quiet">
        Scopes needed so far: <code>{report.scopes.line}</code>
      </p>
      {wrong.map((row) => (
        <Finding key={row.id} row={row} report={report} />
      ))}
      <h2>Duties</h2>
      <Table
        rows={[...wrong, ...report.rows.filter((row) => !isWrong(row))]}
        keyOf={({ id }) => id}
        columns={[
          {
            name: 'Duty',
            cell: ({ id, title }) => (
              <>
                <code>{id}</code>
                <span className="quiet under">{title}</span>
              </>
            ),
          },
          { name: 'Outcome', kind: 'whole', cell: (row) => <Outcome {...row} /> },
          { name: 'Times applied', kind: 'number', cell: ({ applied }) => applied },
        ]}
      />
    </>
  );
}

function Finding({ row, report }: { readonly row: ClientRow; readonly report: ClientReport }) {
  const { id, rule, message, advice, breaches } = row;
  const [first] = breaches;
  const shown = report.exchanges.find(({ n }) => n === first?.exchange);
  return (
    <section className="card" aria-label={id}>
      <h2>
        <Outcome {...row} /> {id}
      </h2>
      <p>
        <InlineCode text={rule.text} />{' '}
        <span className="quiet">
          ({rule.section}; {rule.provenance}, {rule.level})
        </span>
      </p>
      <p>
        <InlineCode
          text={first === undefined ? message : `Expected ${first.expected}; observed **${first.observed}**.`}
        />
      </p>
      <p>
        <InlineCode text={advice} />
      </p>
      {shown !== undefined && <Code text={shown.curl} subject="the request as curl" />}
    </section>
  );
}
