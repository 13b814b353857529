/** A registration among the requests that are throttled, which can be made once only: afterwards the file can still be registered. */
import { valid } from '../../contract/request.ts';
import type { KeyOfTenant } from '../../target/keys.ts';
import type { Script } from '../script.ts';
import { registering, sitesOf, stored } from '../upload-steps.ts';
import { lightReadsOf, limitOf, overBurst, play, restAfter, volley } from './shots.ts';

export const throttledRegistration = (key: KeyOfTenant): Script => ({
  id: 'limiter/registration',
  title: `a file is registered while key ${key.name} is over its limit, and again when the key may`,
  tries: ['limiter/429-comes-before-the-handler'],
  uses: ['startSiteFileUpload', 'registerSiteFile'],
  limits: 'first',
  writes: 'leftovers',
  async run(b) {
    const who = valid(key);
    const [place] = sitesOf(b.deployment.tenant);
    const fileKey = place ? await stored(b, { place, who }) : null;
    if (place === undefined || fileKey === null) return;
    const { who: _, ...request } = registering(b, { place, who }, fileKey);
    const around = play(b, volley(key, await lightReadsOf(b, key), overBurst(limitOf(key))));
    await play(b, volley(key, [request], 1));
    await b.sleep(restAfter(key, await around));
    await b.send(registering(b, { place, who }, fileKey));
  },
});
