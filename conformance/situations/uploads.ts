import type { RuleId } from '../../spec/rules.ts';
import type { Exchange } from '../history/exchange.ts';
import type { Deployment } from '../target/deployment.ts';
import { type KeyOfTenant, keysWith } from '../target/keys.ts';
import type { KnownHolder } from '../target/records.ts';
import { holdersOf } from '../target/records.ts';
import { insist } from './asking/insist.ts';
import type { Ask, Generate, Scene, Situation, Wanting } from './asking/situation.ts';

const start = 'startSiteFileUpload';
const starts: readonly RuleId[] = [
  'upload/start-is-201',
  'upload/target-file-key',
  'upload/target-url',
  'upload/target-expiry',
  'upload/url-lives-five-minutes',
];

/** A few bytes that are what their type says. */
const someBytes = new TextEncoder().encode('partnerkit conformance check\n');

/** Well above the limit of requests to the API, whichever megabyte is meant. */
const largeBytes = 11 * 1024 * 1024;

/** The keys of a tenant that may upload, those with the fewest scopes first: they have the least to do elsewhere. */
export const uploadKeys = (deployment: Deployment, tenant = deployment.tenant): KeyOfTenant[] =>
  keysWith(tenant, deployment.operation(start)?.scopes ?? []);

/** Takes the keys in turn, so that each meets something of everything. */
function inTurn(keys: readonly KeyOfTenant[], first = 0): () => { readonly key?: KeyOfTenant } {
  let turn = first;
  return () => {
    const key = keys[turn++ % Math.max(1, keys.length)];
    return key === undefined ? {} : { key };
  };
}

const lawfulBody = ({ uploadContentType }: Deployment) => ({ contentType: uploadContentType });

const startAsk = (deployment: Deployment, site: string, more: Partial<Ask> = {}): Ask => ({
  operation: start,
  params: { id: site },
  body: lawfulBody(deployment),
  ...more,
});

const sitesOf = (deployment: Deployment) =>
  holdersOf(deployment.tenant).filter(
    (known): known is KnownHolder & { readonly holder: { readonly kind: 'site' } } => known.holder.kind === 'site',
  );

/** Other types than the one asked for, as a careless comparison would mistake them. */
function otherTypes(asked: string): readonly string[] {
  const [family = ''] = asked.split('/');
  const type = asked.split(';')[0]?.trim() ?? asked;
  return [
    family === 'image' ? 'text/plain' : 'image/png',
    `${family}/x-partnerkit`,
    `${type}x`,
    ...(type.length > family.length + 2 ? [type.slice(0, -1)] : []),
  ];
}

interface Body {
  readonly slug: string;
  readonly body: (type: string) => unknown;
}

/** Bodies of a start that the contract refuses. */
const bodies: readonly Body[] = [
  { slug: 'missing', body: () => ({}) },
  { slug: 'empty', body: () => ({ contentType: '' }) },
  { slug: 'number', body: () => ({ contentType: 5 }) },
  { slug: 'zero', body: () => ({ contentType: 0 }) },
  { slug: 'null', body: () => ({ contentType: null }) },
  { slug: 'true', body: () => ({ contentType: true }) },
  { slug: 'false', body: () => ({ contentType: false }) },
  { slug: 'list', body: (type) => ({ contentType: [type] }) },
  { slug: 'object', body: (type) => ({ contentType: { type } }) },
  { slug: 'other-case', body: (type) => ({ contenttype: type }) },
  { slug: 'snake-case', body: (type) => ({ content_type: type }) },
  { slug: 'array', body: (type) => [{ contentType: type }] },
  { slug: 'string', body: (type) => JSON.stringify(type) },
  { slug: 'null-body', body: () => 'null' },
  { slug: 'additional-text', body: (type) => ({ contentType: type, name: 'plan.txt' }) },
  { slug: 'additional-number', body: (type) => ({ contentType: type, size: 12 }) },
  { slug: 'additional-null', body: (type) => ({ contentType: type, fileName: null }) },
  { slug: 'additional-object', body: (type) => ({ contentType: type, metadata: {} }) },
  { slug: 'additional-array', body: (type) => ({ contentType: type, tags: [] }) },
  {
    slug: 'additional-file-key',
    body: (type) => ({ fileKey: 'f11e0001-0000-4000-8000-000000000001', contentType: type }),
  },
];

