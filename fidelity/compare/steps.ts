import fc from 'fast-check';
import type { Ask } from '../../conformance/client/ask.ts';
import { askOf, type Request, valid, type Who } from '../../conformance/contract/request.ts';
import type { Bench } from '../../conformance/experiments/bench.ts';
import { keysWithout, pathOf, spellings, wrongCallers } from '../../conformance/scripts/callers.ts';
import { lawfulAsks } from '../../conformance/scripts/lawful.ts';
import { wrongBodies } from '../../conformance/scripts/upload-refusals.ts';
import { keysFor, revokedKeysOf } from '../../conformance/target/deployment.ts';
import { privatesOf, sparesOf } from '../../conformance/target/records.ts';
import { type OperationId, operationIds } from '../../spec/operations.ts';

/**
 * A request in the words of the contract's table of reasons: who asks for what, on whose record, with which label, and what is odd about it. Each
 * deployment has ids and keys of its own for these words.
 */
export interface Step {
  /** `storage`: bytes for the upload that was started last. */
  readonly operation: OperationId | 'storage';
  /** A record of the target file, such as `open-conversation`; empty for none. */
  readonly record: string;
  readonly who: string;
  readonly owner: string;
  readonly label: string;
  readonly change: string;
  /** Which file is registered: one that does not exist, or the one that was started last. */
  readonly file: 'unknown' | 'started';
}

/** What an ordinary request has. */
const usual = { who: 'a key', owner: 'ours', label: 'a label', change: 'none' } as const;
const owners = [usual.owner, 'theirs', 'nobody', 'malformed'];
const labels = [usual.label, 'another label', 'private', 'foreign', 'unknown', 'malformed'];

/** An id that no record has. */
const noId = '0f0f0f0f-0000-4000-8000-00000000f404';
const register: OperationId = 'registerSiteFile';

/** Everybody who may ask, by words that all deployments share. */
function callersOf(b: Bench, operation: OperationId): Map<string, Who> {
  const { deployment } = b;
  const keys = keysFor(deployment, operation);
  const { stranger, tenant } = deployment;
  const wrong = wrongCallers(deployment, () => noId).filter(
    ({ headers, caller }) => headers === undefined && caller !== 'revoked',
  );
  const all: readonly (readonly [string, Who | undefined])[] = [
    [usual.who, keys.map(valid).at(-1)],
    ['a narrow key', keys.map(valid)[0]],
    ['a key without the scope', keysWithout(b, operation)[0]],
    ["the other tenant's key", stranger && keysFor(deployment, operation, stranger).map(valid)[0]],
    ['a revoked key', revokedKeysOf(tenant).map(valid)[0]],
    ...wrong.map((who) => [`${who.caller}: ${who.credential}`, who] as const),
  ];
  return new Map(all.flatMap(([name, who]) => (who === undefined ? [] : [[name, who]])));
}

const idOfNobody = (id: string) => `${id.replace(/[0-9a-f]{8}-.*|^\d+$/i, '')}${noId}`;

/** An ordinary request for the words of a step; null where this deployment has no record, key or label for them. */
function requestFor(b: Bench, { operation, record, owner, label, who: asker }: Step): Request | null {
  const { deployment } = b;
  const { tenant, stranger } = deployment;
  if (operation === 'storage' || deployment.operation(operation) === undefined) return null;
  const who = callersOf(b, operation).get(asker);
  const of = owner === 'theirs' ? stranger : tenant;
  const found = of && lawfulAsks(operation, deployment, of).find(({ slug }) => slug === record);
  if (who === undefined || found === undefined) return null;
  const { params: { labelId, ...ids } = {}, body } = found.ask;
  const changed = (id: string) => (owner === 'nobody' ? idOfNobody(id) : owner === 'malformed' ? 'no-id' : id);
  const own = sparesOf(tenant);
  const ofLabel: Readonly<Record<string, string | undefined>> = {
    [usual.label]: own[0]?.id,
    'another label': own[1]?.id,
    private: privatesOf(tenant)[0]?.id,
    foreign: stranger && sparesOf(stranger).find(({ id }) => !own.some((one) => one.id === id))?.id,
    unknown: noId,
    malformed: 'no-label',
  };
  const params = {
    ...Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, changed(id)])),
    ...(labelId !== undefined && { labelId: ofLabel[label] ?? '' }),
  };
  if (params.labelId === '' || (owner !== usual.owner && Object.keys(params).length === 0)) return null;
  return { operation, who, place: { owner: null, params }, ...(body !== undefined && { body }) };
}

