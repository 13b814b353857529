import { type OperationId, operations, type Scope } from '../../../spec/operations.ts';
import { createRouter } from '../../../spec/routes.ts';
import type { ApiReply, ApiRequest, Mock } from '../../index.ts';
import { newTrace, type Trace } from '../../trace.ts';

/** What a defect is planted into. */
export interface Scene {
  readonly mock: Mock;
  /** The mock's own, or what another wrapper made of it. */
  readonly handle: Mock['handle'];
  /** Says that the defect has changed something: one that never did proves nothing about a check. */
  readonly reached: () => void;
}

/** A request as a broken deployment sees it. */
export interface Asked {
  readonly request: ApiRequest;
  /** `storage` is the upload target; null is a path or method that no operation has. */
  readonly id: OperationId | 'storage' | null;
  readonly params: Readonly<Record<string, string>>;
  /** Name, tenant and scopes of the key, where it is one; revoked ones too. */
  readonly key: ReturnType<Mock['keys']['recognise']>;
  readonly mock: Mock;
  /** Asks the deployment something else, for example as another key. */
  readonly ask: (request: ApiRequest) => Promise<ApiReply>;
}

/** A request with the reply of the correct deployment. */
export interface Answered extends Asked {
  readonly reply: ApiReply;
  readonly ok: boolean;
  /** Why it was refused, as the journal would say. */
  readonly refused: Trace['refused'];
}

type Maybe<T> = T | undefined | Promise<T | undefined>;

/** Puts another request in place of some: undefined lets one through as it is. */
export function onRequest(change: (asked: Asked) => Maybe<ApiRequest>) {
  return (scene: Scene): Mock['handle'] =>
    async (request, trace) => {
      const asked = read(scene, await whole(request));
      const changed = await change(asked);
      if (changed !== undefined) scene.reached();
      return scene.handle(changed ?? asked.request, trace);
    };
}

/** Answers some requests in place of the deployment, which never sees them. */
export function instead(answer: (asked: Asked) => Maybe<ApiReply>) {
  return (scene: Scene): Mock['handle'] =>
    async (request, trace) => {
      const asked = read(scene, await whole(request));
      const answered = await answer(asked);
      if (answered === undefined) return scene.handle(asked.request, trace);
      scene.reached();
      return answered;
    };
}

/** Puts another reply in place of some: undefined lets one through as it is. */
export function onReply(change: (answered: Answered) => Maybe<ApiReply>) {
  return (scene: Scene): Mock['handle'] =>
    async (request, given) => {
      const trace = given ?? newTrace();
      const asked = read(scene, await whole(request));
      const reply = await scene.handle(asked.request, trace);
      const ok = reply.status < 300;
      // A deployment with paths of its own knows better than the contract which operation this was.
      const id = trace.operationId ?? asked.id;
      const changed = await change({ ...asked, id, reply, ok, refused: trace.refused });
      if (changed === undefined || JSON.stringify(changed) === JSON.stringify(reply)) return reply;
      scene.reached();
      return changed;
    };
}

/** The same as another: a key that the deployment knows is put in place of the one that was sent. */
export function as(mock: Mock, request: ApiRequest, tenant: string, scopes?: Iterable<Scope>): ApiRequest {
  return { ...request, headers: { ...request.headers, 'x-api-key': shadowKey(mock, tenant, scopes) } };
}

const everyScope = [...new Set(Object.values(operations).flatMap(({ scopes }) => scopes))];

/** The secret of a key that no target file names, without any limit that could be noticed. */
function shadowKey({ keys, clock }: Mock, tenant: string, scopes: Iterable<Scope> = everyScope): string {
  const secret = `shadow-${tenant}-${[...scopes].sort().join(',')}`;
  if (keys.recognise(secret) === undefined) {
    const rateLimit = { perSecond: 1e6, burst: 1e6 };
    keys.add({ id: secret, tenant, name: secret, secret, scopes, rateLimit, createdAt: clock.now() });
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

/** The request with a body that can be read more than once. */
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

/** The same request with these bytes at hand, its length announced or not as it was. A body that broke off does so again. */
function carrying(request: ApiRequest, bytes: Uint8Array, breaks?: unknown): ApiRequest {
  const changed: ApiRequest = { ...request, body: { [Symbol.asyncIterator]: () => once(bytes, breaks) } };
  bodies.set(changed, bytes);
  return changed;
}

/** The request with that body. */
export function withBody(request: ApiRequest, body: Uint8Array | string): ApiRequest {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return carrying({ ...request, headers: { ...request.headers, 'content-length': String(bytes.length) } }, bytes);
}

async function* once(bytes: Uint8Array, breaks: unknown) {
  yield bytes;
  if (breaks !== undefined) throw breaks;
}

/** The bytes of a request that came through one of the wrappers here. */
export const bytesOf = (request: ApiRequest): Uint8Array => bodies.get(request) ?? new Uint8Array();
