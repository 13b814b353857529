import { capital, ticked } from '../../../spec/report-page/markup.ts';
import { exportLines } from '../../../spec/text/shell-quoted.ts';
import { instantInWords } from '../../../spec/text/time-in-words.ts';
import { type ClientExchange, type ClientReport, type ClientRow, control, type Exchange } from '../control/control.ts';
import { journalFeed } from '../control/journal-feed.ts';
import { useRead } from '../control/reads.ts';
import { href } from '../navigation/route.ts';
import { Button, CopyButton } from '../parts/buttons.tsx';
import { Code } from '../parts/code.tsx';
import { Table } from '../parts/table.tsx';
import { Facts, Folded, InlineCode, Instant, Loaded, Section } from '../parts/text.tsx';
import { describeCount } from '../parts/words.ts';
import { Message } from '../requests/message.tsx';
import { codeSample, firstRequest } from '../samples/code-samples.ts';

const isWaiting = ({ operations }: ClientReport) => Object.keys(operations).length === 0;

/** Shows the verdict of `partnerkit certify --watch` on the client that calls this mock. */
export default function ClientView() {
  const judged = useRead(['client'], control.client, { every: 1_000 });
  const isOver = journalFeed.useConnection() === 'lost';
  const report = judged.data?.report;
  return (
    <>
      <div className="row">
        <h1>Client</h1>
        {report && (
          <span className={`badge ${isOver ? 'warn' : ''}`} role="status">
            {isOver ? 'over' : isWaiting(report) ? 'waiting for the first request' : 'judging live'}
          </span>
        )}
        {report && !isWaiting(report) && (
          <Button
            label="Start over"
            className="last"
            title="Also clears the list of requests"
            act={control.clearJournal}
          />
        )}
      </div>
      <Loaded query={judged}>
        {({ report, environment }) => {
          if (report === null) return <NoReport />;
          if (!isWaiting(report)) return <Report report={report} environment={environment} />;
          return (
            <Section title="For your client" className="card">
              <p className="quiet">
                Set the first two where your client runs: each of its requests is judged here at once. The others name a
                record of every kind.
              </p>
              <Code text={exportLines(environment).join('\n')} subject="the variables" />
              <p className="quiet">Or try it first with this command from a terminal:</p>
              <Code text={codeSample('curl', firstRequest(environment.PARTNERKIT_KEY))} subject="the command" />
            </Section>
          );
        }}
      </Loaded>
    </>
  );
}

const waysToJudge = {
  'Judge it live': [
    'npx partnerkit certify --watch --port 0',
    'Prints an address and a key for your client. This page of that mock shows what the client breaks, and how to mend it.',
  ],
  'Judge its tests': [
    'npx partnerkit certify --report html=client.html -- npm test',
    'Runs them as they are, and again with faults and other replies. The report is a page.',
  ],
  'Judge a recording': [
    'npx partnerkit certify --recording exchanges.har',
    'Reads a HAR file of a browser or a proxy. Nothing is sent.',
  ],
} as const;

/** The commands that judge a client, the simplest one first. */
const NoReport = () => (
  <>
    <p className="quiet lead">
      This mock answers a client and does not judge it. Each of these commands does, and says what to mend, for example:{' '}
      <InlineCode text="Send the key in `x-api-key` only: expected the key in `x-api-key` alone, got the key in the URL." />
    </p>
    {Object.entries(waysToJudge).map(([way, [command, words]]) => (
      <Section key={way} title={way} className="card">
        <Code text={command} subject={`the command: ${way}`} head={<p className="quiet grow">{words}</p>} />
      </Section>
    ))}
  </>
);

/** What needs a look, in the order of the page. */
const wrong = ['fail', 'error', 'warn', 'inconclusive'];

