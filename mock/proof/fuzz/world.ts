import { validateHeaderName, validateHeaderValue } from 'node:http';
import { XMLValidator } from 'fast-xml-parser';
import { validateReply } from '../../../spec/reply-validator.ts';
import { type ApiReply, createClock, createMock, type Wrong } from '../../index.ts';
import { defaultSeeds } from '../../seed/generated/tenants.ts';
import { memoryFiles } from '../../storage/files.ts';
import { Trace } from '../../trace.ts';
import { inPieces, requestOf, type Started, startedBy } from '../model/play.ts';
import type { PlannedStep } from '../model/step-values.ts';
import { type FuzzRequest, type Mutation, mutated } from './mutations.ts';
import { leaksIn, secretsOf, stateOf, storeProblems } from './problems.ts';

/** A step of a client, what is wrong with its request, and how that arrives. */
interface FuzzStep {
  readonly planned: PlannedStep;
  readonly mutations: readonly Mutation[];
  /** In how many pieces the body arrives. */
  readonly pieces: number;
  /** Whether the connection ends before the whole body has arrived. */
  readonly breaksOff: boolean;
  /** Milliseconds that pass before it. */
  readonly after: number;
}

export type World = Awaited<ReturnType<typeof createWorld>>;

const epoch = Date.UTC(2026, 0, 1);

/**
 * A mock with its own clock, which gets one request at a time. After each request everything is checked. It has the packaged tenants, whose private labels have names that stand nowhere else.
 */
export async function createWorld(wrong?: Wrong) {
  let now = epoch;
  const failures: unknown[] = [];
  const mock = await createMock({
    clock: createClock(() => now),
    files: memoryFiles(),
    bodyLimit: 4096,
    rateLimit: { perSecond: 10, burst: 4 },
    onError: (error) => failures.push(error),
    ...(wrong && { wrong }),
  });
  const secrets = secretsOf(defaultSeeds);
  const seen = new Map<string, number>();
  const uploads: Started[] = [];

  /** What is wrong with the reply, or with the mock after it; empty when nothing is. */
  const send = async (sent: FuzzStep): Promise<string[]> => {
    now += sent.after;
    failures.length = 0;
    const { tenant } = sent.planned;
    const seed = defaultSeeds.find((one) => one.tenant === tenant);
    if (seed === undefined) throw new Error(`no seed of ${tenant}`);
    const lawful: FuzzRequest = requestOf(sent.planned, seed, uploads).request;
    const request = sent.mutations.reduce(mutated, lawful);
    const trace = new Trace();
    const before = new Map([...mock.tenants.values()].map((tenant) => [tenant.name, stateOf(tenant)]));
    const body = request.body === null ? null : inPieces(request.body, sent.pieces, sent.breaksOff);
    const reply = await mock.handle({ ...request, origin: 'http://mock.test', body }, trace);
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
    const shown = `${Object.values(reply.headers).join('\n')}\n${reply.body}`;
    problems.push(...leaksIn(shown, request, trace.key?.tenant ?? null, secrets));
    for (const { fileKey, tenant } of uploads) {
      if (tenant !== trace.tenant && shown.includes(fileKey) && !`${request.url}${request.body}`.includes(fileKey)) {
        problems.push(`shows a fileKey of ${tenant}`);
      }
    }
    if (trace.operationId === 'startSiteFileUpload' && reply.status === 201 && trace.refused === null) {
      // A byte order mark is no part of JSON, and may be ignored.
      const { contentType } = JSON.parse((request.body ?? '').replace(/^\ufeff/, ''));
      uploads.push(startedBy(trace.tenant ?? '', reply, contentType));
    }
    const asked = request.url.startsWith('/storage/') ? 'storage' : trace.operationId;
    const end = `${asked} ${reply.status} ${trace.refused ?? ''}`.trim();
    seen.set(end, (seen.get(end) ?? 0) + 1);
    return problems.map((problem) => `${request.method} ${request.url} -> ${reply.status}: ${problem}`);
  };

  return {
    send,
    /** How often each operation, or `storage`, came to each end: its status, and why it was refused. */
    seen,
    /** As at first; what was seen stays known. */
    reset() {
      mock.reset();
      uploads.length = 0;
      now = epoch;
    },
  };
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
