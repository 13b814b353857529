import type { ControlRoute } from '../control-route.ts';
import { clockRoutes } from './clock.ts';
import { collectionRoutes } from './collections.ts';
import { faultRoutes } from './faults.ts';
import { fileRoutes } from './files.ts';
import { journalRoutes } from './journal.ts';
import { keyRoutes } from './keys.ts';
import { referenceRoutes } from './reference.ts';
import { stateRoutes } from './state.ts';
import { labelRoutes, recordRoutes, tenantRoutes } from './tenants.ts';

/** All routes of the control API. If two match a request, the first one answers. */
export const controlRoutes = [
  ...referenceRoutes,
  ...collectionRoutes,
  ...stateRoutes,
  ...clockRoutes,
  ...journalRoutes,
  ...faultRoutes,
  ...tenantRoutes,
  ...recordRoutes,
  ...labelRoutes,
  ...keyRoutes,
  ...fileRoutes,
  // Every route checks its own body and query, which one type for the list cannot express.
] as readonly ControlRoute<unknown, unknown>[];
