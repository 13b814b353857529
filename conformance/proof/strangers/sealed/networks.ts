import { as, instead, onReply } from '../../../../mock/proof/tampering/tamper.ts';
import { labelWriteOf } from '../../tampering/label-write.ts';
import { endConnection } from '../../tampering/when.ts';
import { random } from '../networks.ts';
import { about, during, strangers } from '../stranger.ts';

export const networks = strangers({
  'replies-lost': [
    'loses one reply in a hundred, and closes: what was asked is done',
    random(
      (chance) => (scene) =>
        onReply(({ id }) => (id !== 'storage' && chance() < 0.01 ? endConnection(scene) : undefined))(scene),
    ),
  ],
  'proxy-that-repeats': [
    'is behind a proxy that sends one GET and one label write in ten twice, as they are idempotent',
    random((chance) =>
      instead(async (asked) => {
        const { key, mock, ask, request } = asked;
        const isSafe = request.method === 'GET' || labelWriteOf(asked)?.label?.visibility === 'public';
        if (!isSafe || !key || key.revoked || chance() > 0.1) return undefined;
        await ask(as(mock, request, key.tenant, key.scopes));
        return ask(request);
      }),
    ),
  ],
  'cut-off-often': ['is cut off for a second, every 12 s or so', during(about(12), 1, 'close')],
});
