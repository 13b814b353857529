import type { RuleId } from '../../../spec/rules.ts';
import type { Deployment } from '../../target/deployment.ts';
import { insist } from '../asking/insist.ts';
import type { Situation, Wanting } from '../asking/situation.ts';
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
    ...(type === 'application/octet-stream' ? [] : ['application/octet-stream']),
    ...(type.length > family.length + 2 ? [type.slice(0, -1)] : []),
  ];
}

export const putRules: readonly RuleId[] = ['upload/put-accepts-bytes', 'upload/put-content-type-must-match'];

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
        await scene.put(spoiled, { contentType, bytes: someBytes, tampered: true });
        await scene.put(spoiled, { contentType, bytes: someBytes });
        await scene.put(empty, { contentType, bytes: new Uint8Array([0]) });
        const withParameter = `${contentType.split(';')[0]}; charset=utf-8`;
        const declared = await scene.send(
          startAsk(deployment, holder.id, {
            ...next(),
            body: { contentType: withParameter },
            twist: 'body/other-type',
          }),
        );
        if (declared.status === 201) await scene.put(declared, { contentType: withParameter, bytes: someBytes });
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

/** The lifetime of an upload URL, in milliseconds. */
export const lifetime = 300_000;
