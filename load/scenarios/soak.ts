import { limitJourney } from '../k6/limit-journey.ts';
import { soak } from './soak.plan.ts';

const journey = limitJourney(soak);
export const { options } = journey;
export default journey.drive;
