import { useKnownKeys } from '../../control/known-keys.ts';
import { Command } from '../../parts/command.tsx';

/** Shown for an empty list: a command for a first request. */
export function FirstRequest() {
  const key = useKnownKeys().at(0);
  return (
    <div className="empty">
      <p>No request yet. Every call to this mock appears here at once.</p>
      {key !== undefined && (
        <>
          <p>Paste this command into a terminal to send a first one:</p>
          <Command text={`curl -s -H 'x-api-key: ${key.secret}' ${location.origin}/v1/labels`} />
        </>
      )}
    </div>
  );
}
