import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

interface Action<A extends unknown[]> {
  /**
   * Resolves to true if the action succeeded. A call during a running action does nothing. The button stays enabled
   * meanwhile, because a focused button that is disabled loses the focus.
   */
  run(...args: A): Promise<boolean>;
  /** Why the last run failed. */
  readonly failure: Error | null;
}

/**
 * A call that changes the mock. The reply is not cached, because it may hold a secret. After a success all queries are
 * repeated.
 */
export function useAction<A extends unknown[]>(act: (...args: A) => Promise<unknown>): Action<A> {
  const client = useQueryClient();
  const busy = useRef(false);
  const [failure, setFailure] = useState<Error | null>(null);
  const run = async (...args: A) => {
    if (busy.current) return false;
    busy.current = true;
    setFailure(null);
    try {
      await act(...args);
      await client.invalidateQueries();
      return true;
    } catch (error) {
      const unreachable = new Error('The mock cannot be reached; is it still running?');
      setFailure(error instanceof Error && !(error instanceof TypeError) ? error : unreachable);
      return false;
    } finally {
      busy.current = false;
    }
  };
  return { run, failure };
}
