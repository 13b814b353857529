import { shapes } from '../../arguments/shapes.ts';
import type { FaultSpec } from '../../faults/fault.ts';
import { MockError } from '../../mock-error.ts';
import { route } from '../control-route.ts';
import * as replies from '../replies.ts';

export const faultRoutes = [
  route('listFaults', 'GET /faults', 'List faults. In the order in which the mock tries them.', {
    reply: replies.faults,
    run: ({ mock }) => ({ faults: mock.faults.list() }),
  }),
  route(
    'addFault',
    'POST /faults',
    'Inject a fault. The fault applies after the key and the rate limit were checked and the operation was found.',
    {
      body: shapes().faultSpec,
      reply: replies.fault,
      status: 201,
      run: ({ mock, body }) => mock.faults.add(body as FaultSpec),
    },
  ),
  route('clearFaults', 'DELETE /faults', 'Remove all faults. Also those that have not ended yet.', {
    run: ({ mock }) => mock.faults.clear(),
  }),
  route('getFault', 'GET /faults/{id}', 'Read a fault. With the number of requests it affected and may still affect.', {
    reply: replies.fault,
    run: ({ mock, param }) => mock.faults.get(param('id')) ?? missing(param('id')),
  }),
  route('removeFault', 'DELETE /faults/{id}', 'Remove a fault. Also one that has not ended yet.', {
    run({ mock, param }) {
      if (!mock.faults.remove(param('id'))) missing(param('id'));
    },
  }),
];

function missing(id: string): never {
  throw new MockError('missing', `there is no fault ${id}`);
}
