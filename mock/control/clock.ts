import { strictObject, z } from 'zod';
import { values } from '../arguments/shapes.ts';
import type { Mock } from '../create-mock.ts';
import { count, dateTime, given, named, nothing, route } from './control-route.ts';

const { duration, milliseconds } = values();

export const clock = z
  .object({
    now: dateTime,
    frozen: z.boolean(),
    offset: count.meta({ description: 'How many milliseconds the clock is ahead of real time.' }),
  })
  .meta(named('Clock', 'The clock of the mock.'));

/** The clock, after it was moved. */
const after = ({ mock: { clock } }: { readonly mock: Mock }, move: (clock: Mock['clock']) => void = () => {}) => {
  move(clock);
  return { now: clock.now(), frozen: clock.frozen, offset: Math.round(clock.offset) };
};

export const clockRoutes = [
  route(
    'getClock',
    'GET /clock',
    'Read the clock. Buckets, upload URLs, timestamps and signatures follow this clock.',
    { reply: clock, run: (call) => after(call) },
  ),
  route('advanceClock', 'POST /clock/advance', 'Advance the clock. By milliseconds, or by a duration such as 5m.', {
    body: strictObject({ by: duration }),
    reply: clock,
    run: (call) => after(call, (time) => time.advance(call.body.by)),
  }),
  route('freezeClock', 'POST /clock/freeze', 'Freeze the clock. At the current time, or at a given one.', {
    body: strictObject({
      at: z
        .union([milliseconds, given])
        .optional()
        .meta({ description: 'Milliseconds since 1970, or an ISO date-time.' }),
    }),
    reply: clock,
    run: (call) => after(call, (time) => time.freeze(call.body.at)),
  }),
  route('resetClock', 'POST /clock/reset', 'Return to real time. Undoes freezing and advancing.', {
    body: nothing,
    reply: clock,
    run: (call) => after(call, (time) => time.reset()),
  }),
];
