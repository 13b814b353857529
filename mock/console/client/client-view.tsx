import { useQuery } from '@tanstack/react-query';
import { control } from '../control/control.ts';
import type { ClientReport, ClientRow } from '../control/control-types.ts';
import { Command } from '../parts/command.tsx';
import { Loaded } from '../parts/loaded.tsx';

/** Shows the verdict of `partnerkit certify --watch` on the client that calls this mock. */
export default function ClientView() {
  const report = useQuery({ queryKey: ['client'], queryFn: control.client, refetchInterval: 1_000, staleTime: 0 });
  return (
    <>
      <div className="heading">
        <h1>Client</h1>
      </div>
      <Loaded query={report}>{(found) => (found === null ? <NoReport /> : <Report report={found} />)}</Loaded>
    </>
  );
}

function NoReport() {
  return (
    <div className="empty">
      <p>
        This mock does not judge the requests it receives. To judge a client that you run by hand, start the mock with:
      </p>
      <Command text="npx partnerkit certify --watch" />
    </div>
  );
}

const isWrong = ({ outcome }: ClientRow) => outcome === 'fail' || outcome === 'warn' || outcome === 'inconclusive';
const verdicts = { certified: 'Certified', 'not-certified': 'Not certified', incomplete: 'Could not tell' } as const;
const kinds: Readonly<Record<string, string>> = { fail: 'bad', warn: 'warn', inconclusive: 'warn', pass: 'good' };

function Report({ report }: { readonly report: ClientReport }) {
  const sent = Object.values(report.operations).reduce((sum, count) => sum + count, 0);
  const wrong = report.rows.filter(isWrong);
  const others = report.rows.filter((row) => !isWrong(row));
  if (sent === 0) return <p className="empty">No request has arrived yet.</p>;
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
      <div className="table">
        <table>
          <thead>
            <tr>
              <th>Duty</th>
              <th>Outcome</th>
              <th className="number">Times applied</th>
            </tr>
          </thead>
          <tbody>
            {[...wrong, ...others].map(({ id, title, outcome, applied }) => (
              <tr key={id}>
                <td>
                  <code>{id}</code>
                  <br />
                  <span className="quiet">{title}</span>
                </td>
                <td>
                  <span className={`badge ${kinds[outcome] ?? ''}`}>{outcome.replace('-', ' ')}</span>
                </td>
                <td className="number">{applied}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Finding({ row, report }: { readonly row: ClientRow; readonly report: ClientReport }) {
  const { id, outcome, rule, message, advice, breaches } = row;
  const [first] = breaches;
  const shown = report.exchanges.find(({ n }) => n === first?.exchange);
  return (
    <section className="card" aria-label={id}>
      <h2>
        <span className={`badge ${kinds[outcome] ?? ''}`}>{outcome}</span> {id}
      </h2>
      <p>
        {rule.text}{' '}
        <span className="quiet">
          ({rule.section}; {rule.provenance}, {rule.level})
        </span>
      </p>
      {first === undefined ? (
        <p>{message}</p>
      ) : (
        <p>
          Expected {first.expected}; observed <strong>{first.observed}</strong>.
        </p>
      )}
      <p>{advice}</p>
      {shown !== undefined && <Command text={shown.curl} />}
    </section>
  );
}
