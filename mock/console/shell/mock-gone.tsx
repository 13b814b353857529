import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { notices } from '../parts/notices.ts';

/** One word for every view when the mock does not answer; when it is back, all that is shown is asked for again. */
export function MockGone({ gone }: { readonly gone: boolean }) {
  const client = useQueryClient();
  const wasGone = useRef(false);
  useEffect(() => {
    if (wasGone.current && !gone) {
      notices.say('The mock is back.');
      void client.invalidateQueries();
    }
    wasGone.current = gone;
  }, [gone, client]);
  return (
    <div role="alert" className="gone" hidden={!gone}>
      {gone && (
        <>
          The mock at <code>{location.origin}</code> does not answer: it was stopped, or cannot be reached. This page
          shows what it knew last, and comes back by itself.
        </>
      )}
    </div>
  );
}
