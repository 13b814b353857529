import { z } from 'zod';
import { MockError } from '../../mock-error.ts';
import { route } from '../control-route.ts';
import { nothing, reset, snapshotQuery } from '../schemas.ts';

export const stateRoutes = [
  route({
    method: 'post',
    path: '/reset',
    body: reset,
    run: ({ mock, body }) => mock.reset(body.tenant),
  }),
  route({
    method: 'get',
    path: '/snapshot',
    query: snapshotQuery,
    run: ({ mock, query }) => mock.snapshot({ content: query.content !== 'false' }),
  }),
  route({
    method: 'post',
    path: '/restore',
    // The mock checks the snapshot itself, against its seeds too.
    body: z.unknown(),
    run: ({ mock, body }) => mock.restore(body, 'body'),
  }),
  route({
    method: 'post',
    path: '/state/save',
    body: nothing,
    async run({ save }) {
      if (save === undefined)
        throw new MockError('conflict', 'this mock has no state file; start it with --state FILE');
      await save();
    },
  }),
];
