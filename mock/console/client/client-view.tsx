import { capital, ticked } from '../../../spec/report-page/markup.ts';
import { type ClientExchange, type ClientReport, type ClientRow, control, type Exchange } from '../control/control.ts';
import { journalFeed } from '../control/journal-feed.ts';
import { useRead } from '../control/reads.ts';
import { href } from '../navigation/route.ts';
import { Code } from '../parts/code.tsx';
import { Table } from '../parts/table.tsx';
import { Facts, InlineCode, Instant, Loaded, Section } from '../parts/text.tsx';
import { describeCount } from '../parts/words.ts';
import { isRefused } from '../requests/journal-filter.ts';
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

const waysToJudge = {
  'Judge it live': [
    'npx partnerkit certify --watch --port 0',
    'Prints an address and a key for your client. The page there is its live verdict.',
  ],
  'Judge it by its tests': [
    'npx partnerkit certify --report html=client.html -- npm test',
    'Runs them with faults and allowed variations. Exits with 1 if a duty is broken.',
  ],
  'Judge a recording': [
    'npx partnerkit certify --recording exchanges.har',
    'Reads what a browser or a proxy has saved of another run, and judges that.',
  ],
} as const;

/** The commands that judge a client, the simplest one first, and what came in here, which nothing judges. */
function NoReport() {
  const came = journalFeed.use();
  const [first, last] = [came[0], came.at(-1)];
  const each = (of: (exchange: Exchange) => string | null | undefined) =>
    [...new Set(came.map(of).filter(Boolean))].join(', ') || 'none';
  const [simplest, ...others] = Object.entries(waysToJudge).map(([title, [command, words]]) => (
    <Section key={title} title={title} className="card">
      <Code text={command} subject={`the command to ${title.toLowerCase()}`} />
      <p className="quiet">{words}</p>
    </Section>
  ));
  return (
    <>
      <p className="quiet lead">
        This mock answers a client and judges nothing. Certify runs a mock that judges: there, this page shows which
        duties the client breaks, the request behind each finding and how to mend it, and the scopes that it needs.
      </p>
      {simplest}
      <div className="sides">{others}</div>
      <Section title="Requests to this mock, not judged">
        {first && last ? (
          <Facts
            className="facts card"
            of={{
              Requests: <a href={href('requests')}>{describeCount(came.length)}</a>,
              Refused: (
                <a href={href('requests', { status: 'refused' })}>{describeCount(came.filter(isRefused).length)}</a>
              ),
              'Sent by': each(({ request }) => request.headers['user-agent']),
              'With the keys': each(({ tenant, key }) => key && `${tenant}/${key}`),
              'First, UTC': <Instant at={first.at} clock />,
              'Last, UTC': <Instant at={last.at} clock />,
            }}
          />
        ) : (
          <FirstRequest />
        )}
      </Section>
    </>
  );
}

/** In the order of the page. The first of them need a look. */
const order = ['fail', 'error', 'warn', 'inconclusive', 'observed', 'pass', 'not-run'];
const rank = ({ outcome }: ClientRow) => order.indexOf(outcome);

const Outcome = ({ outcome }: ClientRow) => <span className={`badge ${outcome}`}>{outcome.replace('-', ' ')}</span>;

function Report({ report: { operations, verdict, sentence, scopes, rows, exchanges } }: { report: ClientReport }) {
  const sorted = rows.toSorted((a, b) => rank(a) - rank(b));
  const findings = sorted.filter((row) => rank(row) < order.indexOf('observed'));
  const others = sorted.slice(findings.length);
  const isUnmet = ({ applied }: ClientRow) => applied === 0;
  const unmet = others.filter(isUnmet).length;
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
              'Duties kept': others.length - unmet,
              'Duties not met yet': unmet,
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
        <Table
          rows={others}
          keyOf={({ id }) => id}
          less={['Not met yet', isUnmet]}
          columns={[
            { name: 'Duty', cell: ({ title }) => title, under: ({ id }) => <code>{id}</code> },
            { name: 'Outcome', kind: 'whole', cell: Outcome },
            { name: 'Times applied', kind: 'number', cell: ({ applied }) => applied },
          ]}
        />
      </Section>
    </>
  );
}

/** A sentence of the report, with its literals as code. */
const said = (text: string) => <InlineCode text={ticked(text)} />;

function Finding({ row, exchanges }: Pick<ClientReport, 'exchanges'> & { readonly row: ClientRow }) {
  const { id, rule, outcome, message, advice, breaches, applied, broken } = row;
  const [first] = breaches;
  const shown = exchanges.find(({ n }) => n === first?.exchange);
  // Another request, or one without its signature, would not show it.
  const isAlone = shown !== undefined && first?.with.length === 0 && !shown.curl.includes('REDACTED');
  return (
    <section className="card" aria-label={id}>
      <h2>
        <Outcome {...row} /> {said(advice)}
      </h2>
      {first === undefined ? (
        <p>{message}</p>
      ) : (
        <Facts
          className="facts"
          of={{
            Expected: said(first.expected),
            Got: <strong className={`wrong ${outcome}`}>{said(first.observed)}</strong>,
            // A duty that is judged once, by all requests, counts them itself.
            Broken: applied > 1 ? `${describeCount(broken)} of ${describeCount(applied)} times` : undefined,
            'First, UTC': shown && <Sent {...shown} />,
          }}
        />
      )}
      <p className="quiet">
        {said(rule.text)} <code>{id}</code>, {rule.provenance}, {rule.level}
      </p>
      {isAlone && <Code text={shown.curl} subject="the request as curl" />}
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
