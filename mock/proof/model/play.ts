import { operations } from '../../../spec/operations.ts';
import { fillPath } from '../../../spec/routes.ts';
import type { ApiReply, Mock, TenantSeed } from '../../index.ts';
import { type Expected, ReferenceModel, type Step } from './reference-model.ts';
import type { FileChoice, PlannedStep } from './step-values.ts';

/** An upload that a client has started. */
export interface Started {
  readonly tenant: string;
  readonly fileKey: string;
  /** Path and query of its upload URL. */
  readonly url: string;
  readonly contentType: string;
}

/**
 * Plays a sequence, the clients of all tenants at once and each for itself in order, and holds every reply against the model
 * of its tenant.
 * @param handle of a mock as at first
 * @returns every difference between a reply and its model
 */
export async function play(
  handle: Mock['handle'],
  seeds: readonly TenantSeed[],
  sequence: readonly PlannedStep[],
): Promise<string[]> {
  const differences: string[] = [];
  const started: Started[] = [];
  const playTenant = async (seed: TenantSeed) => {
    const model = new ReferenceModel(seed);
    for (const { tenant, step: planned, file, pause } of sequence) {
      if (tenant !== seed.tenant) continue;
      for (let turn = 0; turn < pause; turn++) await undefined;
      const { step, request } = requestOf({ step: planned, file }, seed, started);
      const expected = model.answer(step);
      const reply = await handle({
        ...request,
        origin: 'http://mock.test',
        body: request.body === null ? null : inPieces(request.body),
      });
      if (step.operation === 'startSiteFileUpload' && reply.status === 201) {
        const upload = startedBy(tenant, reply, step.contentType);
        model.started(upload.fileKey, step);
        started.push(upload);
      }
      const difference = differenceBetween(expected, reply);
      if (difference !== null) differences.push(`${tenant}: ${step.operation}: ${difference}`);
    }
  };
  await Promise.all(seeds.map(playTenant));
  return differences;
}

/** The upload that a reply has started. */
export function startedBy(tenant: string, reply: ApiReply, contentType = ''): Started {
  const { fileKey, uploadUrl } = JSON.parse(reply.body ?? '');
  const { pathname, search } = new URL(uploadUrl);
  return { tenant, fileKey, url: pathname + search, contentType };
}

function chosen(file: FileChoice, tenant: string, started: readonly Started[]): Started | undefined {
  if (file.of === 'nobody') return undefined;
  const some = started.filter((candidate) => (candidate.tenant === tenant) === (file.of === 'own'));
  return some[file.n % some.length];
}

/** A step with the file that it means, and its request, as the client of a tenant sends it. */
export function requestOf(
  { step: planned, file }: Pick<PlannedStep, 'step' | 'file'>,
  { tenant, keys }: TenantSeed,
  started: readonly Started[],
) {
  const upload = chosen(file, tenant, started);
  const fileKey = file.of === 'nobody' ? file.fileKey : (upload?.fileKey ?? 'none yet');
  const step: Step = { ...planned, fileKey };
  if (step.operation === 'putFile') {
    // Only the client of the tenant that started the upload has the URL.
    const own = upload?.tenant === tenant ? upload : undefined;
    const headers: Record<string, string> = { host: 'mock.test', 'content-type': own?.contentType ?? 'text/plain' };
    const url = own?.url ?? `/storage/${tenant}/${fileKey}`;
    return { step, request: { method: 'PUT', url, headers, body: step.bytes as string | null } };
  }
  const { method, path, hasBody } = operations[step.operation];
  const secret = keys.find(({ name }) => name === step.key)?.secret ?? 'no-secret-of-anybody';
  const { conversation, site, client, label } = step;
  const id = path.startsWith('/v1/conversation/') ? conversation : path.startsWith('/v1/client/') ? client : site;
  const url = fillPath(path, { id, labelId: label, siteId: site, clientId: client });
  const body = step.operation === 'registerSiteFile' ? { fileKey } : { contentType: step.contentType };
  const headers: Record<string, string> = {
    host: 'mock.test',
    ...(step.key !== null && { 'x-api-key': secret }),
    ...(hasBody && { 'content-type': 'application/json' }),
  };
  return { step, request: { method, url, headers, body: hasBody ? JSON.stringify(body) : null } };
}

/** As bytes come from a network: others have their turn between two pieces. @param breaksOff whether the connection ends after the first */
export async function* inPieces(text: string, pieces = 2, breaksOff = false): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const length = Math.ceil(bytes.length / pieces);
  for (let at = 0; at < bytes.length; at += length) {
    yield bytes.subarray(at, at + length);
    if (breaksOff) throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    await undefined;
  }
}

function differenceBetween({ status, code, body }: Expected, reply: ApiReply): string | null {
  if (reply.status !== status) return `expected ${status}, got ${reply.status} ${reply.body}`;
  const isJson = reply.headers['content-type']?.startsWith('application/json') ?? false;
  const got = isJson ? JSON.parse(reply.body ?? '') : undefined;
  if (code !== undefined && got?.error?.code !== code) return `expected the code ${code}, got ${reply.body}`;
  const missing = body === undefined ? null : firstDifference(body, got, 'body');
  return missing === null ? null : `${missing}, in ${reply.body}`;
}

/** The places where `got` differs from the expected value. Arrays must be equal; objects may have more properties. */
function firstDifference(expected: unknown, got: unknown, at: string): string | null {
  if (typeof expected !== 'object' || expected === null) {
    return Object.is(expected, got) ? null : `${at} should be ${expected} and is ${JSON.stringify(got)}`;
  }
  if (typeof got !== 'object' || got === null) return `${at} should be ${JSON.stringify(expected)} and is ${got}`;
  if (Array.isArray(expected) && expected.length !== (got as unknown[]).length) {
    return `${at} should be ${JSON.stringify(expected)} and is ${JSON.stringify(got)}`;
  }
  for (const [name, value] of Object.entries(expected)) {
    const difference = firstDifference(value, (got as Record<string, unknown>)[name], `${at}.${name}`);
    if (difference !== null) return difference;
  }
  return null;
}
