import type { Mock } from '../../create-mock.ts';
import { route } from '../control-route.ts';
import { clock } from '../replies.ts';
import { advance, freeze, nothing } from '../schemas.ts';
import { clockView } from '../views.ts';

const moved = (move: (clock: Mock['clock']) => void, { mock }: { readonly mock: Mock }) => {
  move(mock.clock);
  return clockView(mock);
};

export const clockRoutes = [
  route(
    'getClock',
    'GET /clock',
    'Read the clock. Buckets, upload URLs, timestamps and signatures follow this clock.',
    { reply: clock, run: ({ mock }) => clockView(mock) },
  ),
  route('advanceClock', 'POST /clock/advance', 'Advance the clock. By milliseconds, or by a duration such as 5m.', {
    body: advance,
    reply: clock,
    run: (call) => moved((time) => time.advance(call.body.by), call),
  }),
  route('freezeClock', 'POST /clock/freeze', 'Freeze the clock. At the current time, or at a given one.', {
    body: freeze,
    reply: clock,
    run: (call) => moved((time) => time.freeze(call.body.at), call),
  }),
  route('resetClock', 'POST /clock/reset', 'Return to real time. Undoes freezing and advancing.', {
    body: nothing,
    reply: clock,
    run: (call) => moved((time) => time.reset(), call),
  }),
];
