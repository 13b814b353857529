import type { RuleId } from '../../../spec/rules.ts';
import type { Situation, Wanting } from '../../scripts/script.ts';
import type { Deployment } from '../../target/deployment.ts';
import { createBarrier } from '../asking/barrier.ts';
import { insist } from '../asking/insist.ts';
import { inTurn, sitesOf, someBytes, start, startAsk, uploadKeys } from './upload-asks.ts';

/** Above the limit of requests to the API, in both readings of 10 MB. */
export const largeBytes = 11 * 1024 * 1024;

/** Types that a careless comparison may take for the right one. */
function otherTypes(declared: string): readonly string[] {
  const [family = ''] = declared.split('/');
  const type = declared.split(';')[0]?.trim() ?? declared;
  return [
    family === 'image' ? 'text/plain' : 'image/png',
    `${family}/x-partnerkit`,
    `${type}x`,
    ...['application/octet-stream', 'application/json'].filter((one) => one !== type),
    ...(type.length > family.length + 2 ? [type.slice(0, -1)] : []),
  ];
}

const unusualTypes = [
  'image/svg+xml',
  'Image/PNG',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
];

export const putRules: readonly RuleId[] = [
  'upload/put-accepts-bytes',
  'upload/put-content-type-must-match',
  'upload/signature-is-verified',
];

export function* putSituations(deployment: Deployment): Generator<Situation | Wanting> {
  const keys = uploadKeys(deployment);
  const contentType = deployment.uploadContentType;
  const sites = sitesOf(deployment);
  for (const [index, { slug, words, holder }] of sites.entries()) {
    yield {
      id: `upload/put/${slug}`,
      title: `bytes for ${words} are PUT with the right type, with others and with none, over another file and with an altered signature`,
      feeds: putRules,
      uses: [start],
      async run(scene) {
        const next = inTurn(keys, index);
        const clean = await insist(scene, startAsk(deployment, holder.id, next()));
        await scene.put(clean, { contentType, bytes: someBytes });
        await scene.put(clean, { contentType, bytes: new TextEncoder().encode('and other bytes\n') });
        for (const other of otherTypes(contentType).slice(0, 1))
          await scene.put(clean, { contentType: other, bytes: someBytes });
        const spoiled = await insist(scene, startAsk(deployment, holder.id, next()));
        // A newer upload does not end an older one.
        const empty = await scene.send(startAsk(deployment, holder.id, next()));
        for (let round = 0; round < 3; round++)
          for (const other of [...otherTypes(contentType), null])
            await scene.put(spoiled, { contentType: other, bytes: someBytes });
        for (const other of otherTypes(contentType).slice(0, 1))
          await scene.put(spoiled, { contentType: other, bytes: new Uint8Array() });
        await scene.put(spoiled, { contentType, bytes: someBytes, tampered: true });
        // Before its signature is shown at another URL: a store may look at the signature alone, and take it for this upload.
        await scene.put(spoiled, { contentType, bytes: someBytes });
        await scene.put(empty, { contentType, bytes: someBytes, tampered: spoiled });
        await scene.put(empty, { contentType, bytes: new Uint8Array([0]) });
        // Types that are easily mistaken when a signature is made, at the same time. A deployment may refuse some of them.
        const types = [`${contentType.split(';')[0]}; charset=utf-8`, ...unusualTypes];
        const barrier = createBarrier(types.length, scene.sleep);
        const starts = await Promise.all(
          types.map((type) =>
            scene.send(
              startAsk(deployment, holder.id, {
                ...inTurn(keys)(),
                body: { contentType: type },
                twist: 'body/other-type',
                barrier,
              }),
            ),
          ),
        );
        for (const [i, started] of starts.entries())
          if (started.status === 201) await scene.put(started, { contentType: types[i] ?? null, bytes: someBytes });
      },
    };
  }
  for (const [index, { slug, words, holder }] of sites.entries())
    yield {
      id: index === 0 ? 'upload/put/large' : `upload/put/large/${slug}`,
      title: `a file of 11 MB, more than a request to the API may have, is PUT to an upload URL of ${words}`,
      feeds: ['upload/file-may-exceed-10mb'],
      uses: [start],
      async run(scene) {
        const next = inTurn(keys);
        // Another type for every second site, if it may be uploaded: limits may differ by type.
        const image =
          index % 2 === 1 && startAsk(deployment, holder.id, { ...next(), body: { contentType: 'image/png' } });
        const asked = image ? await scene.send({ ...image, twist: 'body/other-type' }) : null;
        const started = asked?.status === 201 ? asked : await insist(scene, startAsk(deployment, holder.id, next()));
        const type = started === asked ? 'image/png' : contentType;
        await scene.put(started, { contentType: type, bytes: new Uint8Array(largeBytes) });
      },
    };
  for (const [index, { slug, words, holder }] of sites.entries())
    yield {
      id: index === 0 ? 'upload/put/expiry' : `upload/put/expiry/${slug}`,
      title: `bytes are PUT shortly before and after upload URLs of ${words} expire`,
      feeds: ['upload/expired-url-is-refused', 'upload/url-lives-five-minutes'],
      uses: [start],
      slow: true,
      async run(scene) {
        const next = inTurn(keys);
        const [used, early, late] = [
          await insist(scene, startAsk(deployment, holder.id, next())),
          await insist(scene, startAsk(deployment, holder.id, next())),
          await insist(scene, startAsk(deployment, holder.id, next())),
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

/** The lifetime of an upload URL, in milliseconds. */
export const lifetime = 300_000;
