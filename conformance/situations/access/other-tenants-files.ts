import type { TargetTenant } from '../../../spec/files/target.ts';
import type { Ask } from '../../client/ask.ts';
import type { Scene } from '../../experiments/scene.ts';
import { type Exchange, objectIn } from '../../history/exchange.ts';
import type { Generate } from '../../scripts/script.ts';
import { keysFor } from '../../target/keys.ts';

const feeds = ['isolation/writes-stay-in-tenant'] as const;

/** A file of one tenant is registered by the other, at a site of either tenant, and then by its owner. */
export const otherTenantsFiles: Generate = function* ({ tenant, stranger }) {
  if (stranger === undefined) return;
  for (const [owner, visitor, whose] of [
    [tenant, stranger, 'ours'],
    [stranger, tenant, 'theirs'],
  ] as const) {
    const id = `other-tenant/${whose}/file`;
    const site = siteOf(owner);
    if (site === undefined) {
      yield { id, feeds, missing: [`tenants[${owner === tenant ? 0 : 1}].sites.current`] };
      continue;
    }
    yield {
      id,
      title: `a file that ${owner.name} has uploaded, registered with a key of ${visitor.name}`,
      feeds,
      uses: ['startSiteFileUpload', 'registerSiteFile'],
      writes: 'leftovers',
      async run(scene) {
        const theirs = siteOf(visitor);
        // Legacy ids are numbers, which two tenants may share.
        const legacy = owner.sites?.legacy;
        const shared = legacy !== undefined && legacy === visitor.sites?.legacy ? legacy : undefined;
        const visits = [[site, site], [site, theirs], ...(shared === undefined ? [] : [[shared, shared]])] as const;
        // The first file is not touched by the visitor, to show that files of the owner can be registered at all.
        const untouched = await upload(scene, owner, site);
        if (untouched === null) return;
        // The owner must not register its file at a site of the visitor.
        if (theirs !== undefined) await register(scene, owner, theirs, untouched);
        await register(scene, owner, site, untouched);
        for (const [home, at] of visits) {
          const fileKey = await upload(scene, owner, home);
          if (fileKey === null || at === undefined) continue;
          await register(scene, visitor, at, fileKey);
          await register(scene, owner, home, fileKey);
          // What is registered must not be given to others either.
          await register(scene, visitor, at, fileKey);
        }
      },
    };
  }
};

const siteOf = ({ sites }: TargetTenant) => sites?.current ?? sites?.legacy;

const keyOf = ({ deployment }: Scene, tenant: TargetTenant, operation: Ask['operation']) =>
  keysFor(deployment, operation, tenant)[0];

/** Uploads a file. @returns its fileKey, or null */
async function upload(scene: Scene, owner: TargetTenant, id: string): Promise<string | null> {
  const contentType = scene.deployment.uploadContentType;
  const key = keyOf(scene, owner, 'startSiteFileUpload');
  if (key === undefined) return null;
  const started = await scene.send({ operation: 'startSiteFileUpload', params: { id }, body: { contentType }, key });
  const { fileKey } = objectIn(started);
  const bytes = new TextEncoder().encode(`partnerkit: a file of ${owner.name}`);
  const put = await scene.put(started, { contentType, bytes });
  return put === null || typeof fileKey !== 'string' ? null : fileKey;
}

async function register(scene: Scene, tenant: TargetTenant, id: string, fileKey: string): Promise<Exchange | null> {
  const key = keyOf(scene, tenant, 'registerSiteFile');
  if (key === undefined) return null;
  const body = { fileKey, ...scene.deployment.registration };
  return scene.send({ operation: 'registerSiteFile', params: { id }, body, key });
}
