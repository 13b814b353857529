import { burst } from '../scenarios/burst.plan.ts';
import { fleet } from '../scenarios/fleet.plan.ts';
import { isolation } from '../scenarios/isolation.plan.ts';
import { labels } from '../scenarios/labels.plan.ts';
import { overload } from '../scenarios/overload.plan.ts';
import { paced } from '../scenarios/paced.plan.ts';
import { recover } from '../scenarios/recover.plan.ts';
import { refill } from '../scenarios/refill.plan.ts';
import { soak } from '../scenarios/soak.plan.ts';
import { upload } from '../scenarios/upload.plan.ts';
import type { ScenarioPlan } from './scenario-plan.ts';

/** Every scenario, from the gentlest to the heaviest; each has its journey in `scenarios/NAME.ts`. */
export const scenarioPlans: readonly ScenarioPlan[] = [
  paced,
  burst,
  recover,
  refill,
  overload,
  isolation,
  fleet,
  labels,
  upload,
  soak,
];

/** The plan of that name, if there is one. */
export const scenarioPlan = (name: string): ScenarioPlan | undefined =>
  scenarioPlans.find((plan) => plan.name === name);
