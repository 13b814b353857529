import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import type { Profile } from '../../spec/files/profile-schema.ts';
import { type OperationId, operationIds, operations } from '../../spec/operations.ts';
import { type RefusalCase, refusals } from '../../spec/refusals.ts';

/** A contradiction between a profile and a documented rule. */
interface Conflict {
  readonly place: string;
  readonly why: string;
  readonly rule: string;
}

/**
 * A profile may say what a deployment does where the specification is silent or only advises. It must not contradict a
 * documented must rule, because users of the mock would learn something wrong.
 * @throws ConfigurationError with one line for each contradiction
 */
export function keepDocumentedRules(profile: Profile, where: string): void {
  const conflicts = [ofOperations, ofRefusals, ofChecks, ofLimits, ofBodies].flatMap((of) => [...of(profile)]);
  if (conflicts.length === 0) return;
  throw new ConfigurationError(
    conflicts.map(
      ({ place, why, rule }) =>
        `${where}: ${place}: ${why} (rule ${rule}); remove it, because the mock must keep this rule`,
    ),
  );
}

function* ofOperations({ operations: overrides = {} }: Profile): Generator<Conflict> {
  for (const id of operationIds) {
    const override = overrides[id];
    const { method, path, scopes, success, provenance, rule } = operations[id];
    const at = `operations.${id}`;
    // Endpoints that the specification only names should exist, but need not.
    const isDemanded = rule !== 'service/named-endpoints-exist' && Object.values(provenance).includes('documented');
    if (override === null && isDemanded) yield { place: at, why: 'the specification has this operation', rule };
    if (override === null || override === undefined) continue;
    const isOfVersion1 = /^\/v1(\/|$)/.test(override.path ?? path);
    if (!isOfVersion1) yield { place: `${at}.path`, why: 'every path starts with /v1', rule: 'versioning/v1-prefix' };
    const fields = [
      ['path', isOfVersion1 ? override.path : undefined, path, provenance.path, rule],
      ['method', override.method, method, provenance.method, rule],
      ['scopes', override.scopes, scopes, provenance.scopes, 'scopes/named-scopes-suffice'],
      ['status', override.status, success, provenance.success, rule],
    ] as const;
    for (const [field, wanted, known, provenanceOf, rule] of fields) {
      if (wanted === undefined || provenanceOf !== 'documented' || inOrder(wanted) === inOrder(known)) continue;
      yield { place: `${at}.${field}`, why: `the specification says ${[known].flat().join(' and ')}`, rule };
    }
    if (override.status !== undefined) yield* bodiless(`${at}.status`, override.status);
  }
}

const inOrder = (value: string | number | readonly string[]) => [value].flat().sort().join();

/** The statuses that the specification gives a refusal; undefined where it gives none. */
function demandOf(name: RefusalCase): (Omit<Conflict, 'place'> & { readonly statuses: readonly number[] }) | undefined {
  const [usual, rule] = refusals[name];
  if (usual === 403) return { statuses: [403], why: 'the specification says 403', rule };
  if (['missing-content-type', 'empty-content-type', 'wrong-json-type', 'additional-property'].includes(name)) {
    const ofUpload = rule.startsWith('upload/') ? rule : 'upload/content-type-is-required';
    return { statuses: [400, 422], why: 'the specification says 400 or 422', rule: ofUpload };
  }
  if (!['malformed-json', 'not-json', 'too-large'].includes(name)) return undefined;
  const why = 'this status is not declared for upload-url';
  return { statuses: operations.startSiteFileUpload.statuses, why, rule: 'errors/upload-statuses-are-declared' };
}

/** Cases in which a gateway may refuse the request, with a body of its own form. */
const byGateway: ReadonlySet<string> = new Set([
  ...['no-key', 'unknown-key', 'revoked-key', 'bearer-only', 'missing-scope'],
  ...['too-large', 'unknown-path', 'wrong-method'],
]);

