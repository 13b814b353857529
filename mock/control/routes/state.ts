import { MockError } from '../../mock-error.ts';
import { route } from '../control-route.ts';
import { snapshot } from '../replies.ts';
import { nothing, reset, snapshotQuery } from '../schemas.ts';

export const stateRoutes = [
  route(
    'reset',
    'POST /reset',
    'Reset to the seeds. Resets keys, buckets, labels and files of one tenant. Without a tenant it resets the whole mock, with copied tenants, faults, journal and clock.',
    { body: reset, refusals: [404], run: ({ mock, body }) => mock.reset(body.tenant) },
  ),
  route(
    'takeSnapshot',
    'GET /snapshot',
    'Take a snapshot. The whole state as JSON, with the bytes of files (64 MiB at most) unless `content=false`.',
    {
      query: snapshotQuery,
      reply: snapshot,
      refusals: [409],
      run: ({ mock, query }) => mock.snapshot({ content: query.content !== 'false' }),
    },
  ),
  route('restoreSnapshot', 'POST /restore', 'Restore a snapshot. If the snapshot has a mistake, nothing changes.', {
    // The mock checks the snapshot itself, against its seeds too.
    body: snapshot.catch(({ value }) => value as never),
    refusals: [413],
    run: ({ mock, body }) => mock.restore(body, 'body'),
  }),
  route('saveState', 'POST /state/save', 'Write the state file. Only for a mock that was started with --state.', {
    body: nothing,
    refusals: [409],
    async run({ save }) {
      if (save === undefined)
        throw new MockError('conflict', 'this mock has no state file; start it with --state FILE');
      await save();
    },
  }),
];
