import { limitJourney } from '../k6/limit-journey.ts';
import { isolation } from './isolation.plan.ts';

const journey = limitJourney(isolation);
export const { options } = journey;
export default journey.drive;
