import { capital } from '../../../spec/report-page/markup.ts';
import { type ClientExchange, type ClientReport, type ClientRow, control, type Exchange } from '../control/control.ts';
import { journalFeed } from '../control/journal-feed.ts';
import { useRead } from '../control/reads.ts';
import { href } from '../navigation/route.ts';
import { Code } from '../parts/code.tsx';
import { Table } from '../parts/table.tsx';
import { Facts, Folded, InlineCode, Instant, Loaded, Section } from '../parts/text.tsx';
import { describeCount } from '../parts/words.ts';
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

/** What is looked at, in words. */
const looks = {
  'The key': 'It goes with every request to the API, and nowhere else: not into a URL, a body or a log.',
  Limits: 'After a 429 nothing is sent before Retry-After has passed, and most requests stay below the rate.',
  Uploads:
    'The bytes go to the upload URL, in time and with the type that it was asked for, and are registered after that.',
  Records: 'They are named by the ids that the service gave. The labels are listed once, not before every step.',
  Failures: 'A refused request is not repeated unchanged, and what is tried again waits longer each time.',
  Scopes: 'Which ones the key of your client needs, and which it does not.',
} as const;

/** What is so here, and how a client is judged. */
const NoReport = () => (
  <>
    <p className="lead">
      This mock serves requests and judges no client. Requests that came in so far:{' '}
      <a href={href('requests')}>{describeCount(journalFeed.use().length)}</a>. Two commands judge your integration:
      they say which duties of the contract it breaks, by which request, and how to mend that.
    </p>
    <div className="sides">
      <Section title="By hand" className="card">
        <p>
          Start a mock that judges beside this one, and give your client the address and the key that it prints. Its
          “Live verdict” is this page, which then follows each request.
        </p>
        <Code text="npx partnerkit certify --watch --port 0" subject="the command" />
      </Section>
      <Section title="With the tests of your client" className="card">
        <p>
          They run against mocks with faults and allowed variations, and a report says how your client took them. The
          exit code is 1 if it breaks a documented duty, so CI can use it.
        </p>
        <Code text="npx partnerkit certify --report html=client.html -- npm test" subject="the command for tests" />
      </Section>
    </div>
    <Section title="What is looked at">
      <Table
        rows={Object.entries(looks)}
        keyOf={([part]) => part}
        columns={[
          { name: 'Part', cell: ([part]) => part },
          { name: 'Duties', cell: ([, duties]) => duties },
        ]}
      />
    </Section>
  </>
);

/** In the order of the page. The first of them need a look. */
const order = ['fail', 'error', 'warn', 'inconclusive', 'observed', 'pass', 'not-run'];
const rank = ({ outcome }: ClientRow) => order.indexOf(outcome);

const words: Readonly<Record<string, string>> = { 'not-run': 'not met yet' };
const Outcome = ({ outcome }: ClientRow) => <span className={`badge ${outcome}`}>{words[outcome] ?? outcome}</span>;

function Report({ report: { operations, verdict, sentence, scopes, rows, exchanges } }: { report: ClientReport }) {
  const sorted = rows.toSorted((a, b) => rank(a) - rank(b));
  const findings = sorted.filter((row) => rank(row) < order.indexOf('observed'));
  const { kept = [], unmet = [] } = Object.groupBy(sorted.slice(findings.length), ({ applied }) =>
    applied > 0 ? 'kept' : 'unmet',
  );
  return (
    <>
      {Object.values(operations).some((count) => count > 0) ? (
        <div role="status" className="card stack">
          <p>
            <span className={`badge ${verdict}`}>{capital(verdict.replace('-', ' '))}</span>{' '}
            <strong>{capital(sentence)}.</strong>
          </p>
          <Facts
            className="facts"
            of={{
              Requests: describeCount(Object.values(operations).reduce((sum, count) => sum + count, 0)),
              'Duties kept': kept.length,
              'Duties not met yet': unmet.length,
              'Scopes needed so far': <code>{scopes.line || 'none'}</code>,
            }}
          />
        </div>
      ) : (
        <FirstRequest />
      )}
      {findings.map((row) => (
        <Finding key={row.id} row={row} exchanges={exchanges} />
      ))}
      <Section title="Other duties">
        {Object.entries({ Kept: kept, 'Not met yet': unmet }).map(([title, duties]) => (
          <Folded key={title} title={title} count={duties.length}>
            <Table
              rows={duties}
              keyOf={({ id }) => id}
              columns={[
                { name: 'Duty', cell: ({ title }) => title, under: ({ id }) => <code>{id}</code> },
                { name: 'Outcome', kind: 'whole', cell: Outcome },
                { name: 'Times applied', kind: 'number', cell: ({ applied }) => applied },
              ]}
            />
          </Folded>
        ))}
      </Section>
    </>
  );
}

function Finding({ row, exchanges }: Pick<ClientReport, 'exchanges'> & { readonly row: ClientRow }) {
  const { id, rule, message, advice, breaches, applied, broken } = row;
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
          of={{
            Expected: first.expected,
            Got: <strong className="wrong">{first.observed}</strong>,
            Broken: `${describeCount(broken)} of ${describeCount(applied)} times`,
            'First, UTC': shown && <Sent {...shown} />,
          }}
        />
      )}
      <p className="quiet">
        <InlineCode text={rule.text} /> <code>{id}</code>, {rule.provenance}, {rule.level}
      </p>
      {shown !== undefined && <Code text={shown.curl} subject="the request as curl" />}
    </section>
  );
}

/** When a request was sent, which leads to it in the journal. The report counts requests by itself; those of one time and address are alike. */
function Sent({ method, url, sentAt }: ClientExchange) {
  const pathOf = (url: string) => url.split('?', 1)[0];
  const away = ({ at }: Exchange) => Math.abs(Date.parse(at) - sentAt);
  const known = journalFeed.use();
  const alike = known.filter(({ request }) => request.method === method && pathOf(request.url) === pathOf(url));
  const [nearest] = alike.toSorted((a, b) => away(a) - away(b));
  const when = <Instant at={new Date(sentAt).toISOString()} clock />;
  // The journal forgets the oldest requests.
  return nearest && away(nearest) < 100 ? <a href={href('requests', { id: String(nearest.id) })}>{when}</a> : when;
}
