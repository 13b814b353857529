import { setTimeout as sleep } from 'node:timers/promises';
import { strictObject, z } from 'zod';
import { type JournalQuery, shapes } from '../arguments/shapes.ts';
import type { Journal } from '../journal/journal.ts';
import { selects } from '../journal/query.ts';
import type { Expectation } from '../journal/verification.ts';
import { missing } from '../mock-error.ts';
import { count, dateTime, named, orNull, route, sent, sentStream, text } from './control-route.ts';

const headers = z.record(text, text).meta({ description: 'Names in lower case; keys and tokens are redacted.' });
const body = z
  .object({ text, bytes: count, shortened: z.boolean() })
  .nullable()
  .meta({ description: 'The kept part of a body, its full size, and whether it was shortened.' });
export const exchange = z
  .object({
    id: count,
    at: dateTime,
    milliseconds: z.number(),
    tenant: orNull,
    key: orNull,
    operationId: orNull,
    request: z.object({ method: text, url: text, headers, body }),
    reply: z.object({
      status: count,
      headers,
      body,
      broken: z.enum(['dropped', 'truncated']).nullable(),
      delay: z.number().meta({ description: 'Milliseconds of injected latency.' }),
    }),
    refused: orNull.meta({ description: 'Why the request was refused, as a case of the mock.' }),
    why: orNull.meta({ description: 'Why the request was refused, as text.' }),
    rule: orNull.meta({ description: "The id of the contract's rule behind the refusal." }),
    fault: orNull.meta({
      description: 'The id of the fault, or of the way of being wrong, that affected the request.',
    }),
    breaks: orNull.meta({ description: 'The id of the rule that the mock broke on purpose.' }),
    passedTo: orNull.meta({ description: 'The address of the deployment that answered in place of the mock.' }),
  })
  .meta(named('Exchange', 'One request and its reply.'));
export const journalSize = z.object({ kept: count, dropped: count, bytes: count });

/** A value that is a number where it has nothing but digits, as in a query string. */
const fromText = <Schema extends z.core.$ZodType>(schema: Schema) =>
  z.preprocess((value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value), schema);
export const limit = fromText(z.int('must be a whole number').optional());
const { status, since, until } = shapes().journalQuery.shape;
const filter = { ...shapes().requests, status: fromText(status), since: fromText(since), until: fromText(until) };

/** Milliseconds between two looks at the journal, so that a reader of a busy mock costs no look for each request. */
const interval = 50;

/** Looks between two comments: 15 seconds. Proxies close a silent connection after about a minute. */
const heartbeat = 300;

/**
 * The journal as Server-Sent Events, without end: one `exchange` event with its id for each exchange that matches. A slow reader
 * continues from the journal when it can, with a `dropped` event if exchanges were dropped meanwhile.
 * @param after the id of the last exchange that the reader has; later ones are sent first
 */
export async function* journalEvents(journal: Journal, query: JournalQuery, after = Number.POSITIVE_INFINITY) {
  const matches = selects(query);
  // An id above the newest one comes from an earlier mock and means nothing here.
  let seen = Math.min(after, journal.lastId);
  yield 'retry: 1000\n\n';
  for (let look = 1; ; look++) {
    const news = seen === journal.lastId ? [] : journal.list().filter(({ id }) => id > seen);
    for (const one of news) {
      const dropped = one.id - seen - 1;
      if (dropped > 0) yield `event: dropped\ndata: ${JSON.stringify({ count: dropped })}\n\n`;
      seen = one.id;
      if (matches(one)) yield `id: ${one.id}\nevent: exchange\ndata: ${JSON.stringify(exchange.parse(one))}\n\n`;
    }
    if (look % heartbeat === 0) yield ': still here\n\n';
    await sleep(interval, undefined, { ref: false });
  }
}

export const journalRoutes = [
  route('listJournal', 'GET /journal', 'List exchanges. The newest exchanges that match, newest last.', {
    query: strictObject({
      ...filter,
      limit: limit.meta({ description: 'How many exchanges at most; 100 by default.' }),
    }),
    reply: z.object({ ...journalSize.shape, found: count, exchanges: z.array(exchange) }),
    run({ mock, query: { limit = 100, ...query } }) {
      const found = mock.journal.list(query as JournalQuery);
      return { ...mock.journal.size, found: found.length, exchanges: limit === 0 ? [] : found.slice(-limit) };
    },
  }),
  route('clearJournal', 'DELETE /journal', 'Clear the journal. Later exchanges do not reuse ids.', {
    run: ({ mock }) => mock.journal.clear(),
  }),
  route('countJournal', 'POST /journal/count', 'Count exchanges. Returns how many of the kept exchanges match.', {
    body: shapes().journalQuery,
    reply: z.object({ count, dropped: count }),
    run: ({ mock: { journal }, body }) => ({
      count: journal.count(body as JournalQuery),
      dropped: journal.size.dropped,
    }),
  }),
  route(
    'verifyJournal',
    'POST /journal/verify',
    'Verify requests. Checks the number, the order or the spacing of exchanges. If the check fails, the reply names the nearest ones.',
    {
      body: shapes().verifyRequest,
      reply: z
        .object({
          verified: z.boolean(),
          count,
          explanation: text,
          nearMisses: z.array(z.object({ exchange, misses: z.array(text) })),
        })
        .meta(named('Verification', 'Whether the verification succeeded, with an explanation.')),
      run: ({ mock, body }) => mock.journal.examine(body as Expectation),
    },
  ),
  route(
    'streamJournal',
    'GET /journal/stream',
    'Follow the journal. Server-Sent Events. An `exchange` event has an Exchange and its id; a `dropped` event has the number of exchanges that were dropped since Last-Event-ID. A comment every 15 seconds keeps the connection open.',
    {
      query: strictObject({
        ...filter,
        lastEventId: limit.meta({ description: 'The same as the header Last-Event-ID, which browsers cannot set.' }),
      }),
      reply: { 'text/event-stream': null },
      async run({ mock, query: { lastEventId, ...query }, request, response }) {
        const header = request.get('last-event-id');
        const after = header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : lastEventId;
        response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', connection: 'keep-alive' });
        if (request.method !== 'HEAD')
          return sentStream(journalEvents(mock.journal, query as JournalQuery, after), response);
        response.end();
        return sent;
      },
    },
  ),
  route('getExchange', 'GET /journal/{id}', 'Read an exchange. Only while the journal keeps the exchange.', {
    reply: exchange,
    run: ({ mock, param }) =>
      mock.journal.get(Number(param('id'))) ??
      missing(
        Number(param('id')) > mock.journal.lastId
          ? `there is no request ${param('id')} yet: the last one is ${mock.journal.lastId}`
          : `there is no request ${param('id')} any more: it was dropped to make room for newer ones, or cleared`,
      ),
  }),
];
