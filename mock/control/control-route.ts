import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { Mock } from '../create-mock.ts';

/** What the routes of the control API work on. */
export interface ControlContext {
  readonly mock: Mock;
  /** The address of the mock for clients, for example `http://127.0.0.1:4010`. */
  readonly baseUrl: string;
  /** Writes the state file. Undefined if the mock has none. */
  readonly save?: (() => Promise<void>) | undefined;
  /** The report on the client as JSON. Undefined unless `partnerkit certify` started the mock. */
  readonly client?: (() => unknown) | undefined;
  /** Is called with internal errors of the mock. */
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

/** One route of the control API. It checks the request, calls one function of the mock, and returns the JSON reply. */
export interface ControlRoute<Body = never, Query = never> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Below `/_mock`, with `{name}` for parameters, as in `openapi.yaml`. */
  readonly path: string;
  readonly body?: z.ZodType<Body>;
  readonly query?: z.ZodType<Query>;
  /** The status of a success, by default 200. A result of undefined is always sent as 204. */
  readonly status?: number;
  /** Returns the reply as JSON, or `sent` if the route has sent a reply itself. */
  run(call: ControlCall<Body, Query>): unknown;
}

export const sent: unique symbol = Symbol('sent');

/** A route whose body and query have the types of its schemas. */
export const route = <Body = undefined, Query = Record<string, never>>(
  definition: ControlRoute<Body, Query>,
): ControlRoute<Body, Query> => definition;
