import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ControlFailure } from './control-failure.ts';

interface Action<A extends unknown[]> {
  /**
   * Resolves to true if the action succeeded. A call during a running action does nothing. The button stays enabled
   * meanwhile, because a focused button that is disabled loses the focus.
   */
  run(...args: A): Promise<boolean>;
  /** Why the last run failed. */
  readonly problem: string | null;
}

/**
 * A call that changes the mock. The reply is not cached, because it may hold a secret. After a success all queries are
 * repeated.
 */
export function useAction<A extends unknown[]>(act: (...args: A) => Promise<void>): Action<A> {
  const client = useQueryClient();
  const busy = useRef(false);
  const [problem, setProblem] = useState<string | null>(null);
  const run = async (...args: A) => {
    if (busy.current) return false;
    busy.current = true;
    setProblem(null);
    try {
      await act(...args);
      await client.invalidateQueries();
      return true;
    } catch (error) {
      setProblem(messageOf(error));
      return false;
    } finally {
      busy.current = false;
    }
  };
  return { run, problem };
}

function messageOf(error: unknown): string {
  if (error instanceof ControlFailure) {
    const more = error.problems.length > 20 ? ` (${error.problems.length} problems in all)` : '';
    return error.message + more;
  }
  return error instanceof TypeError ? 'The mock cannot be reached; is it still running?' : String(error);
}