/** What can be odd about a request, by words that all deployments share. */
function changesOf(b: Bench, request: Request): Map<string, Pick<Request, 'change' | 'body'>> {
  const hasBody = request.body !== undefined;
  const odd = [
    ...spellings(pathOf(b, request), b.deployment.tenant.name).map((change) => ({ change })),
    ...(hasBody ? wrongBodies(b.deployment.uploadContentType) : []),
  ];
  return new Map(odd.map((one) => [one.change.id, one]));
}

/**
 * The request of a step; null where this deployment has no record, key or label for its words.
 * @param fileKey of the upload that was started last
 */
export function askFor(b: Bench, step: Step, fileKey: unknown): Ask | null {
  const found = requestFor(b, step);
  if (found === null) return null;
  const isOfStarted = step.file === 'started' && typeof fileKey === 'string';
  const request = isOfStarted ? { ...found, body: { ...(found.body as object), fileKey } } : found;
  if (step.change === usual.change) return askOf(request);
  const odd = changesOf(b, request).get(step.change);
  return odd === undefined ? null : askOf({ ...request, ...odd });
}

/** `applySiteLabel on current-site, who: a revoked key` */
export const stepWords = ({ operation, record, file, ...all }: Step): string =>
  [
    operation +
      (record && ` on ${record}`) +
      (operation === register ? ` of ${file === 'unknown' ? 'no' : 'the'} file` : ''),
    ...Object.entries(usual).flatMap(([name, value]) => {
      const own = all[name as keyof typeof usual];
      return own === value ? [] : [`${name}: ${own}`];
    }),
  ].join(', ');

/** What makes a step unlike an ordinary one, if a key or a label alone decides what is answered: the operation does not matter then. */
export const isOddCaller = ({ who }: Step): boolean => /: /.test(who) || who === 'a revoked key';

const inWords = (b: Bench, operation: OperationId): string[] =>
  lawfulAsks(operation, b.deployment).map(({ slug }) => slug);

/** All operations, and those that meet in a state: labels of one kind of record, or uploads. */
const groups = [/./, /Conversation/, /ClientSite/, /SiteLabel/, /SiteFile/];

/** Mostly this value, else another one. */
function often(value: string, values: readonly string[]): fc.Arbitrary<string> {
  const others = values.filter((one) => one !== value);
  if (others.length === 0) return fc.constant(value);
  const rarely = { weight: 1, arbitrary: fc.constantFrom(...others) };
  const mostly = { weight: 6, arbitrary: fc.constant(value) };
  return fc.oneof({ withCrossShrink: true }, mostly, rarely);
}

/**
 * Steps that both deployments can be asked, most of them ordinary; a failing sequence shrinks towards ordinary ones.
 * @returns all of them, and those that meet in one state
 */
export function stepsOf(
  [a, b]: readonly [Bench, Bench],
  { readOnly, allowLeftovers }: { readonly readOnly: boolean; readonly allowLeftovers: boolean },
): fc.Arbitrary<Step>[] {
  const isRead = (id: OperationId) => a.deployment.operation(id)?.method === 'GET';
  const asked = operationIds.filter(
    (id) => a.deployment.operation(id) && b.deployment.operation(id) && (!readOnly || isRead(id)),
  );
  const stepsWith = (operation: OperationId): fc.Arbitrary<Step>[] => {
    const there = inWords(b, operation);
    const records = inWords(a, operation).filter((slug) => there.includes(slug));
    if (records.length === 0) return [];
    const whos = [...callersOf(a, operation).keys()].filter((name) => callersOf(b, operation).has(name));
    const request = requestFor(a, { ...usual, operation, record: records[0] ?? '', file: 'unknown' });
    const params = request?.place.params ?? {};
    const label = fc.constantFrom(...labels.slice(0, 2)).chain((own) => often(own, labels.slice(2)));
    return [
      fc.record({
        operation: fc.constant(operation),
        record: fc.constantFrom(...records),
        who: often(usual.who, whos),
        owner: often(usual.owner, Object.keys(params).length === 0 ? [] : owners),
        label: params.labelId === undefined ? fc.constant(usual.label) : label,
        change: often(usual.change, request ? [...changesOf(a, request).keys()] : []),
        file: fc.constantFrom('unknown', ...(operation === register && allowLeftovers ? (['started'] as const) : [])),
      }),
    ];
  };
  const bytes = fc
    .constantFrom(usual.change, 'another type')
    .map((change): Step => ({ ...usual, operation: 'storage', record: '', change, file: 'unknown' }));
  return groups
    .map((names) => [
      ...asked.filter((id) => names.test(id)).flatMap(stepsWith),
      ...asked.filter((id) => id === 'startSiteFileUpload' && names.test(id)).flatMap(() => [bytes, bytes]),
    ])
    .filter((steps) => steps.length > 0)
    .map((steps) => fc.oneof(...steps));
}
