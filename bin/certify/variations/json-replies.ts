import type { ApiReply } from '../../../mock/message.ts';
import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export const jsonOf = (body: string | null) => jsonOrUndefined(body ?? '') as Json | undefined;

/** Changes the JSON body of a reply. A reply without one, and one that breaks off, stays as it is. */
export function withJson(reply: ApiReply, change: (body: Json) => Json): ApiReply {
  if (reply.body === null || reply.broken !== undefined) return reply;
  const body = jsonOf(reply.body);
  return body === undefined ? reply : { ...reply, body: JSON.stringify(change(body)) };
}

export const isRecord = (value: Json | undefined): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Changes every object in a value, the inner ones first. */
export function mapObjects(value: Json, change: (object: { [name: string]: Json }) => Json): Json {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change));
  if (!isRecord(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapObjects(inner, change)])));
}

/**
 * Changes the value at a path, in every item of the arrays on the way. The result undefined removes the property.
 * @param path names of properties, separated by dots; arrays have no name
 */
export function changeAt(value: Json, path: string, change: (at: Json) => Json | undefined): Json {
  if (Array.isArray(value)) return value.map((item) => changeAt(item, path, change));
  if (!isRecord(value)) return value;
  const [name = '', ...deeper] = path.split('.');
  if (!Object.hasOwn(value, name)) return value;
  const { [name]: at = null, ...others } = value;
  const changed = deeper.length === 0 ? change(at) : changeAt(at, deeper.join('.'), change);
  return changed === undefined ? others : { ...value, [name]: changed };
}

/** The paths of all properties in a body, each with its value, or one of its values. */
export function pathsIn(value: Json, before = ''): Map<string, Json> {
  const found = new Map<string, Json>();
  if (Array.isArray(value)) {
    for (const item of value) for (const [path, at] of pathsIn(item, before)) found.set(path, at);
  } else if (isRecord(value)) {
    for (const [name, at] of Object.entries(value)) {
      const path = before === '' ? name : `${before}.${name}`;
      found.set(path, at);
      for (const [inner, deep] of pathsIn(at, path)) found.set(inner, deep);
    }
  }
  return found;
}
