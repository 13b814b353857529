import { MockError } from '../../mock-error.ts';
import { route } from '../control-route.ts';
import { faultSpec } from '../schemas.ts';

export const faultRoutes = [
  route({ method: 'get', path: '/faults', run: ({ mock }) => ({ faults: mock.faults.list() }) }),
  route({
    method: 'post',
    path: '/faults',
    body: faultSpec,
    status: 201,
    run: ({ mock, body }) => mock.faults.add(body),
  }),
  route({ method: 'delete', path: '/faults', run: ({ mock }) => mock.faults.clear() }),
  route({
    method: 'get',
    path: '/faults/{id}',

    run: ({ mock, param }) => mock.faults.get(param('id')) ?? missing(param('id')),
  }),
  route({
    method: 'delete',
    path: '/faults/{id}',

    run({ mock, param }) {
      if (!mock.faults.remove(param('id'))) missing(param('id'));
    },
  }),
];

function missing(id: string): never {
  throw new MockError('missing', `there is no fault ${id}`);
}
