import { onReply } from '../../../../mock/proof/tampering/tamper.ts';
import { answering, chain } from '../../tampering/when.ts';
import { expiring, iso, store, xml } from '../stores.ts';
import { strangers } from '../stranger.ts';

export const stores = strangers({
  azure: [
    'stores in Azure, which says 201, and 403 in XML',
    store(201, { etag: '"0x8DD3F4E5A6B7C80"' }, xml(403, 'AuthenticationFailed'), (token, end) => {
      return `https://partner.blob.example/f/${token.slice(0, 24)}?sv=2024-11-04&se=${end}&sr=b&sp=cw&sig=${token}%3D`;
    }),
  ],
  'long-urls': [
    'stores at URLs of two thousand characters',
    store(200, {}, xml(403, 'AccessDenied'), (token) => `https://files.example/p?t=${token.repeat(30)}&s=${token}`),
  ],
  'each-url-once': [
    'takes each URL once, and says 412 to the next PUT',
    (scene) => {
      const used = new Set<string>();
      const take = onReply(({ id, ok, request }) => void (id === 'storage' && ok && used.add(request.url)));
      const when = {
        id: 'storage',
        where: ({ request }: { request: { url: string } }) => used.has(request.url),
      } as const;
      return chain(take, answering(when, xml(412, 'ConditionNotMet')))(scene);
    },
  ],
  'whole-seconds': [
    'writes the end of a URL in whole seconds with an offset',
    expiring((at) => `${iso(at + 7_200_000).slice(0, 19)}+02:00`),
  ],
});