function* startSituations(deployment: Deployment): Generator<Situation | Wanting> {
  const keys = uploadKeys(deployment);
  for (const [index, { slug, words, holder }] of sitesOf(deployment).entries()) {
    const site = holder.id;
    yield {
      id: `upload/start/${slug}`,
      title: `uploads are started for ${words} with every key that may, one after the other and at once, of several types`,
      feeds: starts,
      uses: [start],
      async run(scene) {
        for (const key of keys) await insist(scene, startAsk(deployment, site, { key }));
        const next = inTurn(keys, index);
        await Promise.all(Array.from({ length: 4 }, () => scene.send(startAsk(deployment, site, next()))));
        for (const contentType of ['application/pdf', 'image/png', 'text/plain; charset=utf-8'])
          await scene.send(startAsk(deployment, site, { ...next(), body: { contentType }, twist: 'body/other-type' }));
      },
    };
    yield {
      id: `upload/bodies/${slug}`,
      title: `starts for ${words} have every body that the contract refuses`,
      feeds: [
        'upload/content-type-is-required',
        'upload/no-additional-properties',
        'errors/upload-statuses-are-declared',
      ],
      uses: [start],
      async run(scene) {
        const next = inTurn(keys, index);
        const [narrow] = keys;
        // Twice, because a deployment may be wrong now and then.
        for (const { slug: bad, body } of bodies)
          for (const as of [next(), narrow && { key: narrow }])
            await insist(
              scene,
              startAsk(deployment, site, { ...as, body: body(deployment.uploadContentType), twist: `body/${bad}` }),
            );
        await insist(scene, startAsk(deployment, site, { ...next(), body: undefined, twist: 'body/none' }));
      },
    };
  }
  yield {
    id: 'upload/start/unknown-site',
    title: 'uploads are started for sites that nobody has',
    feeds: ['upload/unknown-site-is-404', 'errors/upload-statuses-are-declared'],
    uses: [start],
    async run(scene) {
      const next = inTurn(keys);
      const ids = [`ovaid-${scene.newId()}`, scene.newId(), `9${scene.newId().replace(/\D/g, '')}`];
      for (const id of ids)
        for (let i = 0; i < Math.min(2, keys.length); i++) await insist(scene, startAsk(deployment, id, next()));
    },
  };
  yield* foreignSites(deployment, keys);
  yield {
    id: 'upload/direct-bytes/start',
    title: 'bytes are sent to the API in place of the JSON of a start',
    feeds: ['upload/no-direct-bytes'],
    uses: [start],
    async run(scene) {
      const next = inTurn(keys);
      for (const { holder } of sitesOf(deployment))
        for (const method of ['POST', 'PUT'])
          await scene.send(
            directBytes({ operation: start, params: { id: holder.id }, method, ...next() }, 'text/plain'),
          );
    },
  };
}

function* foreignSites(deployment: Deployment, keys: readonly KeyOfTenant[]): Generator<Situation | Wanting> {
  const { tenant, stranger } = deployment;
  const feeds: readonly RuleId[] = ['upload/foreign-site-is-404', 'errors/upload-statuses-are-declared'];
  const id = 'upload/start/foreign-site';
  if (stranger === undefined) {
    yield { id, feeds, missing: ['tenants[1]'] };
    return;
  }
  const own = new Set(sitesOf(deployment).map(({ holder }) => holder.id));
  const theirs = [stranger.sites?.current, stranger.sites?.legacy, stranger.clientSite?.site].filter(
    (site) => site !== undefined && !own.has(site),
  );
  const foreign = [...new Set(theirs)].filter((site) => site !== undefined);
  if (foreign.length === 0) {
    yield { id, feeds, missing: ['tenants[1].sites.current'] };
    return;
  }
  yield {
    id,
    title: 'uploads are started for sites of another tenant, by us and by that tenant, and for ours by that tenant',
    feeds,
    uses: [start],
    async run(scene) {
      const their = uploadKeys(deployment, stranger);
      for (const site of foreign) {
        for (const key of their.slice(0, 1)) await insist(scene, startAsk(deployment, site, { key }));
        for (const key of keys.slice(0, 2)) await insist(scene, startAsk(deployment, site, { key }));
      }
      const theirIds = new Set([stranger.sites?.current, stranger.sites?.legacy]);
      const ours = [tenant.sites?.current, tenant.sites?.legacy].filter((site) => site !== undefined);
      for (const site of ours)
        for (const key of their.slice(0, 1))
          if (!theirIds.has(site)) await insist(scene, startAsk(deployment, site, { key }));
    },
  };
}

