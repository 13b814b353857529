// Generated from the files of this folder by `npm run generate`; do not edit.
import type { ScenarioPlan } from '../plan/scenario-plan.ts';
import { burst } from './burst.ts';
import { fleet } from './fleet.ts';
import { isolation } from './isolation.ts';
import { labels } from './labels.ts';
import { measure } from './measure.ts';
import { overload } from './overload.ts';
import { paced } from './paced.ts';
import { recover } from './recover.ts';
import { refill } from './refill.ts';
import { soak } from './soak.ts';
import { upload } from './upload.ts';

/** All scenarios. */
export const scenarioPlans: readonly ScenarioPlan[] = [
  burst,
  fleet,
  isolation,
  labels,
  measure,
  overload,
  paced,
  recover,
  refill,
  soak,
  upload,
];

/** The scenario with this name, if there is one. */
export const scenarioPlan = (name: string): ScenarioPlan | undefined =>
  scenarioPlans.find((plan) => plan.name === name);
