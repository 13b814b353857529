import { restSeconds } from '../../../spec/limiter/limit.ts';
import type { RuleId } from '../../../spec/rules.ts';
import type { Ask } from '../../client/ask.ts';
import type { Scene } from '../../experiments/scene.ts';
import { type Exchange, objectIn } from '../../history/exchange.ts';
import type { Situation, Wanting } from '../../scripts/script.ts';
import type { Deployment } from '../../target/deployment.ts';
import { type KeyOfTenant, keyFor } from '../../target/keys.ts';
import { insist } from '../asking/insist.ts';
import { largeBytes, lifetime } from './puts.ts';
import { directBytes, inTurn, sitesOf, someBytes, start, startAsk, uploadKeys } from './upload-asks.ts';

export const registering: readonly RuleId[] = [
  'upload/register-takes-file-key',
  'upload/registration-reply',
  'upload/register-before-put-is-422',
  'upload/register-twice-is-409',
];

/** The API cannot delete a registered file, so a registration leaves something behind, and a refused one may do so on a wrong deployment. */
const leaving = { uses: [start, 'registerSiteFile'], writes: 'leftovers' } as const;

/** The sites of the tenant, the first of them, and the keys that may upload. */
interface Given {
  readonly deployment: Deployment;
  readonly sites: ReturnType<typeof sitesOf>;
  readonly site: string;
  readonly keys: readonly KeyOfTenant[];
  readonly narrow: KeyOfTenant;
}

const registerAsk = ({ registration }: Deployment, fileKey: string, at: string, more: Partial<Ask> = {}): Ask => ({
  operation: 'registerSiteFile',
  params: { id: at },
  body: { fileKey, ...registration },
  ...more,
});

export async function register(scene: Scene, fileKey: string, at: string, key: KeyOfTenant): Promise<Exchange> {
  const { deployment } = scene;
  const reply = await insist(scene, registerAsk(deployment, fileKey, at, { key }));
  if (reply.status !== 400 && reply.status !== 422) return reply;
  // The other fields of a registration are not documented. A name is the likeliest missing field.
  const body = { fileKey, name: 'partnerkit-check.txt', ...deployment.registration };
  return scene.send(registerAsk(deployment, fileKey, at, { key, body }));
}

async function uploaded(scene: Scene, at: string, key: KeyOfTenant): Promise<string> {
  const { deployment } = scene;
  const started = await insist(scene, startAsk(deployment, at, { key }));
  await scene.put(started, { contentType: deployment.uploadContentType, bytes: someBytes });
  return fileKeyIn(started);
}

export function* registerSituations(deployment: Deployment): Generator<Situation | Wanting> {
  const keys = uploadKeys(deployment);
  const sites = sitesOf(deployment);
  const [first] = sites;
  const [narrow] = keys;
  if (first === undefined || narrow === undefined) return;
  const given = { deployment, sites, site: first.holder.id, keys, narrow };
  for (const generate of [atEachSite, ofOneFile, ofOtherFiles, afterExpiry, ofBytes, throttled, ofOtherTenant])
    yield* generate(given);
}

function* atEachSite({ deployment, sites, keys, narrow }: Given): Generator<Situation> {
  for (const [index, { slug, words, holder }] of sites.entries()) {
    const key = keys[index % keys.length] ?? narrow;
    yield {
      ...leaving,
      id: `upload/register/${slug}`,
      title: `a file of ${words} is registered before its bytes are there, after, and again`,
      feeds: registering,
      async run(scene) {
        const started = await insist(scene, startAsk(deployment, holder.id, { key }));
        const fileKey = fileKeyIn(started);
        await scene.send(registerAsk(deployment, fileKey, holder.id, { key }));
        await scene.put(started, { contentType: deployment.uploadContentType, bytes: someBytes });
        await register(scene, fileKey, holder.id, key);
        await scene.send(registerAsk(deployment, fileKey, holder.id, { key }));
      },
    };
  }
}

function* ofOneFile({ deployment, site, keys, narrow }: Given): Generator<Situation> {
  yield {
    ...leaving,
    id: 'upload/register/refused-first',
    title: 'keys without permission try to register a fileKey, and then a key that did not start the upload does',
    feeds: registering,
    async run(scene) {
      const fileKey = await uploaded(scene, site, keys.at(-1) ?? narrow);
      await scene.send(registerAsk(deployment, fileKey, site, { credential: 'none' }));
      await scene.send(registerAsk(deployment, fileKey, site, { credential: 'unknown' }));
      await scene.send(registerAsk(deployment, fileKey, site, { credential: 'bearer', key: narrow }));
      const lacking = deployment.tenant.keys.filter(({ scopes, use }) => use === undefined && scopes.length === 0);
      for (const key of lacking.slice(0, 2))
        await scene.send(registerAsk(deployment, fileKey, site, { key: { ...key, tenant: deployment.tenant.name } }));
      await register(scene, fileKey, site, narrow);
    },
  };
  yield {
    ...leaving,
    id: 'upload/register/at-once',
    title: 'a fileKey is registered twice at once',
    feeds: registering,
    async run(scene) {
      const fileKey = await uploaded(scene, site, narrow);
      const next = inTurn(keys);
      await Promise.all([1, 2].map(() => scene.send(registerAsk(deployment, fileKey, site, next()))));
    },
  };
  yield {
    ...leaving,
    id: 'upload/register/large',
    title: 'a file of 11 MB, more than a request to the API may have, is registered',
    feeds: ['upload/file-may-exceed-10mb', 'upload/register-takes-file-key'],
    async run(scene) {
      const started = await insist(scene, startAsk(deployment, site, { key: narrow }));
      await scene.put(started, { contentType: deployment.uploadContentType, bytes: new Uint8Array(largeBytes) });
      await register(scene, fileKeyIn(started), site, narrow);
    },
  };
}

