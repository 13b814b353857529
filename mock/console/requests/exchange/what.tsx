import { Fragment } from 'react';
import type { Exchange } from '../../control/control-types.ts';
import type { RecordNames } from '../../control/record-names.ts';
import { withShortIds } from '../../words/short-id.ts';
import { subjectsOf } from './subjects-of.ts';

interface WhatProps {
  readonly exchange: Exchange;
  readonly names: RecordNames;
}

/** Longer ones, such as signatures, are in the details. */
const longestQuery = 60;

/** What was asked: the operation and what it is about; where it is none of the API, the path itself. */
export function What({ exchange, names }: WhatProps) {
  const { operationId, request } = exchange;
  const [path = '', query] = request.url.split('?', 2);
  return (
    <>
      <span className="method">{request.method}</span> {operationId ?? withShortIds(path)}
      {operationId !== null && <Subjects exchange={exchange} names={names} />}
      {query !== undefined && <span className="quiet"> ?{query.length > longestQuery ? '…' : query}</span>}
    </>
  );
}

function Subjects({ exchange, names }: WhatProps) {
  return subjectsOf(exchange, names).map(({ id, short, name }) => (
    <Fragment key={id}>
      {' '}
      <span className="subject" title={id}>
        {short} {name}
      </span>
    </Fragment>
  ));
}
