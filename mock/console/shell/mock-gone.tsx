import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { notices } from '../parts/notices.ts';

/** Says above every view that the mock does not answer. When the mock is back, all queries are repeated. */
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
          shows the last known state and reconnects by itself.
        </>
      )}
    </div>
  );
}
