import { errorWith } from '../../../../mock/proof/tampering/json-value.ts';
import { forbidden, inTurn, named } from '../keys.ts';
import { during, strangers } from '../stranger.ts';

export const keys = strangers({
  'narrow-key-lost': [
    'loses only-site-write in one gateway of two for 6 s, after 20 s',
    (scene) => {
      const isLost = inTurn();
      return during([20], 6, forbidden, (asked) => named(/^only-site-write$/)(asked) && isLost())(scene);
    },
  ],
  'full-key-lost': ['loses the key full for 3 s, after 18 and 44 s', during([18, 44], 3, forbidden, named(/^full$/))],
  'scopes-lost': [
    'reads the scopes of narrow keys anew for 4 s, after 16 s, and allows them nothing',
    during([16], 4, () => errorWith(403, 'FORBIDDEN', 'Operation not allowed'), named(/^only-|^links$/)),
  ],
});
