import type { Key } from '../control/control-types.ts';

/** The state of a key: ACTIVE or REVOKED. */
export function KeyState({ state }: { readonly state: Key['state'] }) {
  return <span className={state === 'REVOKED' ? 'badge bad' : 'badge good'}>{state}</span>;
}
