import { as } from '../../../../mock/proof/tampering/tamper.ts';
import type { Defect } from '../../tampering/defect.ts';
import { gcra, limitedBy } from '../../tampering/limiters.ts';
import { heldBack } from '../../tampering/waiting.ts';
import { chain, onReplyTo } from '../../tampering/when.ts';

/** Requests over the rate that wait in place of being answered 429. */
export const requestsHeldBack: readonly Defect[] = [
  {
    id: 'limiter/held-back',
    breaks: 'limiter/over-the-rate-is-429',
    does: 'holds requests over the rate of a key back, however many, and serves them later',
    options: limitedBy(() => ({ take: () => 0 })),
    around: heldBack(() => 0),
  },
  {
    id: 'limiter/held-back-beyond-the-burst',
    breaks: 'limiter/over-the-rate-is-429',
    does: 'serves the burst of a key at once, holds forty more requests back, and throttles only what comes on top',
    options: limitedBy(({ perSecond, burst }) => gcra({ perSecond, burst: burst + 40 })),
    around: heldBack(({ burst }) => burst),
  },
  {
    id: 'limiter/removals-held-back',
    breaks: 'limiter/over-the-rate-is-429',
    does: 'holds removals over the rate back, and throttles everything else',
    around: chain(
      onReplyTo({ method: 'DELETE', status: 429 }, ({ ask, request, mock, key }) =>
        ask(as(mock, request, key?.tenant ?? '', key?.scopes)),
      ),
      heldBack(
        () => 0,
        ({ request }) => request.method === 'DELETE',
      ),
    ),
  },
];
