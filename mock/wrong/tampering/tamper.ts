import { type OperationId, operations, type Scope } from '../../../spec/operations.ts';
import { createRouter } from '../../../spec/routes.ts';
import type { ApiReply, ApiRequest, Mock } from '../../in-process.ts';
import { Trace } from '../../trace.ts';

/** The environment of a defect. */
export interface Scene {
  readonly mock: Mock;
  /** The handler of the mock, or another wrapper. */
  readonly handle: Mock['handle'];
  /** Called whenever the defect changes something. A defect that never does proves nothing. */
  readonly reached: () => void;
}

/** A request, with what a broken deployment knows about it. */
export interface Asked {
  readonly request: ApiRequest;
  /** `storage`: the upload target; null: a path or method that no operation has. */
  readonly id: OperationId | 'storage' | null;
  readonly params: Readonly<Record<string, string>>;
  /** Name, tenant and scopes of the key, which may be revoked; undefined for a value that is no key. */
  readonly key: ReturnType<Mock['keys']['recognise']>;
  readonly mock: Mock;
  /** Sends another request to the correct deployment, for example with another key. */
  readonly ask: (request: ApiRequest) => Promise<ApiReply>;
}

/** A request with the reply of the correct deployment. */
export interface Answered extends Asked {
  readonly reply: ApiReply;
  readonly ok: boolean;
  /** The reason of a refusal, as in the journal of the mock. */
  readonly refused: Trace['refused'];
}

type Maybe<T> = T | undefined | Promise<T | undefined>;

/** Replaces some requests. Undefined leaves a request unchanged. */
export function onRequest(change: (asked: Asked) => Maybe<ApiRequest>) {
  return (scene: Scene): Mock['handle'] =>
    async (request, trace) => {
      const asked = read(scene, await whole(request));
      const changed = await change(asked);
      if (changed !== undefined) scene.reached();
      return scene.handle(changed ?? asked.request, trace);
    };
}

/** Answers some requests in place of the deployment, which does not see them. */
export function instead(answer: (asked: Asked) => Maybe<ApiReply>) {
  return (scene: Scene): Mock['handle'] =>
    async (request, trace) => {
      const asked = read(scene, await whole(request));
      const answered = await answer(asked);
      if (answered === undefined) return scene.handle(asked.request, trace);
      scene.reached();
      if (trace !== undefined && asked.id !== 'storage') trace.operationId = asked.id;
      if (trace !== undefined && asked.key !== undefined)
        Object.assign(trace, { key: asked.key, tenant: asked.key.tenant });
      return answered;
    };
}

/** Replaces some replies. Undefined leaves a reply unchanged. */
export function onReply(change: (answered: Answered) => Maybe<ApiReply>) {
  return (scene: Scene): Mock['handle'] =>
    async (request, given) => {
      const trace = given ?? new Trace();
      const asked = read(scene, await whole(request));
      const reply = await scene.handle(asked.request, trace);
      const ok = reply.status < 300;
      // The deployment may have other paths than the contract, so its own trace names the operation.
      const id = trace.operationId ?? asked.id;
      const changed = await change({ ...asked, id, reply, ok, refused: trace.refused });
      if (changed === undefined || JSON.stringify(changed) === JSON.stringify(reply)) return reply;
      scene.reached();
      return changed;
    };
}

/** The same request with another key, which the deployment knows. */
export function as(mock: Mock, request: ApiRequest, tenant: string, scopes?: Iterable<Scope>): ApiRequest {
  return { ...request, headers: { ...request.headers, 'x-api-key': shadowKey(mock, tenant, scopes) } };
}

const everyScope = [...new Set(Object.values(operations).flatMap(({ scopes }) => scopes))];

/** The secret of a key that nothing lists, with a limit too high to matter. */
function shadowKey({ keys }: Mock, tenant: string, scopes: Iterable<Scope> = everyScope): string {
  const secret = `shadow-${tenant}-${[...scopes].sort().join(',')}`;
  if (keys.recognise(secret) === undefined) {
    const rateLimit = { perSecond: 1e6, burst: 1e6 };
    keys.unlist(keys.add(tenant, secret, { name: secret, scopes: [...scopes], rateLimit }));
  }
  return secret;
}

const router = createRouter(Object.values(operations));

function read(scene: Scene, request: ApiRequest): Asked {
  const path = request.url.split('?')[0] ?? '';
  const match = router.match(request.method, path);
  const found = match.kind === 'found' ? match : undefined;
  const { mock, handle } = scene;
  return {
    request,
    id: path.startsWith('/storage/') ? 'storage' : (found?.id ?? null),
    params: found?.params ?? {},
    key: mock.keys.recognise(request.headers['x-api-key'] ?? ''),
    mock,
    ask: async (other) => handle(await whole(other)),
  };
}

const bodies = new WeakMap<ApiRequest, Uint8Array>();

/** The request with a body that can be read several times. */
async function whole(request: ApiRequest): Promise<ApiRequest> {
  if (request.body === null) return request;
  const pieces: Uint8Array[] = [];
  let breaks: unknown;
  try {
    for await (const piece of request.body) pieces.push(piece);
  } catch (error) {
    breaks = error;
  }
  const bytes = pieces.length === 1 && pieces[0] ? pieces[0] : new Uint8Array(Buffer.concat(pieces));
  return carrying(request, bytes, breaks);
}

/** The same request with these bytes as its body. Whether it has a Content-Length does not change. A body that broke off breaks off again. */
function carrying(request: ApiRequest, bytes: Uint8Array, breaks?: unknown): ApiRequest {
  const changed: ApiRequest = { ...request, body: { [Symbol.asyncIterator]: () => once(bytes, breaks) } };
  bodies.set(changed, bytes);
  return changed;
}

/** The request with another body. */
export function withBody(request: ApiRequest, body: Uint8Array | string): ApiRequest {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return carrying({ ...request, headers: { ...request.headers, 'content-length': String(bytes.length) } }, bytes);
}

async function* once(bytes: Uint8Array, breaks: unknown) {
  yield bytes;
  if (breaks !== undefined) throw breaks;
}

/** The body of a request from one of these wrappers. */
export const bytesOf = (request: ApiRequest): Uint8Array => bodies.get(request) ?? new Uint8Array();
