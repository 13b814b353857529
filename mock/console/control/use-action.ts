import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ControlFailure } from './control-failure.ts';

interface Action<A extends unknown[]> {
  /**
   * Resolves to whether it worked. While it is under way another call does nothing; the button stays enabled, since one that
   * is disabled under the focus loses it.
   */
  run(...args: A): Promise<boolean>;
  /** Why it did not work, in the words of the control API. */
  readonly problem: string | null;
}

/**
 * Something that changes the mock. What it returns is not kept: it may hold a secret. After success everything that is
 * shown is asked for again.
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
      setProblem(inWords(error));
      return false;
    } finally {
      busy.current = false;
    }
  };
  return { run, problem };
}

function inWords(error: unknown): string {
  if (error instanceof ControlFailure) {
    const more = error.problems.length > 20 ? ` (${error.problems.length} problems in all)` : '';
    return error.message + more;
  }
  return error instanceof TypeError ? 'The mock cannot be reached; is it still running?' : String(error);
}
