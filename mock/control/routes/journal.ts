import { MockError } from '../../mock-error.ts';
import { route, sent } from '../control-route.ts';
import { streamJournal } from '../journal-stream.ts';
import { journalFilter, journalQuery, streamQuery, verifyRequest } from '../schemas.ts';
import { exchangeView } from '../views.ts';

export const journalRoutes = [
  route({
    method: 'get',
    path: '/journal',
    query: journalQuery,
    run({ mock, query: { limit = 100, ...query } }) {
      const found = mock.journal.list(query);
      const newest = limit === 0 ? [] : found.slice(-limit);
      return { ...mock.journal.size, found: found.length, exchanges: newest.map(exchangeView) };
    },
  }),
  route({ method: 'delete', path: '/journal', run: ({ mock }) => mock.journal.clear() }),
  route({
    method: 'post',
    path: '/journal/count',
    body: journalFilter,
    run: ({ mock, body }) => ({ count: mock.journal.count(body), dropped: mock.journal.size.dropped }),
  }),
  route({
    method: 'post',
    path: '/journal/verify',
    body: verifyRequest,
    run({ mock: { journal }, body }) {
      const { nearMisses, ...outcome } =
        'sequence' in body
          ? journal.examineSequence(body.sequence)
          : 'gaps' in body
            ? journal.examineGaps(body.query ?? {}, body.gaps)
            : journal.examine(body.query ?? {}, body.times);
      return {
        ...outcome,
        nearMisses: nearMisses.map(({ exchange, misses }) => ({ exchange: exchangeView(exchange), misses })),
      };
    },
  }),
  route({
    method: 'get',
    path: '/journal/stream',
    query: streamQuery,
    run({ mock, query: { lastEventId, ...query }, request, response }) {
      const header = request.get('last-event-id');
      const after = header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : lastEventId;
      streamJournal(mock.journal, query, after, response);
      return sent;
    },
  }),
  route({
    method: 'get',
    path: '/journal/{id}',

    run({ mock, param }) {
      const exchange = mock.journal.get(Number(param('id')));
      if (exchange !== undefined) return exchangeView(exchange);
      throw new MockError('missing', `the journal has no exchange ${param('id')}; it may have been dropped`);
    },
  }),
];