/** FileKeys that nobody issued, or that were issued for another site. */
function* ofOtherFiles({ deployment, sites, site, narrow }: Given): Generator<Situation | Wanting> {
  yield {
    ...leaving,
    id: 'upload/register/unknown',
    title: 'fileKeys that nobody issued are registered',
    feeds: ['errors/unknown-is-404'],
    async run(scene) {
      for (const { holder } of sites)
        await scene.send(registerAsk(deployment, scene.newId(), holder.id, { key: narrow }));
    },
  };
  const other = sites[1];
  if (other === undefined)
    yield { id: 'upload/register/other-site', feeds: ['errors/unknown-is-404'], missing: ['tenants[0].sites.legacy'] };
  else
    yield {
      ...leaving,
      id: 'upload/register/other-site',
      title: 'the fileKey of each site is registered at the other one, and then at its own',
      feeds: ['errors/unknown-is-404', 'upload/register-takes-file-key'],
      async run(scene) {
        for (const [own, elsewhere] of [
          [site, other.holder.id],
          [other.holder.id, site],
        ] as const) {
          const fileKey = await uploaded(scene, own, narrow);
          await scene.send(registerAsk(deployment, fileKey, elsewhere, { key: narrow }));
          await register(scene, fileKey, own, narrow);
        }
      },
    };
}

function* afterExpiry({ deployment, site, narrow }: Given): Generator<Situation> {
  yield {
    ...leaving,
    id: 'upload/register/late',
    title:
      'a file whose bytes were there in time is registered after its upload URL has expired, and one without bytes',
    feeds: registering,
    slow: true,
    async run(scene) {
      const [withBytes, without] = [
        await uploaded(scene, site, narrow),
        fileKeyIn(await insist(scene, startAsk(deployment, site, { key: narrow }))),
      ];
      await scene.sleep(lifetime + deployment.clockSkewSeconds * 1000 + 5_000);
      await register(scene, withBytes, site, narrow);
      await scene.send(registerAsk(deployment, without, site, { key: narrow }));
    },
  };
}

function* ofBytes({ site, narrow }: Given): Generator<Situation> {
  yield {
    ...leaving,
    id: 'upload/direct-bytes/register',
    title: 'bytes are sent to the API in place of a registration',
    feeds: ['upload/no-direct-bytes'],
    async run(scene) {
      const boundary = 'partnerkit-boundary';
      const form = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="check.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--${boundary}--\r\n`;
      const ask: Ask = { operation: 'registerSiteFile', params: { id: site }, key: narrow };
      await scene.send(directBytes({ ...ask, method: 'POST' }, 'text/plain'));
      await scene.send(directBytes({ ...ask, method: 'POST' }, 'application/octet-stream'));
      await scene.send(directBytes({ ...ask, method: 'POST' }, `multipart/form-data; boundary=${boundary}`, form));
      await scene.send(directBytes({ ...ask, method: 'PUT' }, 'text/plain'));
    },
  };
}

function* throttled({ deployment, site }: Given): Generator<Situation> {
  const uses = [start, 'registerSiteFile', 'listLabels'] as const;
  const measured = keyFor(deployment, { use: 'limits', scopes: deployment.scopesOf(...uses) });
  if ('key' in measured)
    yield {
      ...leaving,
      id: 'upload/register/throttled',
      title: 'a file is registered while the key is over its limit, and again when the key may',
      feeds: ['limiter/429-comes-before-the-handler'],
      uses,
      limits: 'first',
      async run(scene) {
        const { key } = measured;
        const { burst, perSecond } = key.rateLimit;
        const fileKey = await uploaded(scene, site, key);
        const flood = Array.from({ length: 2 * burst + perSecond }, () =>
          scene.send({ operation: 'listLabels', key, unpaced: true }),
        );
        await Promise.all([...flood, scene.send(registerAsk(deployment, fileKey, site, { key, unpaced: true }))]);
        await register(scene, fileKey, site, key);
        // The next measurement needs a full bucket, even if throttled requests took tokens.
        await scene.sleep(1000 * restSeconds({ perSecond, burst: 2 * burst }));
      },
    };
}

function* ofOtherTenant({ deployment, site, keys, narrow }: Given): Generator<Situation | Wanting> {
  const { stranger } = deployment;
  const their = stranger && uploadKeys(deployment, stranger)[0];
  const theirSite = stranger?.sites?.current ?? stranger?.clientSite?.site;
  if (their === undefined || theirSite === undefined) {
    const missing = [their === undefined ? 'tenants[1].keys: a key with siteFile:write' : 'tenants[1].sites.current'];
    yield { id: 'upload/register/other-tenant', feeds: ['isolation/writes-stay-in-tenant'], missing };
    return;
  }
  yield {
    ...leaving,
    id: 'upload/register/other-tenant',
    title: 'an uploaded file of another tenant is registered by us at our site and at its own, then by its own tenant',
    feeds: ['isolation/writes-stay-in-tenant', 'upload/register-takes-file-key'],
    async run(scene) {
      for (const key of keys.slice(0, 2)) {
        const fileKey = await uploaded(scene, theirSite, their);
        for (const at of [site, theirSite]) await scene.send(registerAsk(deployment, fileKey, at, { key }));
        await register(scene, fileKey, theirSite, their);
      }
      const ours = await uploaded(scene, site, narrow);
      for (const at of [theirSite, site]) await scene.send(registerAsk(deployment, ours, at, { key: their }));
      await register(scene, ours, site, narrow);
    },
  };
}

/** The fileKey in the reply to a start. If it is missing, another text, so that the following requests can be sent anyway. */
const fileKeyIn = (start: Exchange): string => String(objectIn(start).fileKey);
