import type { History } from '../../history/history.ts';
import { shownSites } from '../../laws/access/shown-sites.ts';
import { deploymentIn } from '../../laws/judging/asked.ts';
import type { Situation } from '../../scripts/script.ts';
import { keysFor } from '../../target/keys.ts';
import { tenantsOf } from '../../target/records.ts';

const maxSites = 3;

/** Reads sites that contexts show and the target file does not name. A site that only the other tenant can read belongs to that tenant. */
export function sitesInContexts(history: History): Situation[] {
  const tenants = tenantsOf(deploymentIn(history));
  const named = new Set(tenants.flatMap(({ sites, clientSite }) => [...Object.values(sites ?? {}), clientSite?.site]));
  const ids = [...new Set(shownSites(history).map(({ id }) => id))].filter((id) => !named.has(id)).slice(0, maxSites);
  if (ids.length === 0 || tenants.length < 2) return [];
  return [
    {
      id: 'other-tenant/sites-in-contexts',
      title: 'sites that contexts show and the target file does not name are read by keys of both tenants',
      feeds: ['isolation/reads-stay-in-tenant'],
      uses: ['getSite'],
      async run({ send, deployment }) {
        // The deployment of the scene has the secrets of keys; that of the history has only placeholders.
        for (const id of ids)
          for (const tenant of tenantsOf(deployment)) {
            const [key] = keysFor(deployment, 'getSite', tenant);
            if (key !== undefined) await send({ operation: 'getSite', params: { id }, key });
          }
      },
    },
  ];
}
