import { shapes } from '../../arguments/shapes.ts';
import type { JournalQuery } from '../../journal/query.ts';
import type { Expectation } from '../../journal/verification.ts';
import { MockError } from '../../mock-error.ts';
import { route, sent } from '../control-route.ts';
import { streamJournal } from '../journal-stream.ts';
import * as replies from '../replies.ts';
import { journalQuery, streamQuery } from '../schemas.ts';
import { exchangeView } from '../views.ts';

export const journalRoutes = [
  route('listJournal', 'GET /journal', 'List exchanges. The newest exchanges that match, newest last.', {
    query: journalQuery,
    reply: replies.exchanges,
    run({ mock, query: { limit = 100, ...query } }) {
      const found = mock.journal.list(query as JournalQuery);
      const newest = limit === 0 ? [] : found.slice(-limit);
      return { ...mock.journal.size, found: found.length, exchanges: newest.map(exchangeView) };
    },
  }),
  route('clearJournal', 'DELETE /journal', 'Clear the journal. Later exchanges do not reuse ids.', {
    run: ({ mock }) => mock.journal.clear(),
  }),
  route('countJournal', 'POST /journal/count', 'Count exchanges. Returns how many of the kept exchanges match.', {
    body: shapes().journalQuery,
    reply: replies.counted,
    run: ({ mock, body }) => ({
      count: mock.journal.count(body as JournalQuery),
      dropped: mock.journal.size.dropped,
    }),
  }),
  route(
    'verifyJournal',
    'POST /journal/verify',
    'Verify requests. Checks the number, the order or the spacing of exchanges. If the check fails, the reply names the nearest ones.',
    {
      body: shapes().verifyRequest,
      reply: replies.verification,
      run({ mock: { journal }, body }) {
        const { nearMisses, ...outcome } = journal.examine(body as Expectation);
        return {
          ...outcome,
          nearMisses: nearMisses.map(({ exchange, misses }) => ({ exchange: exchangeView(exchange), misses })),
        };
      },
    },
  ),
  route(
    'streamJournal',
    'GET /journal/stream',
    'Follow the journal. Server-Sent Events. An `exchange` event has an Exchange and its id; a `dropped` event has the number of exchanges that were dropped since Last-Event-ID. A comment every 15 seconds keeps the connection open.',
    {
      query: streamQuery,
      reply: { 'text/event-stream': null },
      async run({ mock, query: { lastEventId, ...query }, request, response }) {
        const header = request.get('last-event-id');
        const after = header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : lastEventId;
        await streamJournal(mock.journal, query as JournalQuery, after, response);
        return sent;
      },
    },
  ),
  route('getExchange', 'GET /journal/{id}', 'Read an exchange. Only while the journal keeps the exchange.', {
    reply: replies.exchange,
    run({ mock, param }) {
      const exchange = mock.journal.get(Number(param('id')));
      if (exchange !== undefined) return exchangeView(exchange);
      throw new MockError('missing', `the journal has no exchange ${param('id')}; it may have been dropped`);
    },
  }),
];
