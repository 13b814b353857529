import { Fragment } from 'react';
import type { Exchange } from '../control/control-types.ts';
import type { RecordNames } from '../control/record-names.ts';
import { withShortIds } from '../parts/short-id.ts';
import { subjectsOf } from './subjects-of.ts';

/** What was asked: the operation and what it is about; where it is none of the API, the path itself. */
export function What({ exchange, names }: { readonly exchange: Exchange; readonly names: RecordNames }) {
  const { operationId, request } = exchange;
  const method = <span className="method">{request.method}</span>;
  if (operationId === null) {
    return (
      <>
        {method} {withShortIds(request.url)}
      </>
    );
  }
  const query = request.url.indexOf('?');
  return (
    <>
      {method} {operationId}
      {subjectsOf(exchange, names).map(({ id, short, name }) => (
        <Fragment key={id}>
          {' '}
          <span className="subject" title={id}>
            {short} {name}
          </span>
        </Fragment>
      ))}
      {query >= 0 && <span className="quiet"> {request.url.slice(query)}</span>}
    </>
  );
}
