import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ControlFailure } from '../control/control-failure.ts';
import { Problem } from './problem.tsx';

interface LoadedProps<T> {
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}

/** Renders the data of a query, or the error message of the control API. */
export function Loaded<T>({ query, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  // A mock that cannot be reached is reported once, above every view.
  if (query.error instanceof ControlFailure) return <Problem text={query.error.message} />;
  return <p className="quiet">Loading…</p>;
}
