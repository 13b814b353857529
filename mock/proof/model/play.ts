import { operations } from '../../../spec/operations.ts';
import { fillPath } from '../../../spec/routes.ts';
import type { ApiReply, Mock, TenantSeed } from '../../index.ts';
import { type Expected, ReferenceModel, type Step } from './reference-model.ts';
import type { FileChoice, PlannedStep } from './step-values.ts';

interface Started {
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
      const upload = chosen(file, tenant, started);
      const step: Step = { ...planned, fileKey: file.of === 'nobody' ? file.fileKey : (upload?.fileKey ?? 'none yet') };
      const expected = model.answer(step);
      const reply = await send(handle, step, seed, upload);
      if (step.operation === 'startSiteFileUpload' && reply.status === 201) {
        const { fileKey, uploadUrl } = JSON.parse(reply.body ?? '');
        const { pathname, search } = new URL(uploadUrl);
        model.started(fileKey, step);
        started.push({ tenant, fileKey, url: pathname + search, contentType: step.contentType ?? '' });
      }
      const difference = differenceBetween(expected, reply);
      if (difference !== null) differences.push(`${tenant}: ${step.operation}: ${difference}`);
    }
  };
  await Promise.all(seeds.map(playTenant));
  return differences;
}

function chosen(file: FileChoice, tenant: string, started: readonly Started[]): Started | undefined {
  if (file.of === 'nobody') return undefined;
  const some = started.filter((candidate) => (candidate.tenant === tenant) === (file.of === 'own'));
  return some[file.n % some.length];
}

async function send(
  handle: Mock['handle'],
  step: Step,
  { tenant, keys }: TenantSeed,
  upload: Started | undefined,
): Promise<ApiReply> {
  const origin = 'http://mock.test';
  if (step.operation === 'putFile') {
    // Only the client of the tenant that started the upload has the URL.
    const own = upload?.tenant === tenant ? upload : undefined;
    const headers = { host: 'mock.test', 'content-type': own?.contentType ?? 'text/plain' };
    const url = own?.url ?? `/storage/${tenant}/${step.fileKey}`;
    return handle({ method: 'PUT', url, headers, origin, body: inPieces(step.bytes) });
  }
  const { method, path, hasBody } = operations[step.operation];
  const secret = keys.find(({ name }) => name === step.key)?.secret ?? 'no-secret-of-anybody';
  const { conversation, site, client, label } = step;
  const id = path.startsWith('/v1/conversation/') ? conversation : path.startsWith('/v1/client/') ? client : site;
  const url = fillPath(path, { id, labelId: label, siteId: site, clientId: client });
  const body = step.operation === 'registerSiteFile' ? { fileKey: step.fileKey } : { contentType: step.contentType };
  const headers = {
    host: 'mock.test',
    ...(step.key !== null && { 'x-api-key': secret }),
    ...(hasBody && { 'content-type': 'application/json' }),
  };
  return handle({ method, url, headers, origin, body: hasBody ? inPieces(JSON.stringify(body)) : null });
}

/** As bytes come from a network: others have their turn between two pieces. */
async function* inPieces(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const half = bytes.length >> 1;
  yield bytes.subarray(0, half);
  await undefined;
  yield bytes.subarray(half);
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
