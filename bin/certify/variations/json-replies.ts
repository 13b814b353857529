import type { ApiReply } from '../../../mock/message.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The reply with its JSON body changed; others, and those that no one reads whole, stay. */
export function withJson(reply: ApiReply, change: (body: Json) => Json): ApiReply {
  if (reply.body === null || reply.broken !== undefined) return reply;
  let body: Json;
  try {
    body = JSON.parse(reply.body);
  } catch {
    return reply;
  }
  const { recurring: _, ...once } = reply;
  return { ...once, body: JSON.stringify(change(body)) };
}

export const isRecord = (value: Json | undefined): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every object in it changed, the inner ones first. */
export function mapObjects(value: Json, change: (object: { [name: string]: Json }) => Json): Json {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change));
  if (!isRecord(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapObjects(inner, change)])));
}

/**
 * What stands at a path changed, in every item of the arrays on the way; undefined takes it away.
 * @param path names of properties with dots between; arrays have none
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

/** The paths of all properties in a body, each with a value that stands there. */
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
