import { capital } from '../../../spec/report-page/markup.ts';
import { type ClientReport, type ClientRow, control } from '../control/control.ts';
import { useRead } from '../control/reads.ts';
import { Code } from '../parts/code.tsx';
import { Table } from '../parts/table.tsx';
import { Facts, InlineCode, Loaded, Section } from '../parts/text.tsx';
import { FirstRequest } from '../requests/requests-view.tsx';

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

/** What the page is for, and how it is filled. */
const NoReport = () => (
  <>
    <p className="quiet lead">
      Whether your client keeps its duties under the contract: which it breaks, by which request, and which scopes its
      key needs. This mock does not judge the requests it receives. To see it judged:
    </p>
    <div className="card">
      <ol className="stack">
        <li>
          Stop this mock, and start the one that judges:
          <Code text="npx partnerkit certify --watch" subject="the command" />
        </li>
        <li>Give your client the address and the key that the command prints, let it work, and look here again.</li>
      </ol>
    </div>
  </>
);

/** In the order of the page. The first of them need a look. */
const order = ['fail', 'error', 'warn', 'inconclusive', 'observed', 'pass', 'not-run'];
const rank = ({ outcome }: ClientRow) => order.indexOf(outcome);

const Outcome = ({ outcome }: ClientRow) => <span className={`badge ${outcome}`}>{outcome.replace('-', ' ')}</span>;

function Report({ report: { operations, verdict, sentence, scopes, rows, exchanges } }: { report: ClientReport }) {
  const sorted = rows.toSorted((a, b) => rank(a) - rank(b));
  return (
    <>
      {Object.values(operations).some((count) => count > 0) ? (
        <div role="status" className="lead">
          <strong>{capital(verdict.replace('-', ' '))}</strong>: {sentence}.
          <p className="quiet">
            Scopes needed so far: <code>{scopes.line}</code>
          </p>
        </div>
      ) : (
        <FirstRequest />
      )}
      {sorted
        .filter((row) => rank(row) < order.indexOf('observed'))
        .map((row) => (
          <Finding key={row.id} row={row} exchanges={exchanges} />
        ))}
      <Section title="Duties">
        <Table
          rows={sorted}
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
            { name: 'Outcome', kind: 'whole', cell: Outcome },
            { name: 'Times applied', kind: 'number', cell: ({ applied }) => applied },
          ]}
        />
      </Section>
    </>
  );
}

function Finding({ row, exchanges }: Pick<ClientReport, 'exchanges'> & { readonly row: ClientRow }) {
  const { id, rule, message, advice, breaches } = row;
  const [first] = breaches;
  const shown = exchanges.find(({ n }) => n === first?.exchange);
  return (
    <section className="card" aria-label={id}>
      <h2>
        <Outcome {...row} /> <InlineCode text={advice} />
      </h2>
      {first === undefined ? (
        <p>{message}</p>
      ) : (
        <Facts
          className="facts"
          of={{ Expected: first.expected, Got: <strong className="wrong">{first.observed}</strong> }}
        />
      )}
      <p className="quiet">
        <InlineCode text={rule.text} /> <code>{id}</code>, {rule.provenance}, {rule.level}
      </p>
      {shown !== undefined && <Code text={shown.curl} subject="the request as curl" />}
    </section>
  );
}
