// A second implementation of the API, written from the specification alone, with other choices wherever that is silent. It
// imports no code of this repository, so that conformance does not merely agree with our mock. Its target file is naive-server.target.yaml.
import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

type Labelled = { labels: Set<string> };
type Site = Labelled & { files: string[] };
type Key = { tenant: string; scopes: string[]; gone?: true; perSecond: number; burst: number; due: number };
type Tenant = {
  labels: Map<string, { title: string; hidden?: true }>;
  conversations: Map<string, Labelled & { subject: string; status: string }>;
  sites: Map<string, Site>;
  links: Map<string, Labelled>;
};
type Pending = { tenant: string; site: string; type: string; expires: number; bytes?: number };

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

function tenantOf(base: number, legacy: string): Tenant {
  const [urgent, spare, secret, seen] = [base + 1, base + 2, base + 3, base + 4].map(id);
  const site = `ovaid-${id(base + 20)}`;
  return {
    labels: new Map([
      [urgent ?? '', { title: `urgent ${base}` }],
      [seen ?? '', { title: `seen ${base}` }],
      [spare ?? '', { title: `spare ${base}` }],
      [secret ?? '', { title: `secret ${base}`, hidden: true }],
    ]),
    conversations: new Map([
      [id(base + 10), { subject: `Leak ${base}`, status: 'waiting', labels: new Set([urgent ?? '', secret ?? '']) }],
      [id(base + 11), { subject: `Done ${base}`, status: 'done', labels: new Set<string>() }],
    ]),
    sites: new Map([
      [site, { labels: new Set([seen ?? '']), files: [] }],
      [legacy, { labels: new Set([seen ?? '', urgent ?? '']), files: [] }],
    ]),
    links: new Map([[`ovcid-${id(base + 30)} ${site}`, { labels: new Set([urgent ?? '']) }]]),
  };
}

const tenants = new Map([
  ['north', tenantOf(1000, '77')],
  ['south', tenantOf(2000, '88')],
]);

const all = ['conversation:read', 'conversation:write', 'client:write', 'site:write', 'siteFile:write'];
const raised = { perSecond: 400, burst: 400, due: 0 };
const keys = new Map<string, Key>([
  ['north-all-0001', { tenant: 'north', scopes: all, ...raised }],
  ['north-none-0001', { tenant: 'north', scopes: [], ...raised }],
  ['north-gone-0001', { tenant: 'north', scopes: all, gone: true, ...raised }],
  ['north-read-0001', { tenant: 'north', scopes: ['conversation:read'], ...raised }],
  ['north-write-001', { tenant: 'north', scopes: ['conversation:write'], ...raised }],
  ['north-client-01', { tenant: 'north', scopes: ['client:write'], ...raised }],
  ['north-site-0001', { tenant: 'north', scopes: ['site:write'], ...raised }],
  ['north-link-0001', { tenant: 'north', scopes: ['client:write', 'site:write'], ...raised }],
  ['north-file-0001', { tenant: 'north', scopes: ['siteFile:write'], ...raised }],
  [
    'north-limits-01',
    { tenant: 'north', scopes: ['conversation:read', 'site:write'], perSecond: 10, burst: 20, due: 0 },
  ],
  ['south-all-0001', { tenant: 'south', scopes: all, ...raised }],
]);

const pending = new Map<string, Pending>();
const signingSecret = randomUUID();
const sign = (text: string) => createHmac('sha256', signingSecret).update(text).digest('base64url');
const mostBytes = 10_000_000;

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function answer(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

async function read(request: IncomingMessage, most: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    size += (piece as Buffer).length;
    if (size <= most) pieces.push(piece as Buffer);
  }
  if (size > most) throw new Refused(413, 'too large');
  return Buffer.concat(pieces);
}

/** GCRA. @param early intervals by which a request may be early */
function waitOf(key: Key, now: number): number {
  const interval = 1000 / key.perSecond;
  const due = Math.max(key.due, now);
  const early = due - now - key.burst * interval;
  if (early > 0) return early;
  key.due = due + interval;
  return 0;
}