function Report({ report, environment }: { report: ClientReport; environment: Readonly<Record<string, string>> }) {
  const { operations, verdict, sentence, scopes, rows, exchanges } = report;
  const findings = wrong.flatMap((kind) => rows.filter(({ outcome }) => outcome === kind));
  const others = rows.filter((row) => !findings.includes(row)).toSorted((a, b) => b.applied - a.applied);
  const kept = others.filter(({ applied }) => applied > 0);
  const judged = rows.filter(({ outcome }) => outcome !== 'not-run').length;
  const count = Object.values(operations).reduce((sum, one) => sum + one, 0);
  const [first] = journalFeed.use();
  // By what the client would have to do.
  const unseen = Map.groupBy(
    others.filter((row) => !kept.includes(row)),
    ({ message }) => message,
  );
  return (
    <>
      <div role="status" className="card stack">
        <p>
          {verdict === 'not-certified' && <span className="badge not-certified">Not certified</span>}{' '}
          <strong>{capital(sentence)}.</strong>
        </p>
        <Facts
          className="facts"
          of={{
            Judged: (
              <>
                <progress aria-label="Duties judged" max={rows.length} value={judged} />{' '}
                <span className="whole">{`${judged} of ${rows.length}`}</span>
              </>
            ),
            'Requests of all clients': `${describeCount(count)}${first ? ` since ${instantInWords(first.at)}` : ''}`,
            'Scopes of successful requests': <code>{scopes.line}</code>,
            // The key is not shown beside what is judged, which is printed and passed on.
            'For your client': (
              <CopyButton text={exportLines(environment).join('\n')} label="Copy the variables" className="plain" />
            ),
          }}
        />
      </div>
      {findings.length > 0 && (
        <Section title="What to mend">
          {findings.map((row) => (
            <Finding key={row.id} row={row} exchanges={exchanges} />
          ))}
        </Section>
      )}
      <Section title={findings.length > 0 ? 'Other duties' : 'Duties'}>
        <Folded title="Kept" count={kept.length}>
          <Table
            rows={kept}
            keyOf={({ id }) => id}
            columns={[
              { name: 'Duty', cell: ({ title }) => title, under: ({ id }) => <code>{id}</code> },
              { name: 'Times applied', kind: 'number', cell: ({ applied }) => applied },
            ]}
          />
        </Folded>
        <Folded open title="Not seen yet" count={others.length - kept.length}>
          <Table
            rows={[...unseen]}
            keyOf={([why]) => why}
            columns={[
              { name: 'What it has not done', cell: ([why]) => said(capital(why)) },
              {
                name: 'When it does',
                cell: ([, rows]) => (
                  <div>
                    {rows.map(({ id, advice }) => (
                      <p key={id}>{said(advice)}</p>
                    ))}
                  </div>
                ),
              },
            ]}
          />
        </Folded>
      </Section>
    </>
  );
}

/** A sentence of the report, with its literals as code. */
const said = (text: string) => <InlineCode text={ticked(text)} />;

/** A line that says what to mend, and below it the exchanges that show it, which the report keeps when the journal is cleared. */
function Finding({ row, exchanges }: Pick<ClientReport, 'exchanges'> & { readonly row: ClientRow }) {
  const { id, rule, outcome, message, advice, applied, broken } = row;
  const [first] = row.breaches;
  const shown = exchanges.filter(({ n }) => n === first?.exchange || first?.with.includes(n));
  const last = shown.at(-1);
  return (
    <section className="card" aria-label={id}>
      <h3>
        <span className={`badge ${outcome}`}>{outcome}</span> {said(advice)}
      </h3>
      <details name="finding">
        <summary className="crumbs">
          {first === undefined ? message : <>expected {said(first.expected)}, got </>}
          {first && <strong className={`wrong ${outcome}`}>{said(first.observed)}</strong>}
          {/* A duty that is judged once, by all requests, counts them itself. */}
          {applied > 1 && `, ${describeCount(broken)} of ${describeCount(applied)} times`}
        </summary>
        <div className="stack">
          <p className="quiet">
            {said(rule.text)} <code>{id}</code>, {rule.provenance}, {rule.level}
          </p>
          {shown.map((exchange) => (
            <Sent key={exchange.n} exchange={exchange} />
          ))}
          {last && (
            <>
              <Code text={last.curl} subject="the command" />
              <Message title="Reply" headers={last.headers} body={last.body === null ? null : { text: last.body }} />
            </>
          )}
        </div>
      </details>
    </section>
  );
}

/** What was sent and answered, which leads to it in the journal. The report counts requests by itself; those of one time and address are alike. */
function Sent({ exchange: { method, url, sentAt, status } }: { readonly exchange: ClientExchange }) {
  const pathOf = (url: string) => url.split('?', 1)[0];
  const away = ({ at }: Exchange) => Math.abs(Date.parse(at) - sentAt);
  // The journal forgets the oldest requests.
  const [nearest] = journalFeed
    .use()
    .filter((one) => one.request.method === method && pathOf(one.request.url) === pathOf(url) && away(one) < 100)
    .toSorted((a, b) => away(a) - away(b));
  return (
    <p>
      <a href={nearest && href('requests', { id: String(nearest.id) })}>
        <Instant at={new Date(sentAt).toISOString()} clock /> {method} <code>{pathOf(url)}</code>
      </a>{' '}
      <span className="quiet">answered {status ?? 'by nothing'}</span>
    </p>
  );
}
