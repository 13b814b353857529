import type { ApiReply, ApiRequest, Mock } from '../../mock/index.ts';

/** What stands between the network and the mock. */
export type Around = (handle: Mock['handle'], mock: Mock) => Mock['handle'];

/** Which requests are meant. */
export type When = (request: ApiRequest) => boolean;

export const always: When = () => true;

/** @param pattern of method and path with query, as in `PUT /v1/site/10042/label/...` */
export const asking =
  (pattern: RegExp): When =>
  ({ method, url }) =>
    pattern.test(`${method} ${url}`);

export const withKey =
  (secret: string | undefined): When =>
  ({ headers }) =>
    (headers['x-api-key'] || undefined) === secret;

export const both =
  (...all: readonly When[]): When =>
  (request) =>
    all.every((when) => when(request));

/** These requests are served as if they came with that key. */
export const letIn =
  (when: When, secret: string): Around =>
  (handle) =>
  (request, trace) =>
    handle(when(request) ? keyed(request, secret) : request, trace);

/** These requests are refused as they should be, and carried out all the same. Only for requests without a body. */
export const carryOut =
  (when: When, secret: string): Around =>
  (handle) =>
  async (request, trace) => {
    if (when(request)) await handle(keyed(request, secret));
    return handle(request, trace);
  };

/** The replies to these requests are others. */
export const answer =
  (when: When, change: (reply: ApiReply, request: ApiRequest) => ApiReply): Around =>
  (handle) =>
  async (request, trace) => {
    const reply = await handle(request, trace);
    return when(request) ? change(reply, request) : reply;
  };

/** These requests arrive as others. */
export const rewrite =
  (change: (request: ApiRequest) => ApiRequest): Around =>
  (handle) =>
  (request, trace) =>
    handle(change(request), trace);

export const inTurn =
  (...all: readonly Around[]): Around =>
  (handle, mock) =>
    all.reduce((inner, around) => around(inner, mock), handle);

/** The reply with a JSON body made from its own. */
export function withBody(reply: ApiReply, change: (body: never) => unknown): ApiReply {
  // Tests know what they change; a wrong guess fails them.
  return { ...reply, body: JSON.stringify(change(JSON.parse(reply.body ?? 'null') as never)) };
}

const keyed = (request: ApiRequest, secret: string): ApiRequest => ({
  ...request,
  headers: { ...request.headers, 'x-api-key': secret },
});
