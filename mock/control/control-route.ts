import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { Mock } from '../create-mock.ts';

/** What the control API needs beside the mock. */
export interface ControlContext {
  readonly mock: Mock;
  /** Under which clients reach the mock, for example `http://127.0.0.1:4010`. */
  readonly baseUrl: string;
  /** Writes the state file; undefined where the mock keeps none. */
  readonly save?: (() => Promise<void>) | undefined;
  /** The report on the client, as JSON, where `partnerkit certify` judges the client. */
  readonly client?: (() => unknown) | undefined;
  /** Told of errors that are the mock's own. */
  readonly onError: (error: unknown) => void;
}

export interface ControlCall<Body, Query> extends ControlContext {
  readonly body: Body;
  readonly query: Query;
  /** A path parameter, decoded. */
  param(name: string): string;
  readonly request: Request;
  readonly response: Response;
}

/** One route of the control API: checks what comes, calls one function of the mock, returns what is sent as JSON. */
export interface ControlRoute<Body = never, Query = never> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Below `/_mock`, with `{name}` for parameters, as in `openapi.yaml`. */
  readonly path: string;
  readonly body?: z.ZodType<Body>;
  readonly query?: z.ZodType<Query>;
  /** Of success: 200 by default; undefined as a result is always 204. */
  readonly status?: number;
  /** The result is sent as JSON, unless the route has sent its reply itself and returns `sent`. */
  run(call: ControlCall<Body, Query>): unknown;
}

export const sent: unique symbol = Symbol('sent');

/** A route whose body and query have the types of its schemas. */
export const route = <Body = undefined, Query = Record<string, never>>(
  definition: ControlRoute<Body, Query>,
): ControlRoute<Body, Query> => definition;
