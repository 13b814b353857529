import { route } from '../control-route.ts';
import { advance, freeze, nothing } from '../schemas.ts';
import { clockView } from '../views.ts';

export const clockRoutes = [
  route({ method: 'get', path: '/clock', run: ({ mock }) => clockView(mock) }),
  route({
    method: 'post',
    path: '/clock/advance',
    body: advance,
    run({ mock, body }) {
      mock.clock.advance(body.by);
      return clockView(mock);
    },
  }),
  route({
    method: 'post',
    path: '/clock/freeze',
    body: freeze,
    run({ mock, body }) {
      mock.clock.freeze(body.at);
      return clockView(mock);
    },
  }),
  route({
    method: 'post',
    path: '/clock/reset',
    body: nothing,
    run({ mock }) {
      mock.clock.reset();
      return clockView(mock);
    },
  }),
];
