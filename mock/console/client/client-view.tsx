import { type ClientReport, type ClientRow, control } from '../control/control.ts';
import { useRead } from '../control/reads.ts';
import { Code } from '../parts/code.tsx';
import { Table } from '../parts/table.tsx';
import { InlineCode, Loaded, Section } from '../parts/text.tsx';

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
  <div className="empty stack">
    <p>
      This mock does not judge the requests it receives. To judge a client that you run by hand, start the mock with:
    </p>
    <Code text="npx partnerkit certify --watch" subject="the command" />
  </div>
);

const verdicts = { certified: 'Certified', 'not-certified': 'Not certified', incomplete: 'Could not tell' } as const;
/** The outcomes with their colours, in the order of the page. */
const kinds: Readonly<Record<string, string>> = { fail: 'bad', warn: 'warn', inconclusive: 'warn', pass: 'good' };
const isWrong = ({ outcome }: ClientRow) => outcome in kinds && outcome !== 'pass';
const order = [...Object.keys(kinds), 'observed', 'not-run'];
const byOutcome = (a: ClientRow, b: ClientRow) => order.indexOf(a.outcome) - order.indexOf(b.outcome);

const Outcome = ({ outcome }: ClientRow) => (
  <span className={`badge ${kinds[outcome] ?? ''}`}>{outcome.replace('-', ' ')}</span>
);

function Report({ report: { operations, verdict, sentence, scopes, rows, exchanges } }: { report: ClientReport }) {
  if (Object.values(operations).every((count) => count === 0)) {
    return <p className="empty">No request has arrived yet.</p>;
  }
  const sorted = rows.toSorted(byOutcome);
  return (
    <>
      <p className="lead" role="status">
        <strong>{verdicts[verdict]}</strong>: {sentence}.
      </p>
      <p className="quiet">
        Scopes needed so far: <code>{scopes.line}</code>
      </p>
      {sorted.filter(isWrong).map((row) => (
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
  const found = first === undefined ? message : `Expected ${first.expected}; observed **${first.observed}**.`;
  return (
    <section className="card" aria-label={id}>
      <h2>
        <Outcome {...row} /> <InlineCode text={advice} />
      </h2>
      <p>
        <InlineCode text={found} />
      </p>
      <p className="quiet">
        <InlineCode text={rule.text} /> <code>{id}</code>, {rule.provenance}, {rule.level}
      </p>
      {shown !== undefined && <Code text={shown.curl} subject="the request as curl" />}
    </section>
  );
}
