import { blocked, ever, often } from '../firewalls.ts';
import { blocking, message, strangers } from '../stranger.ts';

export const firewalls = strangers({
  '60-in-a-minute': [
    'says 429 and Retry-After: 30 for 30 s after 60 refusals in a minute',
    blocking([60, 60, 30], () => {
      const reply = message(429, 'Too Many Requests')();
      return { ...reply, headers: { ...reply.headers, 'retry-after': '30' } };
    }),
    often,
  ],
  tarpit: [
    'answers 4 s late for half a minute after 120 refusals',
    blocking([120, ever, 30], async ({ ask, request }) => ({ ...(await ask(request)), delay: 4_000 })),
    'time',
  ],
  'malformed-for-good': [
    'closes for good after 40 malformed requests',
    blocking([40, ever, ever], 'close', ({ reply }) => reply.status === 400 || reply.status === 422),
    blocked,
  ],
});