function publicLabel(tenant: Tenant, labelId: string) {
  if (!/^[0-9a-f-]{36}$/i.test(labelId)) throw new Refused(422, 'labelId is not a UUID');
  const label = tenant.labels.get(labelId.toLowerCase());
  if (label === undefined || label.hidden) throw new Refused(404, 'no such label');
  return labelId.toLowerCase();
}

const shown = (tenant: Tenant, { labels }: Labelled) =>
  [...labels].flatMap((labelId) => {
    const label = tenant.labels.get(labelId);
    return label === undefined || label.hidden ? [] : [{ labelId, title: label.title, colour: '#336699' }];
  });

function need(key: Key, ...scopes: string[]) {
  if (!scopes.every((scope) => key.scopes.includes(scope))) throw new Refused(403, 'not for this key');
}

function change(method: string, holder: Labelled, labelId: string, apply: string) {
  if (method === apply) holder.labels.add(labelId);
  else if (method === 'DELETE') holder.labels.delete(labelId);
  else throw new Refused(404, 'no such method');
}

function conversationOf(tenant: Tenant, conversationId: string) {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(conversationId)) throw new Refused(422, 'not a UUID');
  const found = tenant.conversations.get(conversationId.toLowerCase());
  // The same for records of another tenant, so that a client cannot distinguish the two cases.
  if (found === undefined) throw new Refused(403, 'not yours, or not there');
  return found;
}

const siteOf = (tenant: Tenant, siteId: string) => {
  const site = tenant.sites.get(siteId);
  if (site === undefined) throw new Refused(404, 'no such site');
  return site;
};

