import type { ApiReply } from '../../../mock/index.ts';
import { asObject, errorWith, jsonOf, objectOf, withProperties } from '../../../mock/proof/tampering/json-value.ts';
import { bytesOf, instead, onReply, onRequest } from '../../../mock/proof/tampering/tamper.ts';
import { chain, type LegalVariant } from './legal-variant.ts';

/** Deployments with other storages. */
export const uploads: readonly LegalVariant[] = [
  {
    id: 'signed-otherwise',
    does: 'hands out upload URLs of another host, with one short parameter in place of a long signature',
    around: (scene) => {
      const urls = new Map<string, string>();
      const issue = onReply(({ id, reply }) => {
        if (id !== 'startSiteFileUpload' || reply.status !== 201) return undefined;
        const { pathname, search, host } = new URL(String(objectOf(reply).uploadUrl));
        const token = String(urls.size + 1).padStart(12, '0');
        urls.set(token, `${pathname}${search}`);
        hosts.set(token, host);
        return withProperties(reply, { uploadUrl: `https://blob.example/container/f${token}?sv=1&sig=${token}` });
      });
      const hosts = new Map<string, string>();
      const take = onRequest(({ request }) => {
        const token = /^\/container\/f(\d+)\?/.exec(request.url)?.[1] ?? '';
        const url = urls.get(token);
        if (url === undefined) return undefined;
        return { ...request, url, headers: { ...request.headers, host: hosts.get(token) } };
      });
      return chain(issue, take)(scene);
    },
  },
  {
    id: 'storage-answers-204',
    does: 'answers a PUT with 204 and no ETag, and refuses with 401 and 410 in plain text',
    around: onReply(({ id, reply }): ApiReply | undefined => {
      if (id !== 'storage') return undefined;
      if (reply.status < 300) return { ...reply, status: 204, headers: {}, body: null };
      const status = reply.body?.includes('expired') ? 410 : 401;
      return { ...reply, status, headers: { 'content-type': 'text/plain' }, body: 'no' };
    }),
  },
  {
    id: 'slow-storage',
    does: 'takes eight seconds for every PUT',
    around: onReply(({ id, reply }) => (id === 'storage' ? { ...reply, delay: 8_000 } : undefined)),
  },
  {
    id: 'expiry-with-offset',
    does: 'writes uploadUrlExpiresAt with an offset and microseconds',
    around: onReply(({ id, reply }) => {
      const { uploadUrlExpiresAt } = objectOf(reply);
      if (id !== 'startSiteFileUpload' || typeof uploadUrlExpiresAt !== 'string') return undefined;
      const local = new Date(Date.parse(uploadUrlExpiresAt) - 5 * 3_600_000).toISOString();
      return withProperties(reply, { uploadUrlExpiresAt: local.replace('Z', '000-05:00') });
    }),
  },
  {
    // A deployment may accept only some types. Before that decision this was the defect `upload/start-is-201-for-text-alone`.
    id: 'text-alone',
    does: 'takes files of text alone, and answers 422 to a start for others',
    around: instead(({ id, request, key }) => {
      if (id !== 'startSiteFileUpload' || key === undefined || key.revoked) return undefined;
      const { contentType } = asObject(jsonOf(new TextDecoder().decode(bytesOf(request))));
      return typeof contentType === 'string' && contentType !== '' && !contentType.startsWith('text/plain')
        ? errorWith(422, 'UNPROCESSABLE_ENTITY')
        : undefined;
    }),
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
