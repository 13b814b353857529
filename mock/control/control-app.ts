import type { IncomingMessage, ServerResponse } from 'node:http';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { z } from 'zod';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { parsed } from '../../spec/files/shape-problems.ts';
import { MockError } from '../mock-error.ts';
import { tooMuchJson } from '../request/check-request.ts';
import { consolePage } from './console-page.ts';
import { type ControlContext, type ControlRoute, nothing, sent } from './control-route.ts';
import { controlError, guard } from './guard.ts';
import { controlRoutes } from './routes.ts';

/**
 * The control API and the console, to be mounted at `/_mock`.
 * @param token null if only this machine can reach the mock: callers then need none
 */
export function createControlApp(context: ControlContext, token: string | null): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(consolePage());
  app.use('/_mock', guard(token), headers);
  // A snapshot holds the bytes of files, so its body may be large.
  app.use('/_mock/restore', express.json({ limit: '128mb', verify: notTooMuch }));
  app.use('/_mock', express.json({ limit: '256kb', verify: notTooMuch }));
  for (const route of controlRoutes) {
    const path = `/_mock${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
    app[route.method](path, handler(route, context));
  }
  app.use('/_mock', notFound, failed);
  return app;
}

/** When parsed, this many values take a gigabyte. 128 MB of records have far fewer. */
const maxValues = 8_000_000;

function notTooMuch(_: IncomingMessage, __: ServerResponse, body: Buffer): void {
  const problem = tooMuchJson(body, maxValues);
  if (problem !== null) throw new ConfigurationError([`body: ${problem}`]);
}

const headers: RequestHandler = (_, response, next) => {
  response.set({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  next();
};

function handler(route: ControlRoute<unknown, unknown>, context: ControlContext): RequestHandler {
  return async (request, response) => {
    const body = route.body === undefined ? undefined : parsed(route.body, bodyOf(request), '', ['body']);
    const query = parsed(route.query ?? nothing, request.query, '', ['query']);
    const param = (name: string) => String(request.params[name]);
    const result = await route.run({ ...context, body, query, param, request, response });
    if (result === sent) return;
    if (result === undefined) response.status(204).end();
    else
      response.status(route.status ?? 200).json(route.reply instanceof z.ZodType ? route.reply.parse(result) : result);
  };
}

/** Tells a missing body from a body that was sent but not declared as JSON. */
function bodyOf(request: Request): unknown {
  if (request.body !== undefined) return request.body;
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  if (length === '0' && encoding === undefined) return {};
  throw Object.assign(new Error('Send the body with Content-Type: application/json.'), { status: 415 });
}

const notFound: RequestHandler = ({ method, originalUrl }, response) => {
  const [path = ''] = originalUrl.split('?', 1);
  controlError(response, {
    status: 404,
    message: `The control API has no ${method} ${path}; mock/control/README.md lists all.`,
  });
};

const statuses = { missing: 404, conflict: 409, invalid: 400 } as const;

/** Errors of express and its body parser carry a status: malformed JSON, too large, bad percent-encoding. */
const statusOf = (error: unknown): number =>
  error instanceof MockError
    ? statuses[error.kind]
    : error instanceof RangeError
      ? 400
      : error instanceof Error && 'status' in error
        ? Number(error.status)
        : 500;

/** Express recognises an error handler by its four parameters. */
const failed: ErrorRequestHandler = (error: unknown, _request, response: Response, next) => {
  if (response.headersSent) return next(error);
  if (error instanceof ConfigurationError) {
    const { problems } = error;
    const message = problems.slice(0, 20).join('; ');
    return controlError(response, { status: 400, message, problems: problems.slice(0, 100) });
  }
  const status = statusOf(error);
  if (status >= 400 && status < 500) {
    return controlError(response, { status, message: error instanceof Error ? error.message : String(error) });
  }
  console.error(error);
  controlError(response, { status: 500, message: 'The mock itself failed; see the error in its log.' });
};