function parse(bytes: Buffer, type: string): Record<string, unknown> {
  if (!/json/.test(type)) throw new Refused(415, 'JSON only');
  let body: unknown;
  try {
    body = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new Refused(400, 'not JSON');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Refused(422, 'not an object');
  return body as Record<string, unknown>;
}

function serve(request: IncomingMessage, path: string[], key: Key, bytes: Buffer, origin: string): [number, unknown] {
  const tenant = tenants.get(key.tenant) as Tenant;
  const method = request.method ?? '';
  const [version, kind, first = '', second, third = '', fourth, fifth = ''] = path;
  if (version !== 'v1') throw new Refused(404, 'no such path');
  if (method === 'GET' && kind === 'health' && path.length === 2) return [200, { up: true }];
  if (method === 'GET' && kind === 'labels' && path.length === 2) {
    return [200, { data: shown(tenant, { labels: new Set(tenant.labels.keys()) }), total: tenant.labels.size - 1 }];
  }
  if (kind === 'conversation' && path.length === 3 && method === 'GET') {
    need(key, 'conversation:read');
    return [200, { conversation: { uuid: first, title: conversationOf(tenant, first).subject } }];
  }
  if (kind === 'conversation' && second === 'context' && path.length === 4 && method === 'GET') {
    need(key, 'conversation:read');
    const { subject, status, ...holder } = conversationOf(tenant, first);
    const labels = shown(tenant, holder).map(({ title }) => title);
    const message = { author: 'Kim', text: 'It drips.', isInternal: false, attachments: [{ type: 'image' }] };
    return [200, { subject, status, labels, messages: [message], participants: { agents: ['Lee'] }, sites: [] }];
  }
  if (kind === 'conversation' && second === 'labels' && path.length === 5) {
    need(key, 'conversation:write');
    const holder = conversationOf(tenant, first);
    change(method, holder, publicLabel(tenant, third), 'POST');
    return [200, shown(tenant, holder).map(({ labelId }) => labelId)];
  }
  if (kind === 'site' && second === 'tags' && path.length === 5) {
    need(key, 'site:write');
    const holder = siteOf(tenant, first);
    change(method, holder, publicLabel(tenant, third), 'PUT');
    return [200, { siteId: first, labels: shown(tenant, holder) }];
  }
  if (kind === 'client' && second === 'site' && fourth === 'tags' && path.length === 7) {
    need(key, 'client:write', 'site:write');
    if (!first.startsWith('ovcid-')) throw new Refused(422, 'not a client id');
    const holder = tenant.links.get(`${first} ${third}`);
    if (holder === undefined) throw new Refused(404, 'not linked');
    change(method, holder, publicLabel(tenant, fifth), 'PUT');
    return [200, { carried: shown(tenant, holder).map(({ title }) => ({ label: { title } })) }];
  }
  if (kind === 'site' && second === 'file' && method === 'POST' && path.length <= 5) {
    need(key, 'siteFile:write');
    const site = siteOf(tenant, first);
    const body = parse(bytes, request.headers['content-type'] ?? '');
    if (path.length === 5 && third === 'upload-url') return [201, start(body, key.tenant, first, origin)];
    if (path.length === 4) return [200, register(body, key.tenant, first, site)];
  }
  throw new Refused(404, 'no such path');
}

function start(body: Record<string, unknown>, tenant: string, site: string, origin: string) {
  const { contentType, ...others } = body;
  if (typeof contentType !== 'string' || contentType === '') throw new Refused(422, 'contentType is missing');
  if (Object.keys(others).length > 0) throw new Refused(400, 'contentType and nothing else');
  const fileKey = randomUUID();
  const expires = Date.now() + 300_000;
  pending.set(fileKey, { tenant, site, type: contentType, expires });
  const uploadUrl = `${origin}/drop/${fileKey}?until=${expires}&sig=${sign(`${fileKey} ${expires}`)}`;
  return { fileKey, uploadUrl, uploadUrlExpiresAt: new Date(expires).toISOString() };
}

function register({ fileKey }: Record<string, unknown>, tenant: string, siteId: string, site: Site) {
  const file = pending.get(String(fileKey));
  if (file === undefined || file.tenant !== tenant || file.site !== siteId) throw new Refused(404, 'no such upload');
  if (file.bytes === undefined) throw new Refused(409, 'nothing was uploaded');
  if (!site.files.includes(String(fileKey))) site.files.push(String(fileKey));
  return { registered: true };
}

async function store(request: IncomingMessage, response: ServerResponse, url: URL) {
  const fileKey = url.pathname.split('/')[2] ?? '';
  const file = pending.get(fileKey);
  const until = url.searchParams.get('until');
  const bytes = await read(request, 2 ** 30);
  const fine =
    request.method === 'PUT' &&
    file !== undefined &&
    url.searchParams.get('sig') === sign(`${fileKey} ${until}`) &&
    file.expires > Date.now() &&
    request.headers['content-type'] === file.type;
  if (fine) file.bytes = bytes.length;
  response.writeHead(fine ? 201 : 401, { 'content-type': 'text/plain' }).end(fine ? 'stored' : 'refused');
}

async function handle(request: IncomingMessage, response: ServerResponse) {
  const origin = `http://${request.headers.host}`;
  const url = new URL(request.url ?? '/', origin);
  if (url.pathname.startsWith('/drop/')) return store(request, response, url);
  try {
    const key = keys.get(String(request.headers['x-api-key'] ?? ''));
    if (key === undefined || key.gone) throw new Refused(403, 'no valid key');
    const wait = waitOf(key, performance.now());
    if (wait > 0) {
      const retryAfter = String(Math.max(1, Math.ceil(wait / 1000)) + 1);
      request.resume();
      return answer(response, 429, { message: 'Slow down' }, { 'retry-after': retryAfter });
    }
    const bytes = await read(request, mostBytes);
    const path = url.pathname.split('/').slice(1).map(decodeURIComponent);
    const [status, body] = serve(request, path, key, bytes, origin);
    return answer(response, status, body);
  } catch (error) {
    request.resume();
    const [status, message] = error instanceof Refused ? [error.status, error.message] : [400, 'unreadable'];
    return answer(response, status, { error: { code: `NAIVE_${status}`, message } });
  }
}

/** Serves on 127.0.0.1. @param port 0 takes a free port */
export function naiveServer(port: number): Promise<Server> {
  const server = createServer((request, response) => void handle(request, response));
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}
