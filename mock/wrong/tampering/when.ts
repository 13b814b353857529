import { STATUS_CODES } from 'node:http';
import type { Scope } from '../../../spec/operations.ts';
import type { ApiReply, Mock } from '../../in-process.ts';
import { each, errorWith, type Json, type JsonObject, objectOf, replyWith, withProperties } from './json-value.ts';
import { tooManyRequests } from './limiters.ts';
import { type Owner, ownerOf } from './predicates.ts';
import { type Answered, type Asked, as, bytesOf, instead, onReply, onRequest, type Scene, withBody } from './tamper.ts';

type OneOrMore<T> = T | readonly T[];

/** Requests that a defect affects. All properties that are given must hold. */
export interface AskedWhen<Context = Asked> {
  readonly id?: OneOrMore<NonNullable<Asked['id']>>;
  readonly method?: OneOrMore<string>;
  /** The name of the key. */
  readonly key?: string;
  /** The tenant of the key. */
  readonly tenant?: string;
  /** The key is known and not revoked. */
  readonly usable?: true;
  /** The x-api-key header; the empty string where there is none. */
  readonly secret?: RegExp;
  readonly authorization?: RegExp;
  /** The path names a closed conversation, or a site with a bare number as its id, or with an id of the newer form. */
  readonly record?: keyof typeof records;
  /** The key has this scope. */
  readonly holds?: Scope;
  /** The key does not have this scope. */
  readonly lacks?: Scope;
  readonly url?: RegExp;
  /** Anything else. */
  readonly where?: (context: Context) => unknown;
  /** One request of so many that meet all of this. */
  readonly every?: number;
  /** All but the first requests, so many, that meet all of this. */
  readonly after?: number;
}

/** The same, with conditions on the reply of the correct deployment. */
export interface When extends AskedWhen<Answered> {
  readonly ok?: true;
  readonly status?: OneOrMore<number>;
  /** Why the correct deployment refused the request. */
  readonly refused?: OneOrMore<NonNullable<Answered['refused']>> | RegExp;
}

/** Kinds of records, by their ids. */
const records = { closed: /^c0000002/, legacy: /^\d+$/, newer: /^ovaid-/ };

const isIn = <T>(wanted: OneOrMore<T> | undefined, value: T | null): boolean =>
  wanted === undefined || [wanted].flat().includes(value as T);

const isLike = (pattern: RegExp | undefined, text: string | null | undefined) => pattern?.test(text ?? '') ?? true;

function asks(when: Omit<AskedWhen, 'where'>, { id, key, params, request: { method, url, headers } }: Asked): boolean {
  return (
    isIn(when.id, id) &&
    isIn(when.method, method) &&
    isIn(when.key, key?.name ?? null) &&
    isIn(when.tenant, key?.tenant ?? null) &&
    (!when.usable || (key !== undefined && !key.revoked)) &&
    isLike(when.secret, headers['x-api-key']) &&
    isLike(when.authorization, headers.authorization) &&
    isLike(when.url, url) &&
    (when.holds === undefined || key?.scopes.includes(when.holds) === true) &&
    (when.lacks === undefined || !key?.scopes.includes(when.lacks)) &&
    isLike(when.record && records[when.record], params.id)
  );
}

/** Requests so far that met a condition, by the run and the condition. */
const counts = new WeakMap<Mock, Map<AskedWhen, number>>();

/** Whether it is the turn of a request that meets all else. */
function isItsTurn(when: Pick<AskedWhen, 'every' | 'after'>, { mock }: Asked): boolean {
  const { every = 1, after = 0 } = when;
  const ofRun = counts.get(mock) ?? new Map<AskedWhen, number>();
  counts.set(mock, ofRun);
  const count = (ofRun.get(when) ?? 0) + 1;
  ofRun.set(when, count);
  return count > after && count % every === 0;
}

/** Whether a reply meets all conditions. */
export const isAnswered = (when: When, answered: Answered): boolean =>
  asks(when, answered) &&
  (!when.ok || answered.ok) &&
  isIn(when.status, answered.reply.status) &&
  (when.refused instanceof RegExp ? isLike(when.refused, answered.refused) : isIn(when.refused, answered.refused)) &&
  (when.where === undefined || Boolean(when.where(answered))) &&
  isItsTurn(when, answered);

const isAsked = (when: AskedWhen, asked: Asked): boolean =>
  asks(when, asked) && (when.where === undefined || Boolean(when.where(asked))) && isItsTurn(when, asked);

/** An error with the usual code of its status. */
const failure = (status: number, message?: string) =>
  errorWith(status, (STATUS_CODES[status] ?? '').toUpperCase().replace(/\W+/g, '_'), message);

