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

/** Every route of the control API; of two that fit, the first one answers. */
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
  // Each checks its own body and query before it runs, which a list of them cannot say in one type.
] as readonly ControlRoute<unknown, unknown>[];
