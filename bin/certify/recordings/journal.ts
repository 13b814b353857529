import { z } from 'zod';
import { isOperationId } from '../../../spec/operations.ts';
import type { Entry } from './entry.ts';

const headers = z.record(z.string(), z.string());
const body = z.object({ text: z.string(), bytes: z.number() }).nullable();

/** The reply to `GET /_mock/journal`. */
export const journalSchema = z.object({
  exchanges: z.array(
    z.object({
      at: z.iso.datetime(),
      milliseconds: z.number(),
      operationId: z.string().nullable(),
      request: z.object({ method: z.string(), url: z.string(), headers, body }),
      reply: z.object({
        status: z.number(),
        headers,
        body,
        broken: z.enum(['dropped', 'truncated']).nullable(),
        delay: z.number(),
      }),
      fault: z.string().nullable(),
    }),
  ),
});

/** The requests of a mock's journal. */
export const entriesOfJournal = ({ exchanges }: z.output<typeof journalSchema>): Entry[] =>
  exchanges.map(({ at, milliseconds, operationId, request, reply, fault }) => ({
    method: request.method,
    url: request.url,
    requestHeaders: request.headers,
    requestBody: request.body?.text ?? null,
    requestBytes: request.body?.bytes ?? Number(request.headers['content-length'] ?? 0),
    sentAt: Date.parse(at),
    doneAt: Date.parse(at) + milliseconds + reply.delay,
    status: reply.broken === null ? reply.status : null,
    headers: reply.headers,
    body: reply.body?.text ?? null,
    connection: null,
    fault: fault !== null,
    operation: operationId !== null && isOperationId(operationId) ? operationId : null,
  }));
