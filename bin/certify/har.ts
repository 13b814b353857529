import { z } from 'zod';
import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { readTextFile } from '../../spec/files/read-file.ts';
import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import { type Entry, isToApi, type Traffic, trafficOf } from './traffic.ts';

const pairs = z
  .array(z.object({ name: z.string(), value: z.string().default('') }))
  .default([])
  .transform((all) => {
    const byName = Map.groupBy(all, ({ name }) => name.toLowerCase());
    return Object.fromEntries([...byName].map(([name, same]) => [name, same.map(({ value }) => value).join(', ')]));
  });

/** The fields of a HAR that are read. Browsers, proxies and libraries write many more. */
const harSchema = z.object({
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

/**
 * Reads the traffic of a client from a HAR file.
 * @throws ConfigurationError if the file cannot be read, is no HAR, or has no request to the API
 */
export function readRecording(file: string): Traffic {
  const { data, error } = harSchema.safeParse(jsonOrUndefined(readTextFile(file)));
  if (data === undefined) {
    const [issue] = error.issues;
    throw new ConfigurationError([`${file}: this is no HAR: ${issue?.path.join('.') || 'it'}: ${issue?.message}`]);
  }
  const traffic = trafficOf(entriesOf(data), { id: file });
  const requests = traffic.requests.filter((request) => isToApi(request) || request.operation === 'storage');
  if (requests.length === 0)
    throw new ConfigurationError([`${file}: has no request to this API, whose paths begin with /v1`]);
  return { ...traffic, requests };
}

function entriesOf({ log }: z.output<typeof harSchema>): Entry[] {
  return log.entries.map(({ startedDateTime, time, connection, request, response }) => {
    const sentAt = Date.parse(startedDateTime);
    const body = request.postData?.text ?? null;
    const { text, encoding } = response.content;
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
      connection: connection ?? null,
      fault: false,
    };
  });
}
