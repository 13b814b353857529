import { during, message, page, strangers } from '../stranger.ts';

export const rollouts = strangers({
  'all-401': ['says 401 to everybody for 4 s, after 15 s', during([15], 4, message(401, 'Unauthorized'))],
  'all-503': ['is under maintenance for 10 s, after 22 s: 503', during([22], 10, page(503))],
  'all-hanging': ['answers nothing that comes in 2 s, after 14 s', during([14], 2, 'hang')],
});
