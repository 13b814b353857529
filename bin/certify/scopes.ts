import { succeeded } from '../../conformance/history/exchange.ts';
import { scopes as allScopes, operations, type Scope } from '../../spec/operations.ts';
import type { SentRequest } from './traffic.ts';

/** The scopes that a client needs. */
interface NeededScopes {
  readonly needed: readonly Scope[];
  readonly notNeeded: readonly Scope[];
  /** For the form of the portal: `conversation:read site:write`. */
  readonly line: string;
}

/** The least scopes that a key needs for the requests that succeeded. */
export function scopesFor(requests: readonly SentRequest[]): NeededScopes {
  const used = requests.flatMap((request) =>
    request.operation !== null && request.operation !== 'storage' && succeeded(request)
      ? operations[request.operation].scopes
      : [],
  );
  const needed = allScopes.filter((scope) => used.includes(scope));
  return {
    needed,
    notNeeded: allScopes.filter((scope) => !used.includes(scope)),
    line: needed.length === 0 ? 'none' : needed.join(' '),
  };
}
