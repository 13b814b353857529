import { type OperationId, operations } from '../../spec/operations.ts';
import type { HttpReply } from '../client/http.ts';
import type { Case } from '../contract/case.ts';
import { reasonsOf } from '../contract/reasons.ts';

/** Milliseconds that each request takes in a plan. */
export const plannedRoundTrip = 100;

/**
 * A reply with what scripts read: a label, and an upload target. The top-level domain .invalid never exists (RFC 6761), so no request can reach it.
 * @param now milliseconds since the epoch; upload URLs expire five minutes later
 */
export function plannedReply(id: OperationId | 'storage', now: number): HttpReply {
  if (id === 'storage') return { status: 200, headers: {}, body: new Uint8Array() };
  const upload = {
    fileKey: '00000000-0000-4000-8000-000000000000',
    uploadUrl: 'https://upload-url.invalid/file',
    uploadUrlExpiresAt: new Date(now + 300_000).toISOString(),
  };
  return json(operations[id].success, id === 'startSiteFileUpload' ? upload : { labels: [{ id: 'planned' }] });
}

/** The reply to a request that has a reason to be refused; null where it has none. */
export function plannedRefusal(asked: Case | null): HttpReply | null {
  const [reason] = asked === null ? [] : reasonsOf(asked);
  if (reason === undefined) return null;
  const { statuses } = reason;
  return json(statuses === 'any' ? 404 : (statuses[0] ?? 404), { error: { code: 'PLANNED', message: 'made up' } });
}

const json = (status: number, body: object): HttpReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: new TextEncoder().encode(JSON.stringify(body)),
});