/** A request of another form than any operation has, with the bytes of a file. */
const directBytes = (ask: Ask, type: string, body: Uint8Array | string = someBytes): Ask => ({
  ...ask,
  body,
  headers: { 'content-type': type },
  twist: `direct-bytes/${type.split(';')[0]}`,
});

const putRules: readonly RuleId[] = ['upload/put-accepts-bytes', 'upload/put-content-type-must-match'];

function* putSituations(deployment: Deployment): Generator<Situation | Wanting> {
  const keys = uploadKeys(deployment);
  const contentType = deployment.uploadContentType;
  const sites = sitesOf(deployment);
  for (const [index, { slug, words, holder }] of sites.entries()) {
    yield {
      id: `upload/put/${slug}`,
      title: `bytes for ${words} are PUT with the type that was asked for, with others and with none, over another file and with an altered signature`,
      feeds: putRules,
      uses: [start],
      async run(scene) {
        const next = inTurn(keys, index);
        const clean = await insist(scene, startAsk(deployment, holder.id, next()));
        await scene.put(clean, { contentType, bytes: someBytes });
        await scene.put(clean, { contentType, bytes: new TextEncoder().encode('and other bytes\n') });
        const spoiled = await insist(scene, startAsk(deployment, holder.id, next()));
        for (let round = 0; round < 3; round++)
          for (const other of [...otherTypes(contentType), null])
            await scene.put(spoiled, { contentType: other, bytes: someBytes });
        await scene.put(spoiled, { contentType, bytes: someBytes, tampered: true });
        await scene.put(spoiled, { contentType, bytes: someBytes });
        const empty = await scene.send(startAsk(deployment, holder.id, next()));
        await scene.put(empty, { contentType, bytes: new Uint8Array([0]) });
      },
    };
  }
  const [first] = sites;
  if (first === undefined) return;
  const site = first.holder.id;
  yield {
    id: 'upload/put/large',
    title: 'a file of 11 MB, more than a request to the API may have, is PUT to its upload URL',
    feeds: ['upload/file-may-exceed-10mb'],
    uses: [start],
    async run(scene) {
      const started = await insist(scene, startAsk(deployment, site, inTurn(keys)()));
      await scene.put(started, { contentType, bytes: new Uint8Array(largeBytes) });
    },
  };
  yield {
    id: 'upload/put/expiry',
    title: 'bytes are PUT shortly before and after their upload URLs expire',
    feeds: ['upload/expired-url-is-refused', 'upload/url-lives-five-minutes'],
    uses: [start],
    slow: true,
    async run(scene) {
      const next = inTurn(keys);
      const [used, early, late] = [
        await insist(scene, startAsk(deployment, site, next())),
        await insist(scene, startAsk(deployment, site, next())),
        await insist(scene, startAsk(deployment, site, next())),
      ];
      await scene.put(used, { contentType, bytes: someBytes });
      const skew = deployment.clockSkewSeconds * 1000;
      const until = (at: number) => scene.sleep(Math.max(0, at - scene.now()));
      await until(early.sentAt + lifetime - skew - 10_000);
      await scene.put(early, { contentType, bytes: someBytes });
      await until(late.doneAt + lifetime + skew + 5_000);
      for (const expired of [late, used, late, used]) await scene.put(expired, { contentType, bytes: someBytes });
    },
  };
}

/** Milliseconds that an upload URL lives. */
export const lifetime = 300_000;

const registering: readonly RuleId[] = [
  'upload/register-takes-file-key',
  'upload/registration-reply',
  'upload/register-before-put-is-422',
  'upload/register-twice-is-409',
];

/** A registered file cannot be taken away again: whatever registers, or would on a wrong deployment, leaves something behind. */
const leaving = { uses: [start, 'registerSiteFile'], writes: 'leftovers' } as const;

