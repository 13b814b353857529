import { validateHeaderName, validateHeaderValue } from 'node:http';
import { XMLValidator } from 'fast-xml-parser';
import { validateReply } from '../../../spec/reply-validator.ts';
import { type ApiReply, createClock, createMock, type Mock, type TenantSeed } from '../../index.ts';
import { memoryFiles } from '../../storage/files.ts';
import { newTrace, type Trace } from '../../trace.ts';
import { leaksIn, secretsOf } from './leaks.ts';
import type { FuzzRequest } from './request-values.ts';
import { stateOf, storeProblems } from './store-problems.ts';

interface Upload {
  readonly fileKey: string;
  readonly url: string;
  readonly type: string;
  readonly site: string;
  readonly key: string;
  readonly tenant: string;
}

/** A mock with its own clock, which gets one request at a time. After each request everything is checked. */
export interface World {
  /** What is wrong with the reply, or with the mock after it; empty when nothing is. */
  send(request: FuzzRequest): Promise<string[]>;
  /** As at first; what was seen stays known. */
  reset(): void;
  /** How often each operation, or `storage`, came to each end: its status, and why it was refused. */
  readonly seen: ReadonlyMap<string, number>;
}

const epoch = Date.UTC(2026, 0, 1);

/**
 * @param seeds tenants whose private labels have names that stand nowhere else
 * @param around wraps the mock to plant a defect
 */
export async function createWorld(
  seeds: readonly TenantSeed[],
  around: (mock: Mock) => Mock['handle'] = ({ handle }) => handle,
): Promise<World> {
  let now = epoch;
  const failures: unknown[] = [];
  const mock = await createMock({
    seeds,
    clock: createClock(() => now),
    files: memoryFiles(),
    bodyLimit: 4096,
    rateLimit: { perSecond: 10, burst: 4 },
    onError: (error) => failures.push(error),
  });
  const handle = around(mock);
  const secrets = secretsOf(seeds);
  const seen = new Map<string, number>();
  const uploads: Upload[] = [];

  const send = async (wanted: FuzzRequest): Promise<string[]> => {
    now += wanted.after;
    failures.length = 0;
    const request = filledIn(wanted, uploads);
    const trace = newTrace();
    const before = new Map([...mock.tenants.values()].map((tenant) => [tenant.name, stateOf(tenant)]));
    const reply = await handle(
      { ...request, origin: 'http://mock.test', body: request.body === null ? null : arriving(request) },
      trace,
    );
    const problems = [
      ...failures.map((error) => `an error of its own: ${error}`),
      ...replyProblems(request, reply, trace),
    ];
    for (const tenant of mock.tenants.values()) {
      problems.push(...storeProblems(tenant, mock));
      if (before.get(tenant.name) === stateOf(tenant)) continue;
      if (trace.tenant !== tenant.name) problems.push(`changed ${tenant.name}, which did not ask`);
      if (reply.status >= 400) problems.push(`refused, and changed ${tenant.name} all the same`);
    }
    const told = `${Object.values(reply.headers).join('\n')}\n${reply.body}`;
    problems.push(...leaksIn(told, request, trace.key?.tenant ?? null, secrets));
    for (const { fileKey, tenant } of uploads) {
      if (tenant !== trace.tenant && told.includes(fileKey) && !`${request.url}${request.body}`.includes(fileKey)) {
        problems.push(`shows a fileKey of ${tenant}`);
      }
    }
    note(request, reply, trace);
    const asked = request.url.startsWith('/storage/') ? 'storage' : trace.operationId;
    const end = `${asked} ${reply.status} ${trace.refused ?? ''}`.trim();
    seen.set(end, (seen.get(end) ?? 0) + 1);
    return problems.map((problem) => `${request.method} ${request.url} -> ${reply.status}: ${problem}`);
  };

  const note = ({ url, headers, body }: FuzzRequest, reply: ApiReply, trace: Trace) => {
    if (trace.operationId !== 'startSiteFileUpload' || reply.status !== 201 || trace.refused !== null) return;
    const { fileKey, uploadUrl } = JSON.parse(reply.body ?? '');
    const { pathname, search } = new URL(uploadUrl);
    uploads.push({
      fileKey,
      url: pathname + search,
      // A byte order mark is no part of JSON, and may be ignored.
      type: JSON.parse((body ?? '').replace(/^\ufeff/, '')).contentType,
      site: url.split('/')[3] ?? '',
      key: headers['x-api-key'] ?? '',
      tenant: trace.tenant ?? '',
    });
  };

  return {
    send,
    seen,
    reset() {
      mock.reset();
      uploads.length = 0;
      now = epoch;
    },
  };
}

/** The values for placeholders before anything was issued. */
const notIssued: Upload = {
  fileKey: '00000000-0000-4000-8000-000000000000',
  url: '/storage/acme/none',
  type: 'a/b',
  site: 'none',
  key: 'none',
  tenant: 'none',
};

/** The request with its placeholders replaced by issued values. */
function filledIn(request: FuzzRequest, uploads: readonly Upload[]): FuzzRequest {
  const fill = (text: string) =>
    text.replace(
      /\{\{(fileKey|url|type|site|key):(\d)\}\}/g,
      (_, what: keyof Upload, n) => (uploads[Number(n) % uploads.length] ?? notIssued)[what],
    );
  const { altered } = request;
  const url = fill(request.url);
  const headers = Object.entries(request.headers).map(([name, value]) => [name, fill(value)]);
  return {
    ...request,
    headers: Object.fromEntries(headers),
    url: altered === null ? url : url.slice(0, altered.at) + altered.text + url.slice(altered.at + 1),
    body: request.body === null ? null : fill(request.body),
  };
}

async function* arriving({ body, pieces, breaksOff }: FuzzRequest): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(body ?? '');
  const length = Math.ceil(bytes.length / pieces);
  for (let at = 0; at < bytes.length; at += length) {
    yield bytes.subarray(at, at + length);
    if (breaksOff) throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  }
}

function replyProblems({ url, headers, method }: FuzzRequest, reply: ApiReply, trace: Trace): string[] {
  const problems: string[] = [];
  const asked = /code\s*=\s*"?(5\d\d)/i.exec(headers.prefer ?? '')?.[1];
  if (reply.status >= 500 && String(reply.status) !== asked) problems.push('a 5xx that was not asked for');
  for (const [name, value] of Object.entries(reply.headers)) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch (error) {
      problems.push(`header ${name}: ${error}`);
    }
  }
  if (method === 'HEAD') return reply.body === null ? problems : [...problems, 'a reply to HEAD has a body'];
  if (url.startsWith('/storage/')) {
    if (reply.status >= 300 && XMLValidator.validate(reply.body ?? '') !== true)
      problems.push('its XML is not well-formed');
    return problems;
  }
  // A preflight request of a browser, which is not an operation of the contract.
  if (method === 'OPTIONS' && reply.status === 204) return problems;
  const text = reply.body ?? '';
  if (text !== text.toWellFormed()) problems.push('its body cannot be written in UTF-8');
  const found = validateReply(trace.operationId, reply.status, JSON.parse(text), reply.headers);
  return [...problems, ...found.map(({ message }) => `against the contract: ${message}: ${text.slice(0, 200)}`)];
}
