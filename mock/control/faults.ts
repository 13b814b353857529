import { z } from 'zod';
import { shapes } from '../arguments/shapes.ts';
import { missing } from '../mock-error.ts';
import { count, dateTime, named, route, text } from './control-route.ts';

const { faultSpec } = shapes();
const noFault = (id: string) => `there is no fault ${id}`;

export const fault = z
  .object({
    id: text,
    spec: faultSpec,
    hits: count,
    remaining: count.nullable().meta({
      description: 'How many requests the fault may still affect. Null for no limit, 0 when its time is over.',
    }),
    endsAt: dateTime.nullable().meta({ description: 'When its time is over; null without `lasts`.' }),
  })
  .meta(named('Fault', 'A fault of the mock.'));

export const faultRoutes = [
  route('listFaults', 'GET /faults', 'List faults. In the order in which the mock tries them.', {
    reply: z.object({ faults: z.array(fault) }),
    run: ({ mock }) => ({ faults: mock.faults.list() }),
  }),
  route(
    'addFault',
    'POST /faults',
    'Inject a fault. The fault applies after the key and the rate limit were checked and the operation was found.',
    { body: faultSpec, reply: fault, status: 201, run: ({ mock, body }) => mock.faults.add(body) },
  ),
  route('clearFaults', 'DELETE /faults', 'Remove all faults. Also those that have not ended yet.', {
    run: ({ mock }) => mock.faults.clear(),
  }),
  route('getFault', 'GET /faults/{id}', 'Read a fault. With the number of requests it affected and may still affect.', {
    reply: fault,
    run: ({ mock, param }) => mock.faults.get(param('id')) ?? missing(noFault(param('id'))),
  }),
  route(
    'editFault',
    'PUT /faults/{id}',
    'Replace a fault. It keeps its id, its place and its hits; an unchanged `times` or `lasts` counts on. With `paused` it affects no request.',
    {
      body: faultSpec,
      reply: fault,
      run: ({ mock, param, body }) => mock.faults.edit(param('id'), body),
    },
  ),
  route('removeFault', 'DELETE /faults/{id}', 'Remove a fault. Also one that has not ended yet.', {
    run({ mock, param }) {
      if (!mock.faults.remove(param('id'))) missing(noFault(param('id')));
    },
  }),
];
