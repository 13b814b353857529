import { clockRoutes } from './clock.ts';
import { collectionRoutes } from './collection-formats.ts';
import type { ControlRoute } from './control-route.ts';
import { faultRoutes } from './faults.ts';
import { fileRoutes } from './files.ts';
import { journalRoutes } from './journal.ts';
import { keyRoutes } from './keys.ts';
import { stateRoutes } from './state.ts';
import { allTenantRoutes, labelRoutes } from './tenants.ts';
import { wrongRoutes } from './wrong.ts';

/**
 * All routes by their part of the control API. If two match a request, the first one answers. The document of the API is written from them.
 * @public
 */
export const routeGroups = {
  state: ['Health, reset, snapshots and descriptions of the mock.', [...stateRoutes, ...collectionRoutes]],
  clock: ['The clock of the mock.', clockRoutes],
  journal: ['Requests and their replies.', journalRoutes],
  faults: ['Faults to inject, such as replies, latency and broken connections.', faultRoutes],
  wrong: ['One rule that is broken on purpose, to see who notices.', wrongRoutes],
  tenants: ['Tenants, and copies of tenants.', allTenantRoutes],
  labels: ['Labels on records, changed as the product does.', labelRoutes],
  keys: ['API keys and their rate limits.', keyRoutes],
  files: ['Uploaded files.', fileRoutes],
  // Every route checks its own body and query, which one type for the list cannot express.
} as unknown as Readonly<
  Record<string, readonly [description: string, routes: readonly ControlRoute<unknown, unknown>[]]>
>;

export const controlRoutes = Object.values(routeGroups).flatMap(([, routes]) => routes);
