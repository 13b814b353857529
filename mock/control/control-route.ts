import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { strictObject, z } from 'zod';
import type { Mock } from '../create-mock.ts';

/** Options of the control API. */
export interface ControlOptions {
  /** The token that callers must send as a Bearer token. Without it, a mock that other machines can reach generates one. */
  readonly token?: string | undefined;
  /** Returns the report on the client, if there is one. `GET /_mock/client` and the console show it. */
  readonly client?: (() => unknown) | undefined;
  /** Returns the variables that this client needs, shown beside the report. */
  readonly environment?: (() => Readonly<Record<string, string>>) | undefined;
}

/** What the routes of the control API work on. */
export interface ControlContext extends ControlOptions {
  readonly mock: Mock;
  /** The address of the mock for clients, for example `http://127.0.0.1:4010`. */
  readonly baseUrl: string;
  /** Loads the ways of being wrong, of which there are hundreds. */
  readonly wrong: () => Promise<typeof import('../wrong/catalogue.ts')>;
}

export interface ControlCall<Body, Query> extends ControlContext {
  readonly body: Body;
  readonly query: Query;
  /** A path parameter, decoded. */
  param(name: string): string;
  readonly request: Request;
  readonly response: Response;
}

interface RouteDefinition<Body, Query> {
  readonly body?: z.core.$ZodType<Body>;
  readonly query?: z.core.$ZodType<Query>;
  /** What a success is: the schema of its JSON, or schemas by media type, where null means bytes or text. Without it, 204. */
  readonly reply?: z.ZodType | Readonly<Record<string, z.ZodType | null>>;
  /** The status of a success, by default 200. A result of undefined is always sent as 204. */
  readonly status?: number;
  /** Refusals that no path, query or body has by itself. */
  readonly refusals?: readonly (404 | 409 | 413)[];
  /** Returns what its schema writes the reply from, or `sent` if the route has sent a reply itself. */
  run(call: ControlCall<Body, Query>): unknown;
}

/** One route of the control API. It checks the request, calls one function of the mock, and returns the JSON reply. */
export interface ControlRoute<Body = never, Query = never> extends RouteDefinition<Body, Query> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Below `/_mock`, with `{name}` for parameters. */
  readonly path: string;
  readonly id: string;
  /** A summary and a description, for the OpenAPI document and the page of routes. */
  readonly says: readonly [summary: string, description: string];
}

export const sent: unique symbol = Symbol('sent');

/** Sends what comes, as fast as the client reads. A client that closes the connection is not an error. */
export async function sentStream(source: AsyncIterable<Uint8Array | string>, response: Writable) {
  await pipeline(Readable.from(source, { objectMode: false }), response).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
  return sent;
}

/**
 * A route whose body and query have the types of its schemas.
 * @param id the name of the operation
 * @param says a sentence that sums it up, and then what else there is to know
 */
export function route<Body = undefined, Query = Record<string, never>>(
  id: string,
  at: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`,
  says: string,
  definition: RouteDefinition<Body, Query>,
): ControlRoute<Body, Query> {
  const [method = '', path = ''] = at.split(' ');
  const end = says.indexOf('. ');
  return {
    ...definition,
    id,
    method: method.toLowerCase() as ControlRoute['method'],
    path,
    says: [says.slice(0, end), says.slice(end + 2)],
  };
}

/**
 * Values in requests and replies of the control API. A reply is written by its schema: times become ISO date-times, a Set a list, and what the
 * schema does not name, such as the hash of a secret, is left out.
 */

export const text = z.string();
export const count = z.int();
export const given = text.min(1, 'must not be empty').max(2_000, 'must have at most 2000 characters');

/** A value that may be missing where it comes from. */
export const or = <Schema extends z.ZodType>(value: Schema, missing: z.input<Schema>) =>
  z.preprocess((known: z.input<Schema> | undefined) => known ?? missing, value);
export const orNull = or(text.nullable(), null);

export const dateTime = z
  .number()
  .transform((at) => new Date(at).toISOString())
  .pipe(z.iso.datetime());

/** A number; null for Infinity, which JSON does not have. */
export const finite = z
  .custom<number>()
  .transform((value) => (Number.isFinite(value) ? value : null))
  .pipe(z.number().nullable());

/** The name of a schema in the OpenAPI document. */
export const named = (id: string, description: string) => ({ id, description });

export const nothing = strictObject({});
export const tenantFilter = strictObject({ tenant: given.optional() });
