import { hash } from 'node:crypto';
import type { Around } from '../../../mock/wrong/tampering/defect.ts';
import { objectOf, withJson, withProperties } from '../../../mock/wrong/tampering/json-value.ts';
import { onReply, onRequest } from '../../../mock/wrong/tampering/tamper.ts';
import { answering, chain, endConnection, inReply, onReplyTo } from '../../../mock/wrong/tampering/when.ts';
import { strangers } from './stranger.ts';

const xml = (status: number, code: string) => () => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
});

/** A store with URLs of its own form, which takes only the very URL that it issued. @param write the URL, from its token and the end of its life */
const store =
  (
    taken: number,
    headers: Record<string, string>,
    refused: ReturnType<typeof xml>,
    write: (token: string, end: string) => string,
  ): Around =>
  (scene) => {
    const issued = new Map<string, URL>();
    const issue = onReplyTo({ id: 'startSiteFileUpload', status: 201 }, ({ reply }) => {
      const { uploadUrl, uploadUrlExpiresAt } = objectOf(reply);
      const url = write(hash('sha256', String(uploadUrl)), encodeURIComponent(String(uploadUrlExpiresAt)));
      issued.set(new URL(url).pathname + new URL(url).search, new URL(String(uploadUrl)));
      return withProperties(reply, { uploadUrl: url });
    });
    const take = onRequest(({ request }) => {
      const real = issued.get(request.url);
      return (
        real && {
          ...request,
          url: real.pathname + real.search,
          origin: real.origin,
          headers: { ...request.headers, host: real.host },
        }
      );
    });
    const says = onReplyTo({ id: 'storage' }, ({ ok }) => (ok ? { status: taken, headers, body: null } : refused()));
    return chain(says, issue, take)(scene);
  };

const expiring = (change: (at: number) => string) =>
  inReply({ id: 'startSiteFileUpload', ok: true }, ({ uploadUrlExpiresAt }) => ({
    uploadUrlExpiresAt: change(Date.parse(String(uploadUrlExpiresAt))),
  }));
const iso = (at: number) => new Date(at).toISOString();

/** Stores in their own ways. Of a store the specification says only: a PUT of the bytes, their content type, five minutes. */
export const stores = strangers({
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
  'google-cloud': [
    'stores in Google Cloud, which says 400 in XML',
    store(200, { 'x-goog-hash': 'crc32c=AAAAAA==' }, xml(400, 'ExpiredToken'), (token) => {
      const query = `X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Expires=300&X-Goog-Signature=${token}`;
      return `https://storage.googleapis.example/files/${token.slice(0, 20)}?${query}`;
    }),
  ],
  'token-in-the-path': [
    'stores at URLs without a query, whose path is the secret',
    store(204, {}, xml(404, 'NotFound'), (token) => `https://up.example/u/${token}`),
  ],
  slow: [
    'takes 6 s for every PUT',
    onReplyTo({ id: 'storage', ok: true }, ({ reply }) => ({ ...reply, delay: 6_000 })),
  ],
  'slow-down': ['says 503 SlowDown to one PUT in six', answering({ id: 'storage', every: 6 }, xml(503, 'SlowDown'))],
  'closes-on-refusal': [
    'closes the connection in place of refusing bytes',
    onReplyTo({ id: 'storage', where: ({ ok }) => !ok }, endConnection),
    'a refusal without a reply looks like an outage',
  ],
  'registered-later': [
    'registers files in the background: 202 and PENDING',
    onReplyTo({ id: 'registerSiteFile', ok: true }, ({ reply }) => ({
      ...withJson(reply, { state: 'PENDING' }),
      status: 202,
    })),
  ],
  'clock-ahead': ['has a clock 4 s ahead, within the skew of the target file', expiring((at) => iso(at + 4_000))],
  azure: [
    'stores in Azure, which says 201, and 403 in XML',
    store(201, { etag: '"0x8DD3F4E5A6B7C80"' }, xml(403, 'AuthenticationFailed'), (token, end) => {
      return `https://partner.blob.example/f/${token.slice(0, 24)}?sv=2024-11-04&se=${end}&sr=b&sp=cw&sig=${token}%3D`;
    }),
  ],
  'whole-seconds': [
    'writes the end of a URL in whole seconds with an offset',
    expiring((at) => `${iso(at + 7_200_000).slice(0, 19)}+02:00`),
  ],
});
