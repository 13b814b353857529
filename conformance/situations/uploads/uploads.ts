import type { Generate } from '../../scripts/script.ts';
import { putRules, putSituations } from './puts.ts';
import { registering, registerSituations } from './registrations.ts';
import { startSituations, starts } from './starts.ts';
import { sitesOf, uploadKeys } from './upload-asks.ts';

/** Starts, PUTs and registrations, in every order and with everything that must be refused. */
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