/** Errors of the API, without 429. */
export const anyError: When = {
  where: ({ id, reply }) => id !== 'storage' && reply.status >= 400 && reply.status !== 429,
};

/** Changes some replies. */
export const onReplyTo = (when: When, change: Parameters<typeof onReply>[0]) =>
  onReply((answered) => (isAnswered(when, answered) ? change(answered) : undefined));

/** Changes properties of the JSON bodies of some replies. Undefined removes a property. */
export const inReply = (
  when: When,
  change: (body: JsonObject, answered: Answered) => { readonly [name: string]: Json | undefined },
) => onReplyTo(when, (answered) => withProperties(answered.reply, change(objectOf(answered.reply), answered)));

/** Changes each label of the lists of labels. */
export const inListed = (change: (label: JsonObject, index: number) => Json, tenant?: string) =>
  inReply({ id: 'listLabels', ok: true, ...(tenant && { tenant }) }, ({ labels }) => ({
    labels: each(labels, change),
  }));

/** Answers another text in some replies. */
export const withText = (when: When, change: string | ((body: string) => string), contentType?: string) =>
  onReplyTo(when, ({ reply }) => ({
    ...reply,
    headers: { ...reply.headers, ...(contentType && { 'content-type': contentType }) },
    body: typeof change === 'string' ? change : change(reply.body ?? ''),
  }));

/** Adds headers to some replies. */
export const withHeaders = (when: When, headers: Readonly<Record<string, string>>) =>
  onReplyTo(when, ({ reply }) => ({ ...reply, headers: { ...reply.headers, ...headers } }));

/** Changes only the status of some replies. */
export const withStatus = (when: When, status: number) => onReplyTo(when, ({ reply }) => ({ ...reply, status }));

/** Answers an error in place of some replies: the request had its effect. */
export const failing = (when: When, status: number, message?: string) =>
  onReplyTo(when, () => failure(status, message));

/** Answers a JSON value in place of some replies. */
export const replying = (when: When, status: number, value: Json) => onReplyTo(when, () => replyWith(status, value));

/** Answers some requests before they have an effect. */
export const answering = (when: AskedWhen, reply: () => ApiReply) =>
  instead((asked) => (isAsked(when, asked) ? reply() : undefined));

/** Ends the connection in place of a reply. */
export const endConnection = (): ApiReply => ({ status: 503, headers: {}, body: null, broken: 'dropped' });

/** Throttles some requests, however slowly they come. */
export const throttling = (when: AskedWhen) => answering(when, () => tooManyRequests(1_000));

/** Refuses some requests before they have an effect. */
export const refusing = (when: AskedWhen, status: number, message?: string) =>
  answering(when, () => failure(status, message));

/** Reads another body in place of that of some requests. */
export const readingBody = (when: AskedWhen, change: (text: string) => string) =>
  onRequest((asked) => {
    if (!isAsked(when, asked)) return undefined;
    const text = change(textOf(asked));
    return text === textOf(asked) ? undefined : withBody(asked.request, text);
  });

/** Takes URLs of this form for others. */
export const readingUrl = (pattern: RegExp, replacement: string | ((...parts: string[]) => string)) =>
  onRequest(({ request }) => {
    const url = request.url.replace(pattern, replacement as string);
    return url === request.url ? undefined : { ...request, url };
  });

/** The body of a request. */
export const textOf = ({ request }: Pick<Asked, 'request'>): string => new TextDecoder().decode(bytesOf(request));

/** The body of a request as a JSON object; empty if it is none. */
export const bodyOf = (asked: Pick<Asked, 'request'>): JsonObject => objectOf({ body: textOf(asked) });

/** Applies wrappers one after the other. The last one sees a request first. */
export const chain =
  (...wrappers: readonly ((scene: Scene) => Scene['handle'])[]) =>
  (scene: Scene): Scene['handle'] =>
    wrappers.reduce((handle, wrap) => wrap({ ...scene, handle }), scene.handle);

/** Serves some requests after all that the correct deployment refused: with a key of this tenant with every scope. */
export const servedAfterAll = (owner: Owner, when: When) =>
  onReplyTo(when, (answered) => {
    const tenant = ownerOf(owner, answered);
    return tenant === undefined ? undefined : answered.ask(as(answered.mock, answered.request, tenant));
  });

/** Serves some requests as if they had a key of this tenant with every scope. */
export const servedAs = (owner: Owner, when: AskedWhen) =>
  instead((asked) => {
    const tenant = ownerOf(owner, asked);
    return tenant !== undefined && isAsked(when, asked) ? asked.ask(as(asked.mock, asked.request, tenant)) : undefined;
  });
