import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';
import { type ApiReply, json } from '../../message.ts';

/** A mutable JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** The body of a reply or request as JSON; null if it is not JSON. */
export const jsonOf = (body: string | null): Json => (jsonOrUndefined(body ?? '') ?? null) as Json;

/** The body if it is a JSON object, else an empty object. */
export const objectOf = (reply: Pick<ApiReply, 'body'>): JsonObject => asObject(jsonOf(reply.body));

export const asObject = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

export const asArray = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** The items of a list, each as an object, changed. */
export const each = (list: Json | undefined, change: (item: JsonObject, index: number) => Json): readonly Json[] =>
  asArray(list).map((item, index) => change(asObject(item), index));

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The reply with another body. */
export const withJson = (reply: ApiReply, value: Json): ApiReply => ({ ...reply, body: JSON.stringify(value) });

/** The reply with some properties of its body replaced, or removed for undefined. */
export function withProperties(reply: ApiReply, properties: { readonly [name: string]: Json | undefined }): ApiReply {
  return { ...reply, body: JSON.stringify({ ...objectOf(reply), ...properties }) };
}

/** A JSON reply with this status. */
export const replyWith = (status: number, value: Json): ApiReply => json(status, value);

/** A reply with the error body. */
export const errorWith = (status: number, code: string, message = code): ApiReply =>
  json(status, { error: { code, message } });
