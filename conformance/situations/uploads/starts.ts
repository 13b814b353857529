import type { RuleId } from '../../../spec/rules.ts';
import type { Scene } from '../../experiments/scene.ts';
import type { Situation, Wanting } from '../../scripts/script.ts';
import type { Deployment } from '../../target/deployment.ts';
import type { KeyOfTenant } from '../../target/keys.ts';
import { insist } from '../asking/insist.ts';
import { directBytes, inTurn, sitesOf, start, startAsk, uploadKeys } from './upload-asks.ts';

export const starts: readonly RuleId[] = [
  'upload/start-is-201',
  'upload/target-file-key',
  'upload/target-url',
  'upload/target-expiry',
  'upload/url-lives-five-minutes',
];

/** Types of files that a deployment may treat differently. */
const otherTypes = [
  'application/pdf',
  'image/png',
  'video/mp4',
  'application/octet-stream',
  'text/plain; charset=utf-8',
];

/** Bodies of a start that the contract forbids. */
const bodies: Readonly<Record<string, (type: string) => unknown>> = {
  missing: () => ({}),
  empty: () => ({ contentType: '' }),
  number: () => ({ contentType: 5 }),
  zero: () => ({ contentType: 0 }),
  null: () => ({ contentType: null }),
  true: () => ({ contentType: true }),
  false: () => ({ contentType: false }),
  list: (type) => ({ contentType: [type] }),
  'empty-list': () => ({ contentType: [] }),
  object: (type) => ({ contentType: { type } }),
  'other-case': (type) => ({ contenttype: type }),
  'snake-case': (type) => ({ content_type: type }),
  array: (type) => [{ contentType: type }],
  'array-of-a-type': (type) => [type],
  string: (type) => JSON.stringify(type),
  'object-in-a-string': (type) => JSON.stringify(JSON.stringify({ contentType: type })),
  'null-body': () => 'null',
  'additional-text': (type) => ({ contentType: type, name: 'plan.txt' }),
  'additional-empty': (type) => ({ contentType: type, name: '' }),
  'additional-number': (type) => ({ contentType: type, size: 12 }),
  'additional-underscore': (type) => ({ contentType: type, _name: 'plan.txt' }),
  'additional-other-case': (type) => ({ contentType: type, ContentType: type }),
  'additional-null': (type) => ({ contentType: type, fileName: null }),
  'additional-object': (type) => ({ contentType: type, metadata: {} }),
  'additional-array': (type) => ({ contentType: type, tags: [] }),
  'additional-without-a-name': (type) => ({ contentType: type, '': 'plan.txt' }),
  // Names that every JavaScript object has.
  'additional-prototype': (type) => `{"contentType":${JSON.stringify(type)},"__proto__":{"name":"a"}}`,
  'additional-constructor': (type) => ({ contentType: type, constructor: 'a' }),
  'additional-many': (type) => ({
    contentType: type,
    ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`a${i}`, i])),
  }),
  'additional-file-key': (type) => ({ fileKey: 'f11e0001-0000-4000-8000-000000000001', contentType: type }),
};

/** So many random numbers are asked for, and more while all of them are taken for sites. */
const [minNumbers, maxNumbers] = [3, 8];

/**
 * Ids that a careless look-up takes for a site with a number as its id: the same number in 32 bits, without its fraction, and up to a NUL.
 * Other ways to write the same number are not among them, because the specification does not say whether they name the same site.
 */
const nearNumbers = (id: string, { newId, random }: Pick<Scene, 'newId' | 'random'>): readonly string[] => {
  if (!/^\d+$/.test(id)) return [];
  const upTo = (count: number) => Math.floor(random() * count);
  return [
    // So large that it is no site's number by chance, and small enough for any type of numbers.
    String(BigInt(id) + 2n ** 32n * BigInt(2 ** 20 + upTo(2 ** 20))),
    `${id}.5${100_000 + upTo(900_000)}`,
    `${id}\0${newId().slice(0, 4)}`,
    // Numbers of 32 bits, of which some may be sites', but not all.
    ...Array.from({ length: maxNumbers }, () => String(10 ** 9 + upTo(10 ** 9))),
  ];
};

