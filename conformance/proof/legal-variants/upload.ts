import { type Json, objectOf, withProperties } from '../../../mock/proof/tampering/json-value.ts';
import { onRequest } from '../../../mock/proof/tampering/tamper.ts';
import { bodyOf, chain, inReply, onReplyTo, readingUrl, refusing } from '../tampering/when.ts';
import type { LegalVariant } from './legal-variant.ts';

const stringIn = (value: Json | undefined) => (typeof value === 'string' ? value : '');

const plainText = { 'content-type': 'text/plain' };

/** Deployments with other storages. */
export const uploads: readonly LegalVariant[] = [
  {
    id: 'many-numbered-sites',
    does: 'has a fifth of all numbers of 32 bits for sites',
    around: readingUrl(/^(\/v1\/site\/)\d{8,9}[37](?=\/file\/upload-url)/, '$110042'),
  },
  {
    id: 'signed-otherwise',
    does: 'hands out upload URLs of another host, for which a short token alone counts, and takes each once',
    around: (scene) => {
      const urls = new Map<string, string>();
      const used = new Set<string>();
      const tokenIn = (url: string) => /[?&]sig=(\d+)/.exec(url)?.[1] ?? '';
      const issue = onReplyTo({ id: 'startSiteFileUpload', status: 201 }, ({ reply }) => {
        const { pathname, search, origin } = new URL(String(objectOf(reply).uploadUrl));
        const token = String(urls.size + 1).padStart(12, '0');
        urls.set(token, `${pathname}${search}`);
        origins.set(token, origin);
        return withProperties(reply, { uploadUrl: `https://blob.example/container/f${token}?sv=1&sig=${token}` });
      });
      const origins = new Map<string, string>();
      const take = onRequest(({ request }) => {
        const token = tokenIn(request.url);
        const url = urls.get(token);
        if (url === undefined) return undefined;
        const origin = origins.get(token) ?? request.origin;
        return { ...request, url, origin, headers: { ...request.headers, host: new URL(origin).host } };
      });
      const once = onReplyTo({ url: /[?&]sig=/, ok: true }, ({ request, reply }) => {
        const token = tokenIn(request.url);
        const isSecond = used.has(token);
        used.add(token);
        return isSecond ? { ...reply, status: 409 } : undefined;
      });
      return chain(issue, take, once)(scene);
    },
  },
  {
    id: 'storage-answers-204',
    does: 'answers a PUT with 204 and no ETag, and refuses with 401 and 410 in plain text',
    around: onReplyTo({ id: 'storage' }, ({ ok, reply }) => {
      const refusal = { status: reply.body?.includes('expired') ? 410 : 401, headers: plainText, body: 'no' };
      return ok ? { status: 204, headers: {}, body: null } : refusal;
    }),
  },
  {
    id: 'slow-storage',
    does: 'takes eight seconds for every PUT',
    around: onReplyTo({ id: 'storage' }, ({ reply }) => ({ ...reply, delay: 8_000 })),
  },
  {
    id: 'expiry-with-offset',
    does: 'writes uploadUrlExpiresAt with an offset and microseconds',
    around: inReply({ id: 'startSiteFileUpload', ok: true }, ({ uploadUrlExpiresAt }) => {
      const local = new Date(Date.parse(String(uploadUrlExpiresAt)) - 5 * 3_600_000).toISOString();
      return { uploadUrlExpiresAt: local.replace('Z', '000-05:00') };
    }),
  },
  {
    // A deployment may accept only some types. Before that decision this was the defect `upload/start-is-201-for-text-alone`.
    id: 'text-alone',
    does: 'takes files of text alone, and answers 422 to a start for others',
    around: refusing(
      {
        id: 'startSiteFileUpload',
        usable: true,
        where: (asked) => /^(?!text\/plain)./.test(stringIn(bodyOf(asked).contentType)),
      },
      422,
    ),
  },
  {
    id: 'register-anything',
    does: 'registers a file whose bytes never came, and again, each time with 200',
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
];
