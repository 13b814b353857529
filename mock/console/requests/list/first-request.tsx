import { useKnownKeys } from '../../control/known-keys.ts';
import { Command } from '../../parts/command.tsx';

/** What an empty list says: how to make its first row. */
export function FirstRequest() {
  const key = useKnownKeys().at(0);
  return (
    <div className="empty">
      <p>No request yet. Whatever calls this mock appears here at once.</p>
      {key !== undefined && (
        <>
          <p>Paste this into a terminal for a first one:</p>
          <Command text={`curl -s -H 'x-api-key: ${key.secret}' ${location.origin}/v1/labels`} />
        </>
      )}
    </div>
  );
}
