import { objectOf, withProperties } from '../../../mock/proof/tampering/json-value.ts';
import { onRequest } from '../../../mock/proof/tampering/tamper.ts';
import { bodyOf, chain, inReply, onReplyTo, readingUrl, refusing } from '../tampering/when.ts';
import { type LegalVariant, legal } from './legal-variant.ts';

/** Deployments with other storages. */
export const uploads: readonly LegalVariant[] = legal({
  'many-numbered-sites': [
    'has a fifth of all numbers of 32 bits for sites',
    readingUrl(/^(\/v1\/site\/)\d{8,9}[37](?=\/file\/upload-url)/, '$110042'),
  ],
  'signed-otherwise': [
    'hands out upload URLs of another host, for which a short token alone counts, and takes each once',
    (scene) => {
      const urls = new Map<string, { readonly url: string; readonly origin: string }>();
      const used = new Set<string>();
      const tokenIn = (url: string) => /[?&]sig=(\d+)/.exec(url)?.[1] ?? '';
      const issue = onReplyTo({ id: 'startSiteFileUpload', status: 201 }, ({ reply }) => {
        const { pathname, search, origin } = new URL(String(objectOf(reply).uploadUrl));
        const token = String(urls.size + 1).padStart(12, '0');
        urls.set(token, { url: `${pathname}${search}`, origin });
        return withProperties(reply, { uploadUrl: `https://blob.example/container/f${token}?sv=1&sig=${token}` });
      });
      const take = onRequest(({ request }) => {
        const issued = urls.get(tokenIn(request.url));
        return issued && { ...request, ...issued, headers: { ...request.headers, host: new URL(issued.origin).host } };
      });
      const once = onReplyTo({ url: /[?&]sig=/, ok: true }, ({ request, reply }) => {
        const token = tokenIn(request.url);
        const isSecond = used.has(token);
        used.add(token);
        return isSecond ? { ...reply, status: 409 } : undefined;
      });
      return chain(issue, take, once)(scene);
    },
  ],
  'storage-answers-204': [
    'answers a PUT with 204 and no ETag, and refuses with 401 and 410 in plain text',
    chain(
      onReplyTo({ id: 'storage' }, ({ ok, reply }) => {
        const status = reply.body?.includes('expired') ? 410 : 401;
        return ok ? undefined : { status, headers: { 'content-type': 'text/plain' }, body: 'no' };
      }),
      onReplyTo({ id: 'storage', ok: true }, () => ({ status: 204, headers: {}, body: null })),
    ),
  ],
  'slow-storage': onReplyTo({ id: 'storage' }, ({ reply }) => ({ ...reply, delay: 8_000 })),
  'expiry-with-offset': inReply({ id: 'startSiteFileUpload', ok: true }, ({ uploadUrlExpiresAt }) => {
    const local = new Date(Date.parse(String(uploadUrlExpiresAt)) - 5 * 3_600_000).toISOString();
    return { uploadUrlExpiresAt: local.replace('Z', '000-05:00') };
  }),
  'text-alone': [
    'takes files of text alone, and answers 422 to a start for others: a deployment may accept only some types',
    refusing(
      {
        id: 'startSiteFileUpload',
        usable: true,
        where: (asked) => /^"(?!text\/plain|")./.test(JSON.stringify(bodyOf(asked).contentType ?? null)),
      },
      422,
    ),
  ],
  'register-anything': [
    'registers a file whose bytes never came, and again, each time with 200',
    {
      options: () => ({
        profile: {
          upload: {
            putStatus: 201,
            registerStatus: 200,
            registerTwice: { status: 200 },
            registerBeforePut: { status: 200 },
          },
        },
      }),
    },
  ],
});
