import type { Exchange } from '../control/control-types.ts';
import type { RecordNames } from '../control/reads.ts';
import { Method } from '../parts/text.tsx';
import { withShortIds } from '../parts/words.ts';
import { subjectsOf } from './subjects-of.ts';

interface RequestSummaryProps {
  readonly exchange: Exchange;
  readonly names: RecordNames;
}

/** Longer queries, such as signatures, are shown in the details only. */
const maxQueryLength = 60;

/** The operation and its records, or the path if it belongs to no operation. */
export function RequestSummary({ exchange, names }: RequestSummaryProps) {
  const { operationId, request } = exchange;
  const [path = '', query] = request.url.split('?', 2);
  const subjects = operationId === null ? [] : subjectsOf(exchange, names);
  return (
    <>
      <Method method={request.method} /> {operationId ?? withShortIds(path)}
      {subjects.map(({ id, short, name }) => (
        <span key={id}>
          {' '}
          <span className="subject" title={id}>
            {short} {name}
          </span>
        </span>
      ))}
      {query !== undefined && <span className="quiet"> ?{query.length > maxQueryLength ? '…' : query}</span>}
    </>
  );
}
