import { Fragment } from 'react';
import type { Exchange } from '../../control/control-types.ts';
import type { RecordNames } from '../../control/record-names.ts';
import { withShortIds } from '../../words/short-id.ts';
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
  return (
    <>
      <span className="method">{request.method}</span> {operationId ?? withShortIds(path)}
      {operationId !== null && <Subjects exchange={exchange} names={names} />}
      {query !== undefined && <span className="quiet"> ?{query.length > maxQueryLength ? '…' : query}</span>}
    </>
  );
}

function Subjects({ exchange, names }: RequestSummaryProps) {
  return subjectsOf(exchange, names).map(({ id, short, name }) => (
    <Fragment key={id}>
      {' '}
      <span className="subject" title={id}>
        {short} {name}
      </span>
    </Fragment>
  ));
}
