import document from '../../spec/generated/openapi.json' with { type: 'json' };
import { type OperationId, operations } from '../../spec/operations.ts';
import type { HttpReply } from '../client/http.ts';
import type { Case } from '../contract/case.ts';
import { reasonsOf } from '../contract/reasons.ts';

/** Milliseconds that each request takes in a plan. */
export const plannedRoundTrip = 100;

interface Content {
  readonly schema: unknown;
  readonly examples?: { readonly typical?: { readonly value: unknown } };
}
interface DescribedResponse {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Content>>;
}

/**
 * A reply made from the examples of the contract.
 * @param now milliseconds since the epoch; upload URLs expire five minutes later
 */
export function plannedReply(id: OperationId | 'storage', now: number): HttpReply {
  if (id === 'storage') return { status: 200, headers: {}, body: new Uint8Array() };
  const example = exampleOf(id);
  const body = id === 'startSiteFileUpload' ? { ...example, ...uploadUrl(now) } : example;
  return {
    status: operations[id].success,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify(body)),
  };
}

/** The reply to a request that has a reason to be refused; null where it has none. */
export function plannedRefusal(asked: Case | null): HttpReply | null {
  const [reason] = asked === null ? [] : reasonsOf(asked);
  if (asked === null || reason === undefined) return null;
  const statuses = typeof reason.statuses === 'function' ? reason.statuses(asked) : reason.statuses;
  const error = { code: 'PLANNED', message: 'made up' };
  return {
    status: statuses === 'any' ? 404 : (statuses[0] ?? 404),
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify({ error })),
  };
}

/** The top-level domain .invalid never exists (RFC 6761), so no request can reach this address. */
const uploadUrl = (now: number) => ({
  uploadUrl: 'https://upload-url.invalid/file',
  uploadUrlExpiresAt: new Date(now + 300_000).toISOString(),
});

function exampleOf(id: OperationId): object {
  const { path, method, success } = operations[id];
  const paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> = document.paths;
  const operation = paths[path]?.[method.toLowerCase()] as
    | { readonly responses?: Readonly<Record<string, DescribedResponse>> }
    | undefined;
  const described = operation?.responses?.[success];
  const shared: Readonly<Record<string, DescribedResponse>> = document.components.responses;
  const response = described?.$ref ? shared[described.$ref.split('/').at(-1) ?? ''] : described;
  const example = response?.content?.['application/json']?.examples?.typical?.value;
  return typeof example === 'object' && example !== null ? example : {};
}