function* registerSituations(deployment: Deployment): Generator<Situation | Wanting> {
  const { stranger, registration, uploadContentType: contentType } = deployment;
  const keys = uploadKeys(deployment);
  const sites = sitesOf(deployment);
  const [first] = sites;
  const [narrow] = keys;
  if (first === undefined || narrow === undefined) return;
  const site = first.holder.id;

  const registerAsk = (fileKey: string, at: string, more: Partial<Ask> = {}): Ask => ({
    operation: 'registerSiteFile',
    params: { id: at },
    body: { fileKey, ...registration },
    ...more,
  });
  const register = async (scene: Scene, fileKey: string, at: string, key: KeyOfTenant) => {
    const reply = await insist(scene, registerAsk(fileKey, at, { key }));
    if (reply.status !== 400 && reply.status !== 422) return reply;
    // Other fields of the request are not shown, so that one which is missing may be what is objected to.
    return scene.send(
      registerAsk(fileKey, at, { key, body: { fileKey, name: 'partnerkit-check.txt', ...registration } }),
    );
  };
  const uploaded = async (scene: Scene, at: string, key: KeyOfTenant) => {
    const started = await insist(scene, startAsk(deployment, at, { key }));
    await scene.put(started, { contentType, bytes: someBytes });
    return fileKeyIn(started);
  };

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
        await scene.send(registerAsk(fileKey, holder.id, { key }));
        await scene.put(started, { contentType, bytes: someBytes });
        await register(scene, fileKey, holder.id, key);
        await scene.send(registerAsk(fileKey, holder.id, { key }));
      },
    };
  }
  yield {
    ...leaving,
    id: 'upload/register/refused-first',
    title: 'a fileKey is refused to keys that may not register it, and then registered by another key than started it',
    feeds: registering,
    async run(scene) {
      const fileKey = await uploaded(scene, site, keys.at(-1) ?? narrow);
      await scene.send(registerAsk(fileKey, site, { credential: 'none' }));
      await scene.send(registerAsk(fileKey, site, { credential: 'unknown' }));
      await scene.send(registerAsk(fileKey, site, { credential: 'bearer', key: narrow }));
      const lacking = deployment.tenant.keys.filter(({ scopes, use }) => use === undefined && scopes.length === 0);
      for (const key of lacking.slice(0, 2))
        await scene.send(registerAsk(fileKey, site, { key: { ...key, tenant: deployment.tenant.name } }));
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
      await Promise.all([1, 2].map(() => scene.send(registerAsk(fileKey, site, next()))));
    },
  };
  yield {
    ...leaving,
    id: 'upload/register/unknown',
    title: 'fileKeys that nobody issued are registered',
    feeds: ['errors/unknown-is-404'],
    async run(scene) {
      for (const { holder } of sites) await scene.send(registerAsk(scene.newId(), holder.id, { key: narrow }));
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
          await scene.send(registerAsk(fileKey, elsewhere, { key: narrow }));
          await register(scene, fileKey, own, narrow);
        }
      },
    };
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
      await scene.send(registerAsk(without, site, { key: narrow }));
    },
  };
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
    title: "another tenant's fileKey, bytes and all, is registered at our site and at its own, then by its own tenant",
    feeds: ['isolation/writes-stay-in-tenant', 'upload/register-takes-file-key'],
    async run(scene) {
      for (const key of keys.slice(0, 2)) {
        const fileKey = await uploaded(scene, theirSite, their);
        for (const at of [site, theirSite]) await scene.send(registerAsk(fileKey, at, { key }));
        await register(scene, fileKey, theirSite, their);
      }
      const ours = await uploaded(scene, site, narrow);
      for (const at of [theirSite, site]) await scene.send(registerAsk(ours, at, { key: their }));
      await register(scene, ours, site, narrow);
    },
  };
}

/** The fileKey that a start gave; a text that is none where it gave none, so that what follows is still sent. */
function fileKeyIn({ body }: Exchange): string {
  try {
    const { fileKey } = JSON.parse(body ?? '') as { readonly fileKey?: unknown };
    return String(fileKey);
  } catch {
    return 'none';
  }
}

/** The upload flow: start, PUT, registration, each in every order and with everything that must be refused. */
export const uploads: Generate = function* (deployment) {
  if (sitesOf(deployment).length === 0) {
    const feeds = [...starts, ...putRules, ...registering];
    yield { id: 'upload/start', feeds, missing: ['tenants[0].sites.current'] };
    return;
  }
  if (uploadKeys(deployment).length === 0) {
    const feeds = [...starts, ...putRules, ...registering];
    yield { id: 'upload/start', feeds, missing: ['tenants[0].keys: a key with siteFile:write'] };
    return;
  }
  yield* startSituations(deployment);
  yield* putSituations(deployment);
  yield* registerSituations(deployment);
};
