import { z } from 'zod';
import type { Entry } from './entry.ts';

const pairs = z
  .array(z.object({ name: z.string(), value: z.string().default('') }))
  .default([])
  .transform((all) => {
    const headers: Record<string, string> = {};
    for (const { name, value } of all) {
      const known = headers[name.toLowerCase()];
      headers[name.toLowerCase()] = known === undefined ? value : `${known}, ${value}`;
    }
    return headers;
  });

/** The fields of a HAR that are read. Browsers, proxies and libraries write many more. */
export const harSchema = z.object({
  log: z.object({
    entries: z.array(
      z.object({
        startedDateTime: z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'is no date-time'),
        time: z.number().default(0),
        connection: z.string().optional(),
        request: z.object({
          method: z.string(),
          url: z.string(),
          headers: pairs,
          postData: z.object({ text: z.string().default('') }).optional(),
          bodySize: z.number().default(-1),
        }),
        response: z.object({
          status: z.number(),
          headers: pairs,
          content: z.object({ text: z.string().optional(), encoding: z.string().optional() }).default({}),
        }),
      }),
    ),
  }),
});

/** The requests of a HAR file. */
export function entriesOfHar({ log }: z.output<typeof harSchema>): Entry[] {
  const connections = new Map<string, number>();
  return log.entries.map(({ startedDateTime, time, connection, request, response }) => {
    const sentAt = Date.parse(startedDateTime);
    const body = request.postData?.text ?? null;
    const { text, encoding } = response.content;
    if (connection !== undefined && !connections.has(connection)) connections.set(connection, connections.size + 1);
    return {
      method: request.method.toUpperCase(),
      url: request.url,
      requestHeaders: request.headers,
      requestBody: body,
      requestBytes: Math.max(request.bodySize, body === null ? 0 : new TextEncoder().encode(body).length),
      sentAt,
      doneAt: sentAt + Math.max(0, time),
      // A browser writes 0 where no reply came.
      status: response.status > 0 ? response.status : null,
      headers: response.headers,
      body: text === undefined ? null : encoding === 'base64' ? Buffer.from(text, 'base64').toString() : text,
      connection: connection === undefined ? null : (connections.get(connection) ?? null),
      fault: false,
    };
  });
}
