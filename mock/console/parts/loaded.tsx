import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ControlFailure } from '../control/control-failure.ts';
import { Problem } from './problem.tsx';

interface LoadedProps<T> {
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}

/** What was asked for, or why it is not there. */
export function Loaded<T>({ query, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  // That the mock is gone is said once, above every view.
  if (query.error instanceof ControlFailure) return <Problem text={query.error.message} />;
  return <p className="quiet">Loading…</p>;
}