function* ofRefusals({ errors = {}, upload = {} }: Profile): Generator<Conflict> {
  const { registerStatus, registerTwice, registerBeforePut } = upload;
  if (registerStatus !== undefined) yield* bodiless('upload.registerStatus', registerStatus);
  const replies = [...Object.entries(errors), ...Object.entries({ registerTwice, registerBeforePut })];
  for (const [name, refusal] of replies) {
    if (refusal === undefined) continue;
    const { status, body } = refusal;
    const at = name in errors ? `errors.${name}` : `upload.${name}`;
    const place = `${at}.status`;
    const demand = name in errors ? demandOf(name as RefusalCase) : undefined;
    if (demand !== undefined && !demand.statuses.includes(status)) yield { place, why: demand.why, rule: demand.rule };
    if (!(name in errors)) yield* bodiless(place, status);
    if (status === 429) yield { place, why: '429 is only for the rate limit', rule: 'limiter/429-body-is-one-message' };
    if (body === 'message' && !byGateway.has(name))
      yield { place: `${at}.body`, why: 'only a gateway may omit the error body', rule: 'errors/body' };
  }
}

/** A gateway knows routes and scopes; everything else belongs to the handler, before which a request is throttled. */
const ofGateway: ReadonlySet<string> = new Set(['route', 'scope']);

function* ofChecks({ order = [], permits = {} }: Profile): Generator<Conflict> {
  const [rate, size, body] = [order.indexOf('rate'), order.indexOf('size'), order.indexOf('body')];
  if (order.slice(0, Math.max(0, rate)).some((name) => !ofGateway.has(name)))
    yield {
      place: 'order',
      why: 'a request is throttled before the handler runs, so only route and scope come before rate',
      rule: 'limiter/429-comes-before-the-handler',
    };
  if (size > body)
    yield { place: 'order', why: 'a body is read up to its limit', rule: 'limits/above-10mb-is-refused' };
  for (const [id, permitted = []] of Object.entries(permits))
    if (!id.startsWith('remove') && permitted.some((name) => name.endsWith('-label')))
      yield {
        place: `permits.${id}`,
        why: 'only the removal of a label changes nothing where it cannot be on',
        rule: 'labels/private-cannot-be-applied',
      };
}

/** Bodies whose form the specification gives, with the properties that each reply has. */
const formed: Readonly<Partial<Record<OperationId, { readonly always: readonly string[]; readonly rule: string }>>> = {
  getConversationContext: { always: [], rule: 'context/get-answers-context' },
  startSiteFileUpload: { always: ['fileKey', 'uploadUrl', 'uploadUrlExpiresAt'], rule: 'upload/start-is-201' },
  applySiteLabel: { always: ['siteId', 'labels'], rule: 'labels/site-label-set' },
};

function* ofBodies({ bodies = {}, headers = {}, errorBody = {} }: Profile): Generator<Conflict> {
  for (const [id, { always, rule }] of Object.entries(formed)) {
    const { omit = [], replace = {}, in: wrapper } = bodies[id as OperationId] ?? {};
    const at = `bodies.${id}`;
    if (wrapper !== undefined) yield { place: `${at}.in`, why: 'the specification gives the form of this body', rule };
    for (const name of [...omit, ...Object.keys(replace)].filter((name) => always.includes(name)))
      yield { place: `${at}: ${name}`, why: 'the specification has this property', rule };
  }
  const changed = [...(errorBody.omit ?? []), ...Object.keys(errorBody.replace ?? {})];
  const error = changed.find((name) => /^error(?:\.(?:code|message))?$/.test(name));
  if (error !== undefined || errorBody.in !== undefined)
    yield { place: 'errorBody', why: 'an error body has error.code and error.message', rule: 'errors/body' };
  const named = Object.keys(headers).find((name) => name === 'content-type' || name === 'retry-after');
  if (named !== undefined)
    yield { place: `headers.${named}`, why: 'the API decides it reply by reply', rule: 'transport/json-both-ways' };
}

/** 10MB, in either of its two meanings. */
function* ofLimits({ limits: { bodyBytes = 10_000_000 } = {} }: Profile): Generator<Conflict> {
  const place = 'limits.bodyBytes';
  const why = 'the specification says 10MB, which means 10000000 to 10485760 bytes';
  if (bodyBytes < 10_000_000) yield { place, why, rule: 'limits/below-10mb-passes' };
  if (bodyBytes > 10 * 1024 * 1024) yield { place, why, rule: 'limits/above-10mb-is-refused' };
}

function* bodiless(place: string, status: number): Generator<Conflict> {
  if (status === 204 || status === 205) {
    yield { place, why: `a reply of ${status} has no body`, rule: 'transport/json-both-ways' };
  }
}
