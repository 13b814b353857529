import { each, errorWith } from '../../../mock/wrong/tampering/json-value.ts';
import { chain, inReply } from '../../../mock/wrong/tampering/when.ts';
import { about, during, message, page, repliesLost, strangers } from './stranger.ts';

const forbidden = () => errorWith(403, 'FORBIDDEN', 'Forbidden');
const missing = () => errorWith(404, 'NOT_FOUND', 'Not found');

/** Gateways and roll-outs that answer otherwise for some seconds. The specification declares 401, 403, 404 and 500, and tells clients to back off on 503. */
export const rollouts = strangers({
  'all-403': ['says 403 to everybody for 6 s, after 25 s', during([25], 6, message(403, 'Forbidden'))],
  'all-403-twice': ['says 403 to everybody for 3 s, after 10 and 40 s', during([10, 40], 3, forbidden)],
  'no-routes': [
    'has a gateway without routes for 5 s, after 20 s: 404',
    during([20], 5, message(404, 'no Route matched')),
  ],
  'no-routes-twice': ['has a front that says 404 for 2 s, after 8 and 33 s', during([8, 33], 2, page(404))],
  'no-data': [
    'finds no record for 4 s, after 30 s, as it starts anew without its data',
    during([30], 4, missing, ({ key, params }) => key && !key.revoked && Object.keys(params).length > 0),
  ],
  'all-500': ['says 500 for 5 s, after 18 s', during([18], 5, () => errorWith(500, 'INTERNAL_SERVER_ERROR'))],
  'all-502-twice': ['finds no service for 3 s, after 12 and 50 s: 502', during([12, 50], 3, page(502))],
  'all-closed': ['closes all connections for 3 s, after 16 s', during([16], 3, 'close')],
  'writes-503': [
    'says 503 to writes for 6 s, after 17 s, as it moves its database',
    during([17], 6, page(503), ({ request }) => request.method !== 'GET'),
  ],
  'one-of-three-404': [
    'rolls out for 12 s, after 20 s: one instance of three knows no routes',
    (scene) => {
      let turn = 0;
      return during([20], 12, message(404, 'Not Found'), () => turn++ % 3 === 0)(scene);
    },
  ],
  // The request had its effect. Who got another reply does not know it.
  'lost-502': ['loses its replies for 2 s, after 15 and 35 s: 502', repliesLost([15, 35], 2, page(502))],
  'lost-closed': ['loses its replies for 2 s, after 21 s, and closes', repliesLost([21], 2, 'close')],
  'several-ways': [
    'rolls out after 12 and 45 s: 2 s of 503, 2 s of 404, 1 s of 403',
    chain(during([12, 45], 2, page(503)), during([14, 47], 2, page(404)), during([16, 49], 1, forbidden)),
  ],
  '400-for-seconds': ['says 400 to everybody for 3 s, about every 40 s', during(about(40), 3, page(400))],
  'ids-or-records': [
    'shows labels as ids on old nodes, and as records on new ones',
    inReply({ id: ['applyConversationLabel', 'removeConversationLabel'], ok: true, every: 2 }, ({ labels }) => ({
      labels: each(labels, ({ id = '' }) => id),
    })),
  ],
});
