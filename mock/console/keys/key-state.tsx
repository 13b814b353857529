import type { Key } from '../control/control-types.ts';

/** Whether a key works, in the words of the portal. */
export function KeyState({ state }: { readonly state: Key['state'] }) {
  return <span className={state === 'REVOKED' ? 'badge bad' : 'badge good'}>{state}</span>;
}