export function* startSituations(deployment: Deployment): Generator<Situation | Wanting> {
  const { tenant } = deployment;
  const keys = uploadKeys(deployment);
  for (const [index, { slug, words, holder }] of sitesOf(deployment).entries()) {
    const site = holder.id;
    yield {
      id: `upload/start/${slug}`,
      title: `uploads of several types are started for ${words} with every key with the scope, in turn and at the same time`,
      feeds: starts,
      uses: [start],
      async run(scene) {
        for (const key of keys) await insist(scene, startAsk(deployment, site, { key }));
        const next = inTurn(keys, index);
        await Promise.all(Array.from({ length: 4 }, () => scene.send(startAsk(deployment, site, next()))));
        for (const contentType of otherTypes)
          await insist(
            scene,
            startAsk(deployment, site, { ...next(), body: { contentType }, twist: 'body/other-type' }),
          );
      },
    };
    yield {
      id: `upload/bodies/${slug}`,
      title: `uploads are started for ${words} with every body that the contract forbids`,
      feeds: [
        'upload/content-type-is-required',
        'upload/no-additional-properties',
        'errors/upload-statuses-are-declared',
      ],
      uses: [start],
      async run(scene) {
        const next = inTurn(keys, index);
        const [narrow] = keys;
        // Twice, because a deployment may be wrong only sometimes. Without a key, the request is refused before its body is read.
        for (const [turn, [bad, body]] of Object.entries(bodies).entries())
          for (const as of [
            turn % 4 === index % 4 ? next() : narrow && { key: narrow },
            narrow && { key: narrow },
            ...(turn % 4 === index % 4 ? [{ credential: 'none' as const }] : []),
          ])
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
    title: 'uploads are started for sites that do not exist',
    feeds: ['upload/unknown-site-is-404', 'errors/upload-statuses-are-declared'],
    uses: [start],
    async run(scene) {
      const next = inTurn(keys);
      const ids = [
        `ovaid-${scene.newId()}`,
        scene.newId(),
        `9${scene.newId().replace(/\D/g, '')}`,
        // Ids that begin with an existing id, or with which one begins. A shorter number may be the id of another site.
        ...sitesOf(deployment).flatMap(({ holder }) => [
          `${holder.id}x${scene.newId().slice(0, 4)}`,
          ...(/^ovaid-./.test(holder.id) ? [holder.id.slice(0, -1)] : []),
        ]),
        ...[tenant.conversations?.open ?? []].flat(),
        ...sitesOf(deployment).flatMap(({ holder }) => nearNumbers(holder.id, scene)),
      ];
      const [taken, refused] = [new Set<string>(), new Set<string>()];
      for (const [index, id] of ids.entries()) {
        const isNumber = /^\d{10}$/.test(id);
        if (isNumber && refused.size > 0 && taken.size + refused.size >= minNumbers) continue;
        for (let i = 0; i < (index < 3 ? Math.min(2, keys.length) : 1); i++) {
          const { status } = await insist(scene, startAsk(deployment, id, index < 3 ? next() : inTurn(keys)()));
          // A number that is taken for a site by chance may be one. It is asked for again, because a site stays one.
          if (isNumber) (status === 201 ? taken : refused).add(id);
          if (status === 201)
            for (let again = 0; again < 3; again++) await insist(scene, startAsk(deployment, id, next()));
        }
      }
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
  const ownSites = new Set(sitesOf(deployment).map(({ holder }) => holder.id));
  const theirs = [stranger.sites?.current, stranger.sites?.legacy, stranger.clientSite?.site].filter(
    (site) => site !== undefined && !ownSites.has(site),
  );
  const foreign = [...new Set(theirs)].filter((site) => site !== undefined);
  if (foreign.length === 0) {
    yield { id, feeds, missing: ['tenants[1].sites.current'] };
    return;
  }
  yield {
    id,
    title: 'each tenant starts uploads for sites of the other, and the other tenant starts them for its own',
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
